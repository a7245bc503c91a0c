import { pack } from '../../kernel';
import { Solved } from '../attempt';
import { daemonGroups } from '../daemon-groups';
import { PodClass } from '../pod-classes';
import { encodeProblem, Workload } from '../problem';

/** A pod of a group, and where in the order of placement it was placed. */
export interface PlacedPod {
  /** Index into the workload's groups. */
  readonly group: number;
  /** Index of its placement. */
  readonly at: number;
}

/** The kernel's state right after a pod was placed, or right after it was refused with its constraints as relaxed. */
export interface Replay extends Solved {
  /** The class that stands for the pod alone. */
  readonly podClass: number;
  /** The claim, or for an existing node -1 less its index; undefined where the pod was refused. */
  readonly where?: number;
  /** Claims that were open before. */
  readonly openClaims: number;
}

/**
 * Solves again with the pods that were placed before this one, in the order in which they were, and then this one alone: nothing
 * that comes later can have had a say.
 *
 * @param variants how many of its variants the pod may try
 * @param comes whether it comes at all, or only what was there before it
 */
export function replay(workload: Workload, solved: Solved, { group, at }: PlacedPod, variants: number, comes: boolean): Replay {
  const own: PodClass = workload.pods.classes[workload.pods.classOf[group]];
  const podClass = workload.pods.classes.length;
  const pods = {
    ...workload.pods,
    classes: [...workload.pods.classes, { ...own, variants: own.variants.slice(0, variants) }],
    classOf: [...workload.pods.classOf, podClass],
  };
  const alone = { ...workload, groups: [...workload.groups, { ...workload.groups[group], count: 1 }], pods };
  const { problem, vocabulary } = encodeProblem(alone);
  const runs = [...runsBefore(workload, solved, at), ...comes ? [podClass, 1, workload.groups.length] : []];
  const solution = pack({ ...problem, runs: Int32Array.from(runs), runCount: runs.length / 3 });
  const { placements } = solution;
  const isPlaced = placements.length > 0 && placements[placements.length - 2] === workload.groups.length;
  const where = isPlaced ? placements[placements.length - 1] : undefined;
  const opened = where !== undefined && where >= 0 && solution.claims[where * 3 + 2] === 1;
  return {
    ...solved,
    pods,
    solution,
    vocabulary,
    groups: daemonGroups(solution, workload.templates.length, workload.daemonSets),
    podClass,
    where,
    openClaims: solution.claimCount - Number(opened),
  };
}

/** Runs of the kernel's queue: class, count, group. Pods of a group that were placed one after the other are one run. */
function runsBefore({ pods: { classOf } }: Workload, { solution: { placements } }: Solved, end: number): number[] {
  const runs: number[] = [];
  for (let at = 0; at < end; at++) {
    const group = placements[at * 2];
    if (runs.length > 0 && runs[runs.length - 1] === group) runs[runs.length - 2]++;
    else runs.push(classOf[group], 1, group);
  }
  return runs;
}
