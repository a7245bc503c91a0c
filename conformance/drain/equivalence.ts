import { AskedPod, DrainAnswer } from './answer';

/** Seconds: both count in milliseconds. */
const NOTHING = 0.002;

/** The first that differs, in a sentence; undefined where nothing does. Which of the pods of a workload is first does not matter. */
export function difference(expected: DrainAnswer, actual: DrainAnswer): string | undefined {
  const [wanted, given] = [expected, actual].map(({ asked }) => byWorkload(asked));
  for (const workload of new Set([...wanted.keys(), ...given.keys()])) {
    const [theirs, own] = [wanted.get(workload) ?? [], given.get(workload) ?? []];
    if (theirs.length !== own.length) return `${own.length} pods of ${workload} are told to end instead of ${theirs.length}`;
    for (const [at, pod] of theirs.entries()) {
      if (!isNear(pod.at, own[at].at)) return `a pod of ${workload} is told to end ${after(own[at].at)} instead of ${after(pod.at)}`;
      if (!isNear(pod.gone, own[at].gone)) return `a pod of ${workload} is gone ${after(own[at].gone)} instead of ${after(pod.gone)}`;
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
  return Math.abs(wanted - given) <= NOTHING;
}

/** In the order of their times. */
function byWorkload(asked: readonly AskedPod[]): Map<string, AskedPod[]> {
  const found = new Map<string, AskedPod[]>();
  for (const each of asked) {
    const workload = each.pod.replace(/-\d+$/, '');
    found.set(workload, [...found.get(workload) ?? [], each]);
  }
  for (const all of found.values()) all.sort((left, right) => left.at - right.at || (left.gone ?? Infinity) - (right.gone ?? Infinity));
  return found;
}
