/** `web-3` is a pod of `web`. A bare Pod may be named like this as well: it then counts with its like, which only a report does. */
const ORDINAL = /-\d{1,9}$/;

/** `3 × default/web, default/cron-job-0`: pods by their workload, in order of appearance; without `exact` also a single one. */
export function summarisePods(pods: readonly string[], exact = true): string {
  const byWorkload = new Map<string, string[]>();
  for (const pod of pods) {
    const workload = pod.replace(ORDINAL, '');
    const known = byWorkload.get(workload);
    if (known) known.push(pod); else byWorkload.set(workload, [pod]);
  }
  return [...byWorkload].map(([workload, members]) => exact && members.length === 1 ? members[0] : `${members.length} × ${workload}`).join(', ');
}
