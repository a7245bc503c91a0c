import { pack } from '../../../kernel';
import { PodClass } from '../../encoding/pod-classes';
import { encodeProblem, Workload } from '../../encoding/problem';
import { daemonOverheadGroups } from '../../nodes/daemon-overhead';
import { SolvedWorkload } from '../../refusals/attempt';

/** A placed pod. */
export interface PlacedPod {
  /** Index into the workload's groups. */
  readonly group: number;
  /** Index in the order of placement. */
  readonly index: number;
}

/** The kernel's state immediately after it placed a pod, or refused one of its variants. */
export interface Replay extends SolvedWorkload {
  /** The pod class of this pod only. */
  readonly podClass: number;
  /** The number of the claim, or -1 minus the index of the existing node; undefined if the pod was refused. */
  readonly target?: number;
  /** Number of open claims before the pod. */
  readonly openClaims: number;
}

/**
 * Solves again with the pods that were placed before this one, in the same order, and then this pod. Later pods cannot
 * have affected its placement.
 *
 * @param variants number of the pod's variants that may be tried
 * @param includesPod false to stop before the pod
 */
export function replay(
  workload: Workload,
  solved: SolvedWorkload,
  { group, index }: PlacedPod,
  variants: number,
  includesPod: boolean,
): Replay {
  const own: PodClass = workload.pods.classes[workload.pods.classOf[group]];
  const podClass = workload.pods.classes.length;
  const pods = {
    ...workload.pods,
    classes: [...workload.pods.classes, { ...own, variants: own.variants.slice(0, variants) }],
    classOf: [...workload.pods.classOf, podClass],
  };
  const single = { ...workload, groups: [...workload.groups, { ...workload.groups[group], count: 1 }], pods };
  const { problem, vocabulary } = encodeProblem(single);
  const runs = [...runsBefore(workload, solved, index), ...(includesPod ? [podClass, 1, workload.groups.length] : [])];
  const solution = pack({ ...problem, runs: Int32Array.from(runs), runCount: runs.length / 3 });
  const { placements } = solution;
  const isPlaced = placements.length > 0 && placements[placements.length - 2] === workload.groups.length;
  const target = isPlaced ? placements[placements.length - 1] : undefined;
  const opened = target !== undefined && target >= 0 && solution.claims[target * 3 + 2] === 1;
  return {
    ...solved,
    pods,
    solution,
    vocabulary,
    groups: daemonOverheadGroups(solution, workload.templates.length, workload.daemonSets),
    podClass,
    target,
    openClaims: solution.claimCount - Number(opened),
  };
}

/** Runs of the kernel's queue as triples of class, count and group. Consecutive pods of one group are one run. */
function runsBefore(
  { pods: { classOf } }: Workload,
  { solution: { placements } }: SolvedWorkload,
  end: number,
): number[] {
  const runs: number[] = [];
  for (let index = 0; index < end; index++) {
    const group = placements[index * 2];
    if (runs.length > 0 && runs[runs.length - 1] === group) runs[runs.length - 2]++;
    else runs.push(classOf[group], 1, group);
  }
  return runs;
}
