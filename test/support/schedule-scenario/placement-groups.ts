import { Dice } from './dice';
import { Feature, Json, podOf, poolTemplate, somePools, someWorkloads } from './draft';
import { inOneOf } from './pools';

const ID = 'karpenter.k8s.aws/placement-group-id';
const PARTITION = 'karpenter.k8s.aws/placement-group-partition';

/** The cluster file with EC2's answer about the placement group. */
export const placementGroups: Feature = {
  name: 'placementGroups',
  apply(draft) {
    const { dice, nodeClasses, cluster } = draft;
    const groups = nodeClasses.map((_, index) => placementGroup(dice, index));
    nodeClasses.forEach(({ spec }, index) => {
      if (index > 0 && dice.chance(0.4)) return;
      spec.placementGroupSelector = dice.chance(0.5)
        ? { id: groups[index].GroupId }
        : { name: groups[index].GroupName };
    });
    cluster.push({ PlacementGroups: groups });
    for (const pool of dice.chance(0.4) ? somePools(draft) : []) {
      poolTemplate(pool).spec.requirements.push(
        dice.pick<Json>([
          inOneOf(PARTITION, '1', '3'),
          inOneOf(PARTITION, '2'),
          { key: PARTITION, operator: 'Exists', minValues: 2 },
          inOneOf(ID, groups[0].GroupId),
        ]),
      );
    }
    for (const workload of dice.chance(0.8) ? someWorkloads(draft) : [])
      askForPartitions(dice, podOf(workload), groups[0].GroupId);
  },
};

function placementGroup(dice: Dice, index: number): Json {
  const strategy = dice.pick(['partition', 'partition', 'partition', 'cluster', 'spread']);
  const partitions = strategy === 'partition' ? { PartitionCount: dice.between(1, 7) } : {};
  return {
    GroupId: `pg-0${index}f`,
    GroupName: `group-${index}`,
    State: 'available',
    Strategy: strategy,
    ...partitions,
  };
}

function askForPartitions(dice: Dice, { metadata, spec }: Json, group: string): void {
  const alike = { labelSelector: { matchLabels: { app: metadata.labels?.app ?? 'none' } } };
  const spread = {
    maxSkew: dice.between(1, 2),
    topologyKey: PARTITION,
    whenUnsatisfiable: dice.pick(['DoNotSchedule', 'DoNotSchedule', 'ScheduleAnyway']),
    ...alike,
  };
  const apart = {
    podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: PARTITION, ...alike }] },
  };
  const inSome = { key: PARTITION, operator: dice.pick(['NotIn', 'In']), values: ['1', '4'] };
  const select = (label: Json) => ({ nodeSelector: { ...spec.nodeSelector, ...label } });
  Object.assign(
    spec,
    dice.pick<Json>([
      { topologySpreadConstraints: [...(spec.topologySpreadConstraints ?? []), spread] },
      { topologySpreadConstraints: [spread] },
      { affinity: apart },
      {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [inSome] }] },
          },
        },
      },
      select({ [PARTITION]: dice.pick(['1', '2', '5']) }),
      select({ [ID]: dice.pick([group, group, 'pg-09f']) }),
    ]),
  );
}
