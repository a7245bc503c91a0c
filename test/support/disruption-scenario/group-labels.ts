import { Dice } from '../schedule-scenario/dice';
import { Draft, Json, poolTemplate } from '../schedule-scenario/draft';

const PREFIX = 'karpenter.k8s.aws/placement-group-';
const ID = `${PREFIX}id`;
export const PARTITION = `${PREFIX}partition`;
/** EC2's maximum number of partitions in a placement group. */
const MOST_PARTITIONS = 7;

/** The placement group that the pool's class selects. */
export function groupFor(
  { nodeClasses, cluster }: Pick<Draft, 'nodeClasses' | 'cluster'>,
  pool: Json,
): Json | undefined {
  const {
    nodeClassRef: { name },
  } = poolTemplate(pool).spec;
  const selector = nodeClasses.find(({ metadata }) => metadata.name === name)?.spec.placementGroupSelector;
  const groups: Json[] = cluster.flatMap(({ PlacementGroups = [] }) => PlacementGroups);
  return (
    selector &&
    groups.find(({ GroupId, GroupName }) =>
      selector.id === undefined ? GroupName === selector.name : GroupId === selector.id,
    )
  );
}

/**
 * Labels nodes as Karpenter does when it launches into a placement group: with the partition that the pool requires,
 * otherwise the one that EC2 chose. Some nodes are older than the group, and some were launched into another one.
 */
export function groupLabels(dice: Dice, { GroupId, PartitionCount }: Json, pool: Json): Json {
  const age = dice.fraction();
  if (age < 0.08) return {};
  if (age < 0.16)
    return { [ID]: 'pg-0old', ...(dice.chance(0.5) ? { [PARTITION]: String(dice.between(1, MOST_PARTITIONS)) } : {}) };
  if (PartitionCount === undefined) return { [ID]: GroupId };
  const written = (poolTemplate(pool).spec.requirements as Json[]).find(
    ({ key, operator }) => key === PARTITION && operator === 'In',
  );
  const asked: string[] = (written?.values ?? []).filter((value: string) => Number(value) <= PartitionCount);
  return { [ID]: GroupId, [PARTITION]: asked.length > 0 ? dice.pick(asked) : String(dice.between(1, PartitionCount)) };
}

/** Whether a requirement is about something other than the placement group, which instance types do not have. */
export function isOfTypes({ key }: Json): boolean {
  return !key.startsWith(PREFIX);
}
