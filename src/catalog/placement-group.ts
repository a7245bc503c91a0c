import { Label } from '../model';
import { codeColumn, setColumn } from './columns';
import { LabelColumn, OfferingPlane } from './instance-type-table';
import { PlacementGroupFacts } from './node-class-facts';

const WITHOUT_CLUSTER: ReadonlySet<string> = new Set(['c1', 'm1', 'm2', 'm3', 't1', 't2', 't3', 't3a', 't4g', 'vt1']);

/**
 * Whether EC2 launches the type into placement groups with the strategy `cluster`. According to its documentation, EC2
 * does not do so for older generations, burstable types, flexible types and VT1. The other strategies accept any type.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/placement-strategies.html
 */
export function supportsClusterPlacementGroups(instanceType: string): boolean {
  const [family] = instanceType.split('.');
  return !WITHOUT_CLUSTER.has(family) && !family.endsWith('-flex');
}

/** The labels that the placement group adds to each type. */
export function placementGroupColumns({ id, partitions }: PlacementGroupFacts, size: number): LabelColumn[] {
  const none = new Int16Array(size).fill(-1);
  const sets = setColumn(size, () => 2 ** partitions - 1);
  return [
    { key: Label.PLACEMENT_GROUP_ID, values: [id], codes: codeColumn(size, () => 0) },
    ...(partitions === 0
      ? []
      : [{ key: Label.PLACEMENT_GROUP_PARTITION, values: numbers(partitions), codes: none, sets }]),
  ];
}

/**
 * Repeats each offering for every partition.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instancetype/offering/placement_group_resolver.go
 */
export function offeringsPerPartition(
  planes: readonly OfferingPlane[],
  group: PlacementGroupFacts | undefined,
): readonly OfferingPlane[] {
  if (group === undefined || group.partitions === 0) return planes;
  return planes.flatMap((plane) => numbers(group.partitions).map((partition) => ({ ...plane, partition })));
}

function numbers(partitions: number): string[] {
  return Array.from({ length: partitions }, (_, at) => String(at + 1));
}
