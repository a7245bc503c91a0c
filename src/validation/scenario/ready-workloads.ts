import { Cluster, workloadKey } from '../../disruption';
import { ManifestModel } from '../manifest/model';

/** A workload before anything happens. */
export interface ReadyWorkload {
  /** Kind, namespace and name. */
  readonly workload: string;
  /** Pods that are on a node, ready, and not on their way out. */
  readonly ready: number;
}

/** Those of the manifests and of the cluster, in name order; DaemonSets and bare pods aside. */
export function readyWorkloads({ workloads }: ManifestModel, { nodes }: Cluster): ReadyWorkload[] {
  const counts = new Map<string, number>();
  const add = (key: string, ready: number) => counts.set(key, (counts.get(key) ?? 0) + ready);
  for (const { kind, namespace, name } of workloads) {
    if (kind !== 'DaemonSet' && kind !== 'Pod') add(workloadKey(namespace, { kind: kind === 'CronJob' ? 'Job' : kind, name }), 0);
  }
  for (const { namespace, owner, daemon, ready, terminating } of nodes.flatMap(({ pods }) => pods)) {
    if (owner && !daemon && owner.kind !== 'Node') add(workloadKey(namespace, owner), ready === false || terminating ? 0 : 1);
  }
  return [...counts].sort(([left], [right]) => left < right ? -1 : 1).map(([workload, ready]) => ({ workload, ready }));
}
