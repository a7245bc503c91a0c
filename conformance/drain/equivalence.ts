import { TerminatedPod, DrainAnswer } from './answer';

/** Tolerance in seconds, because both sides count in milliseconds. */
const TOLERANCE = 0.002;

/**
 * A sentence about the first difference; undefined if there is none. The order of the pods of one workload does not
 * matter.
 */
export function firstDifference(expected: DrainAnswer, actual: DrainAnswer): string | undefined {
  const [wanted, given] = [expected, actual].map(({ asked }) => byWorkload(asked));
  for (const workload of new Set([...wanted.keys(), ...given.keys()])) {
    const [theirs, ours] = [wanted.get(workload) ?? [], given.get(workload) ?? []];
    if (theirs.length !== ours.length)
      return `${ours.length} pods of ${workload} terminate instead of ${theirs.length}`;
    for (const [index, pod] of theirs.entries()) {
      if (!isNear(pod.at, ours[index].at))
        return `a pod of ${workload} starts to terminate ${after(ours[index].at)} instead of ${after(pod.at)}`;
      if (!isNear(pod.gone, ours[index].gone))
        return `a pod of ${workload} is deleted ${after(ours[index].gone)} instead of ${after(pod.gone)}`;
    }
  }
  const nodes = Object.keys({ ...expected.drained, ...actual.drained });
  const node = nodes.find((name) => !isNear(expected.drained[name], actual.drained[name]));
  return node && `${node} is drained ${after(actual.drained[node])} instead of ${after(expected.drained[node])}`;
}

function after(seconds: number | undefined): string {
  return seconds === undefined ? 'never' : `after ${seconds} s`;
}

function isNear(wanted: number | undefined, given: number | undefined): boolean {
  if (wanted === undefined || given === undefined) return wanted === given;
  return Math.abs(wanted - given) <= TOLERANCE;
}

/** The pods of each workload, sorted by their times. */
function byWorkload(asked: readonly TerminatedPod[]): Map<string, TerminatedPod[]> {
  const pods = new Map<string, TerminatedPod[]>();
  for (const pod of asked) {
    const workload = pod.pod.replace(/-\d+$/, '');
    pods.set(workload, [...(pods.get(workload) ?? []), pod]);
  }
  for (const ofWorkload of pods.values())
    ofWorkload.sort((left, right) => left.at - right.at || (left.gone ?? Infinity) - (right.gone ?? Infinity));
  return pods;
}
