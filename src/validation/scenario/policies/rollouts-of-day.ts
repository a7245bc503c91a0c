import { KnownWorkload, knownWorkloads, specOf } from './day-workloads';
import { asRecord } from '../../../contract';
import { Rollout } from '../../../disruption';
import { PreparedCluster } from '../prepared-cluster';

const OFFICE_HOURS = { start: 9 * 3_600, end: 17 * 3_600 };

/** Rolls out each Deployment so many times, one after the other, from 09:00 to 17:00 UTC of a whole day. */
export function rolloutsOfDay(
  workloads: readonly KnownWorkload[],
  perDay: number,
  { seconds, isWholeDay }: { readonly seconds: number; readonly isWholeDay: boolean },
): Rollout[] {
  const deployments = workloads.filter(({ kind, replicas }) => kind === 'Deployment' && replicas > 0);
  const { start, end } = isWholeDay ? OFFICE_HOURS : { start: 0, end: seconds };
  const interval = (end - start) / (deployments.length * perDay);
  return Array.from({ length: perDay }, (_, round) =>
    deployments.map(
      (workload, index): Rollout => ({
        key: workload.key,
        pod: workload.pod,
        replicas: workload.replicas,
        second: Math.round(start + (round * deployments.length + index) * interval),
        ...strategyOf(workload),
      }),
    ),
  ).flat();
}

/** The Deployments with pods on nodes, each to be rolled out at once. */
export function rolloutsOf(prepared: PreparedCluster): Rollout[] {
  const { pods } = prepared.baseline;
  return knownWorkloads(prepared)
    .filter(({ kind, key }) => kind === 'Deployment' && (pods.replicas.get(key) ?? 0) > 0)
    .map((workload) => ({
      key: workload.key,
      pod: workload.pod,
      replicas: pods.replicas.get(workload.key)!,
      second: 0,
      ...strategyOf(workload),
    }));
}

/** The defaults are those of the API server. */
export function strategyOf({ object }: Pick<KnownWorkload, 'object'>): Pick<Rollout, 'maxSurge' | 'maxUnavailable'> {
  const strategy = asRecord(specOf(object).strategy) ?? {};
  if (strategy.type === 'Recreate') return {};
  const { maxSurge, maxUnavailable } = asRecord(strategy.rollingUpdate) ?? {};
  return { maxSurge: boundOf(maxSurge), maxUnavailable: boundOf(maxUnavailable) };
}

function boundOf(value: unknown): number | string {
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
  return isCount || (typeof value === 'string' && /^\d{1,9}%?$/.test(value)) ? value : '25%';
}
