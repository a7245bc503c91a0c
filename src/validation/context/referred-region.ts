import { memoizeByIdentity } from '../../model';
import { ManifestModel, ReferredRegion } from '../manifest/model';
import { regionReference } from '../manifest/source/region-references';

/**
 * The only region that one kind of reference names, in the input or else in the rest of the repository. Undefined if
 * there is none, or if it names several.
 */
export const referredRegion = memoizeByIdentity(
  ({ objects, regionElsewhere, terraformRegion }: ManifestModel): ReferredRegion | undefined => {
    const own = regionReference(objects.map(({ raw }) => raw));
    if (own !== undefined) return own.only;
    if (regionElsewhere !== undefined) return regionElsewhere;
    // A provider may be of another environment, so that manifests come first.
    return terraformRegion === undefined
      ? undefined
      : { region: terraformRegion, source: 'the AWS provider in Terraform files', isOne: true };
  },
);
