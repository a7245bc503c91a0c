import { LIST_ALL } from './wording';
import { countText, moreText, numberText } from '../../model';

/**
 * `web-3` is a pod of `web`. A bare Pod may have such a name, too; then it is counted with the pods of `web`, in
 * reports only.
 */
const ORDINAL = /-\d{1,9}$/;

/** The most workloads that are named. */
const MAX_WORKLOADS = 20;

/**
 * Pods by workload, in order of appearance: `3 × default/web, default/job-0`.
 *
 * @param exact whether a single pod is named instead of counted
 */
export function summarisePods(pods: readonly string[], exact = true): string {
  const workloads = [...byWorkload(pods)];
  const named = workloads.length > MAX_WORKLOADS + 1 ? workloads.slice(0, MAX_WORKLOADS) : workloads;
  const text = named
    .map(([workload, members]) =>
      exact && members.length === 1 ? members[0] : `${numberText(members.length)} × ${workload}`,
    )
    .join(', ');
  const left = workloads.slice(named.length);
  if (left.length === 0) return text;
  return `${text} and ${countText(
    left.reduce((sum, [, { length }]) => sum + length, 0),
    'pod',
  )} of ${moreText(left.length, 'workload')}${LIST_ALL}`;
}

/** Equal for two lists that have the same number of pods of the same workloads. */
export function workloadsKey(pods: readonly string[]): string {
  return JSON.stringify([...byWorkload(pods)].map(([workload, members]) => [workload, members.length]));
}

function byWorkload(pods: readonly string[]): Map<string, string[]> {
  const workloads = new Map<string, string[]>();
  for (const pod of pods) {
    const workload = pod.replace(ORDINAL, '');
    const members = workloads.get(workload);
    if (members) members.push(pod);
    else workloads.set(workload, [pod]);
  }
  return workloads;
}
