import { subnetZonesOf } from './subnet-zones';
import { regionOfZone } from '../../catalog';
import { memoizeByIdentity } from '../../model';
import { ManifestModel, ReferredRegion } from '../manifest/model';
import { regionReference } from '../manifest/source/region-references';

/**
 * The only region that one kind of reference names, in the input or else in the rest of the repository. Undefined if
 * there is none, or if it names several.
 */
export const referredRegion = memoizeByIdentity((model: ManifestModel): ReferredRegion | undefined => {
  const { objects, regionElsewhere, terraformRegion, nodeClasses } = model;
  const zones = nodeClasses.flatMap((nodeClass) => subnetZonesOf(model, nodeClass)?.zones ?? []);
  const [region, ...others] = new Set(zones.map(regionOfZone));
  if (region !== undefined && others.length === 0) return { region, source: 'the zones of subnets', isOne: false };
  const own = regionReference(objects.map(({ raw }) => raw));
  if (own !== undefined) return own.only;
  if (regionElsewhere !== undefined) return regionElsewhere;
  // A provider may be of another environment, so that manifests come first.
  return terraformRegion === undefined
    ? undefined
    : { region: terraformRegion, source: 'the AWS provider in Terraform files', isOne: true };
});
