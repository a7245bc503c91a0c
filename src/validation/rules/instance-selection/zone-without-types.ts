import { countText, Label, listText } from '../../../model';
import { Pool, PoolLaunch, poolsOf } from '../common/pool';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

/**
 * Zones differ in their instance types. Which types a zone has is known exactly only with its id.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-discovery.html
 */
export const zoneWithoutTypes: Rule = {
  id: 'KARP-217',
  name: 'zone-without-types',
  severity: 'warning',
  summary:
    'A NodePool names a zone that offers none of its instance types: no node is launched there, and a spread over zones cannot use it.',
  check(context: RuleContext): Outcome[] {
    return poolsOf(context).flatMap((pool) => checkPool(pool));
  },
};

function checkPool({ object, spec, launch, why }: Pool): Outcome[] {
  const namesZones = spec?.requirements.some(({ key, operator }) => key === Label.ZONE && operator === 'In');
  if (spec === undefined || !namesZones) return [];
  if (launch === undefined) return [notEvaluated(object, why)];
  const { view } = launch;
  // A pool without any type has a finding of its own.
  if (view.instanceTypes.length === 0) return [];
  return spec.requirements.flatMap(({ key, operator, values = [] }, index): Outcome[] => {
    if (key !== Label.ZONE || operator !== 'In') return [];
    const empty = values.filter((zone) => hasNoType(launch, zone));
    if (empty.length === 0) return [pass(object)];
    const types =
      view.instanceTypes.length === 1
        ? `instance type ${view.instanceTypes[0]}`
        : `of its ${countText(view.instanceTypes.length, 'instance type')}`;
    return [
      fail({
        object,
        path: ['spec', 'template', 'spec', 'requirements', index, 'values', values.indexOf(empty[0])],
        message:
          `${listText(empty)} ${empty.length === 1 ? 'offers' : 'offer'} ${view.instanceTypes.length === 1 ? `no ${types}` : `none ${types}`}: ` +
          `Karpenter launches no node there, and pods that must spread over zones have only ${listText([...view.zones].sort())}`,
        remedy:
          `remove ${listText(empty)}, or allow instance types that ${empty.length === 1 ? 'it offers' : 'they offer'}: ` +
          `karpenter-constructs instance-types --zones ${empty[0]}=… lists them`,
        evidence: { zones: empty, zonesWithTypes: [...view.zones].sort() },
      }),
    ];
  });
}

/** Whether the zone is one of the cluster, and none of the pool's instance types is sold there. */
function hasNoType({ table, indices, view }: PoolLaunch, zone: string): boolean {
  const planes = table.offerings.filter(
    (plane) => plane.zone === zone && view.capacityTypes.includes(plane.capacityType),
  );
  return (
    planes.length > 0 && planes.every(({ usdPerHour }) => indices.every((index) => Number.isNaN(usdPerHour[index])))
  );
}
