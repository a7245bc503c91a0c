import { SeededRandom } from './seeded-random';
import { ScheduleInput } from '../input/schedule-input';

/** The controllers of Kubernetes create this many pods at once, and then as many in a second. */
const BURST = 30;
const PODS_PER_SECOND = 10;
/** Several workloads get their pods at the same time: a pod is created up to this many pods after its turn. */
const MIXED_PODS = 10;

export interface CreatedPod {
  /** Index of the group in the input. */
  readonly group: number;
  /** The whole second of its creation, as in `creationTimestamp`; -1 if the pod exists from the start. */
  readonly second: number;
}

/**
 * The pods in the order of their creation: workload by workload, in the order of the manifests.
 *
 * @param arrivals per group: the second in which the workload arrives; undefined if all arrive at once
 * @param phases draws when whole seconds begin
 * @see https://kubernetes.io/docs/reference/command-line-tools-reference/kube-controller-manager/ (`--kube-api-qps`)
 */
export function creationOrder(
  { pods }: ScheduleInput,
  arrivals: readonly number[] | undefined,
  random: SeededRandom,
  phases: SeededRandom,
): CreatedPod[] {
  const podsOf = (groups: readonly number[]) =>
    groups.flatMap((group) => new Array<number>(pods[group].count).fill(group));
  const groups = pods.map((_, group) => group);
  const existing = podsOf(groups.filter((group) => pods[group].age !== undefined));
  const created = existing.map((group) => ({ group, second: -1 }));
  for (const time of [...new Set(arrivals ?? [0])].sort((left, right) => left - right)) {
    const arriving = groups.filter((group) => pods[group].age === undefined && (arrivals?.[group] ?? 0) === time);
    // A whole second begins at any moment of the first one.
    const phase = phases.below(PODS_PER_SECOND) / PODS_PER_SECOND;
    inTurns(podsOf(arriving), random).forEach((group, turn) => {
      const wait = Math.max(0, turn - BURST) / PODS_PER_SECOND;
      created.push({ group, second: time + Math.floor(phase + wait) });
    });
  }
  return created;
}

function inTurns(groups: readonly number[], random: SeededRandom): number[] {
  const turns = groups.map((group, index) => ({ group, turn: index === 0 ? 0 : index + random.below(MIXED_PODS) }));
  return turns.sort((left, right) => left.turn - right.turn).map(({ group }) => group);
}
