/** `web-3` is a pod of `web`. A bare Pod may be named like this as well: it then counts with its like, which only a report does. */
const ORDINAL = /-\d{1,9}$/;

/** Of more workloads these are named. */
const MOST_WORKLOADS = 20;

/** `3 × default/web, default/cron-job-0`: pods by their workload, in order of appearance; without `exact` also a single one. */
export function summarisePods(pods: readonly string[], exact = true): string {
  const workloads = [...byWorkload(pods)];
  const named = workloads.length > MOST_WORKLOADS + 1 ? workloads.slice(0, MOST_WORKLOADS) : workloads;
  const text = named.map(([workload, members]) => exact && members.length === 1 ? members[0] : `${members.length} × ${workload}`).join(', ');
  const left = workloads.slice(named.length);
  if (left.length === 0) return text;
  return `${text} and ${left.reduce((sum, [, { length }]) => sum + length, 0)} pods of ${left.length} workloads more: --format json lists them all`;
}

/** Equal for pods that are as many of the same workloads. */
export function workloadsKey(pods: readonly string[]): string {
  return JSON.stringify([...byWorkload(pods)].map(([workload, members]) => [workload, members.length]));
}

function byWorkload(pods: readonly string[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pod of pods) {
    const workload = pod.replace(ORDINAL, '');
    const known = found.get(workload);
    if (known) known.push(pod); else found.set(workload, [pod]);
  }
  return found;
}
