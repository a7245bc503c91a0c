import { removeField, unsafeFix } from '../../../contract';
import { countText, Label, listText } from '../../../model';
import { Pool, PoolLaunch, poolsOf } from '../common/pool';
import { defineRule } from '../define-rule';
import { subjectsWith } from '../subjects';

/**
 * Zones differ in their instance types. Which types a zone has is known exactly only with its id.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/instance-discovery.html
 */
export const zoneWithoutTypes = defineRule({
  id: 'KARP-217',
  name: 'zone-without-types',
  severity: 'warning',
  summary:
    'A NodePool names a zone that offers none of its instance types: no node is launched there, and a spread over zones cannot use it.',
  subjects: subjectsWith<ZoneRequirement>(
    ({ pool }) => pool.object,
    (context) => poolsOf(context).flatMap(zoneRequirements),
    {
      // A pool without any type has a finding of its own.
      where: ({ pool: { launch } }) => launch?.view.instanceTypes.length !== 0,
      unknown: ({ pool: { launch, why } }) => (launch === undefined ? why : undefined),
    },
  ),
  judge({ pool: { launch }, index, zones }) {
    const { view } = launch!;
    const empty = zones.filter((zone) => hasNoType(launch!, zone));
    if (empty.length === 0) return undefined;
    const types =
      view.instanceTypes.length === 1
        ? `no instance type ${view.instanceTypes[0]}`
        : `none of its ${countText(view.instanceTypes.length, 'instance type')}`;
    const path = ['spec', 'template', 'spec', 'requirements', index, 'values'];
    return {
      path: [...path, zones.indexOf(empty[0])],
      message:
        `${listText(empty)} ${empty.length === 1 ? 'offers' : 'offer'} ${types}: ` +
        `Karpenter launches no node there, and pods that must spread over zones have only ${listText([...view.zones].sort())}`,
      remedy:
        `remove ${listText(empty)}, or allow instance types that ${empty.length === 1 ? 'it offers' : 'they offer'}: ` +
        `karpenter-constructs instance-types --zones ${empty[0]}=… lists them`,
      evidence: { zones: empty, zonesWithTypes: [...view.zones].sort() },
      fix:
        empty.length === zones.length
          ? undefined
          : unsafeFix(...empty.map((zone) => removeField([...path, zones.indexOf(zone)]))),
    };
  },
});

/** A requirement that names zones. */
interface ZoneRequirement {
  readonly pool: Pool;
  readonly index: number;
  readonly zones: readonly string[];
}

/** A pool with unknown instance types is not evaluated once, however many requirements it has. */
function zoneRequirements(pool: Pool): ZoneRequirement[] {
  const all = (pool.spec?.requirements ?? []).flatMap(({ key, operator, values = [] }, index) =>
    key === Label.ZONE && operator === 'In' ? [{ pool, index, zones: values }] : [],
  );
  return pool.launch === undefined ? all.slice(0, 1) : all;
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
