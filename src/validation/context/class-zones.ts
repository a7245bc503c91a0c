import { decidedRegion } from './decided-region';
import { subnetZonesOf } from './subnet-zones';
import { accountCatalogOf, chooseCatalog, MAX_ZONES, unknownZone } from '../../catalog';
import { listText } from '../../model';
import { CheckOptions } from '../check-options';
import { ManifestModel, NodeClassManifest } from '../manifest/model';

/**
 * Adds the zones of their subnets to the node classes: Karpenter launches no node in another zone. Given zones win. A
 * class keeps all zones of the region if the input leaves open where its subnets are, or if they cannot be there: in
 * another region, or in zones that the account does not have.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instancetype/offering/offering.go
 */
export function withSubnetZones(model: ManifestModel, options: CheckOptions): ManifestModel {
  if (options.zones !== undefined) return model;
  const { region } = decidedRegion(options, model);
  if (region === undefined) return model;
  const account = accountCatalogOf(chooseCatalog(options.catalogs ?? [], region));
  // A Local Zone offers only a few types, which are not known.
  const isZone = (zone: string) =>
    zone.length === region.length + 1 &&
    zone.startsWith(region) &&
    (account === undefined ? unknownZone(zone) === undefined : Object.hasOwn(account.zones, zone));
  const withZones = (nodeClass: NodeClassManifest): NodeClassManifest => {
    const { zones = [] } = (nodeClass.facts && subnetZonesOf(model, nodeClass)) ?? {};
    return zones.length === 0 || zones.length > MAX_ZONES || !zones.every(isZone)
      ? nodeClass
      : { ...nodeClass, facts: { ...nodeClass.facts!, zones } };
  };
  const { cluster } = model;
  const nodeClasses = model.nodeClasses.map(withZones);
  const ofCluster = cluster?.nodeClasses.map(withZones);
  // What is memoized of a model is kept if nothing changes.
  if ([...nodeClasses, ...(ofCluster ?? [])].every(({ facts }) => facts?.zones === undefined)) return model;
  return { ...model, nodeClasses, ...(cluster && { cluster: { ...cluster, nodeClasses: ofCluster! } }) };
}

/** The zones of the classes to which `withSubnetZones` has given some. */
export function subnetZoneAssumptions({ cluster, nodeClasses }: ManifestModel): string[] {
  const namesOf = new Map<string, string[]>();
  for (const { object, facts } of [...nodeClasses, ...(cluster?.nodeClasses ?? [])]) {
    if (facts?.zones === undefined || cluster?.nodeClassStatuses.get(object.name)?.zones !== undefined) continue;
    const zones = listText(facts.zones);
    namesOf.set(zones, [...(namesOf.get(zones) ?? []), object.name]);
  }
  return [...namesOf].map(
    ([zones, names]) =>
      `zones with a subnet: ${zones} (EC2NodeClass ${listText(names)}); Karpenter launches no node in another one`,
  );
}
