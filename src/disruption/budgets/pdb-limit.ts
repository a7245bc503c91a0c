import { ClusterPod, PdbTally, PodDisruptionBudget, workloadKey } from '../cluster';
import { isActive } from '../pods';

/** Controllers with a scale subresource, from which Kubernetes reads the wanted replicas. */
const SCALABLE_KINDS = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']);

export type MutablePdbTally = { -readonly [Key in keyof PdbTally]: PdbTally[Key] } & {
  readonly workloads: Map<string, number>;
};

export function emptyTally(): MutablePdbTally {
  return { pods: 0, healthy: 0, withoutScale: 0, workloads: new Map() };
}

/** Adds one pod to the counts, or subtracts it. */
export function tallyPod(pod: ClusterPod, tally: MutablePdbTally, sign: 1 | -1): void {
  const { namespace, owner } = pod;
  tally.pods += sign;
  if (isHealthy(pod)) tally.healthy += sign;
  if (!owner) return;
  if (!SCALABLE_KINDS.has(owner.kind)) {
    tally.withoutScale += sign;
    return;
  }
  addToWorkload(tally.workloads, workloadKey(namespace, owner), sign);
}

export function addTally(sum: MutablePdbTally, { pods, healthy, withoutScale, workloads }: PdbTally): void {
  sum.pods += pods;
  sum.healthy += healthy;
  sum.withoutScale += withoutScale;
  for (const [key, count] of workloads) addToWorkload(sum.workloads, key, count);
}

function addToWorkload(workloads: Map<string, number>, key: string, difference: number): void {
  const count = (workloads.get(key) ?? 0) + difference;
  if (count === 0) workloads.delete(key);
  else workloads.set(key, count);
}

export function isHealthy(pod: ClusterPod): boolean {
  return isActive(pod) && pod.ready !== false;
}

export function equalTallies(left: PdbTally, right: PdbTally): boolean {
  if (left.pods !== right.pods || left.healthy !== right.healthy || left.withoutScale !== right.withoutScale)
    return false;
  if (left.workloads.size !== right.workloads.size) return false;
  for (const [key, count] of left.workloads) if (right.workloads.get(key) !== count) return false;
  return true;
}

/** The status of a PodDisruptionBudget, in the terms of Kubernetes. */
export interface PdbLimit {
  readonly key: string;
  /** Pods that have to stay healthy. */
  readonly desiredHealthy: number;
  readonly currentHealthy: number;
  /** Pods that exist, healthy or not. */
  readonly pods: number;
  /** Replicas wanted by the workloads of these pods, missing pods included. */
  readonly expectedReplicas: number;
  readonly disruptionsAllowed: number;
  /** Whether it allows no eviction because Kubernetes cannot read the scale of a controller. */
  readonly isScaleUnknown: boolean;
  /** Whether its spec never allows an eviction, such as `maxUnavailable: 0`. */
  readonly blocksAllBySpec: boolean;
  /** Whether its unhealthyPodEvictionPolicy is AlwaysAllow. */
  readonly alwaysAllowsUnhealthy: boolean;
}

/**
 * The status that the disruption controller of Kubernetes computes.
 *
 * @param replicas wanted, by `workloadKey`
 * @param evicted healthy pods that have been evicted since they were counted
 * @see https://kubernetes.io/docs/tasks/run-application/configure-pdb/
 */
export function pdbLimit(
  pdb: PodDisruptionBudget,
  tally: PdbTally,
  replicas: ReadonlyMap<string, number>,
  evicted: number,
): PdbLimit {
  const { expected, desiredHealthy } = desired(pdb, tally, replicas);
  const currentHealthy = tally.healthy - evicted;
  return {
    key: `${pdb.namespace}/${pdb.name}`,
    desiredHealthy,
    currentHealthy,
    pods: tally.pods,
    expectedReplicas: expectedReplicas(tally, replicas),
    disruptionsAllowed: expected > 0 ? Math.max(0, currentHealthy - desiredHealthy) : 0,
    isScaleUnknown: !isCount(pdb) && tally.withoutScale > 0,
    blocksAllBySpec: blocksAllBySpec(pdb),
    alwaysAllowsUnhealthy: pdb.unhealthyPodEvictionPolicy === 'AlwaysAllow',
  };
}

export function blocksAllBySpec({ maxUnavailable, minAvailable }: PodDisruptionBudget): boolean {
  return maxUnavailable === 0 || maxUnavailable === '0%' || minAvailable === '100%';
}

/**
 * Percentages refer to the wanted replicas and are rounded up; minAvailable as a count is used as it is. Without a
 * known scale no pod may be evicted.
 */
function desired(
  { minAvailable, maxUnavailable }: PodDisruptionBudget,
  { pods, withoutScale, workloads }: PdbTally,
  replicas: ReadonlyMap<string, number>,
) {
  // Without either field Kubernetes expects no pods at all.
  if (maxUnavailable === undefined && minAvailable === undefined) return { expected: 0, desiredHealthy: 0 };
  if (isCount({ minAvailable, maxUnavailable })) return { expected: pods, desiredHealthy: Number(minAvailable) };
  // Kubernetes fails to sync a PDB that selects pods of a controller without scale. Bare pods add nothing to the
  // expected count.
  if (withoutScale > 0) return { expected: 0, desiredHealthy: pods };
  const expected = expectedReplicas({ workloads }, replicas);
  const share = scaledRoundedUp(maxUnavailable ?? minAvailable!, expected) ?? 0;
  return { expected, desiredHealthy: maxUnavailable === undefined ? share : Math.max(0, expected - share) };
}

/** Whether the PDB states a count of pods, which needs no scale. */
function isCount({
  minAvailable,
  maxUnavailable,
}: Pick<PodDisruptionBudget, 'minAvailable' | 'maxUnavailable'>): boolean {
  return maxUnavailable === undefined && typeof minAvailable === 'number';
}

function expectedReplicas({ workloads }: Pick<PdbTally, 'workloads'>, replicas: ReadonlyMap<string, number>): number {
  let expected = 0;
  for (const [key, count] of workloads) expected += replicas.get(key) ?? count;
  return expected;
}

/** A count, or a percentage of the total rounded up; undefined for any other text. */
export function scaledRoundedUp(value: string | number, total: number): number | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(String(value)) ?? [];
  if (digits === undefined) return undefined;
  return percent === '' ? Number(digits) : Math.ceil((Number(digits) * total) / 100);
}
