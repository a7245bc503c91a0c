import { ownerOfPod } from './pod-facts';
import { asRecord } from '../../contract';
import { Cluster, workloadKey } from '../../disruption';
import { SnapshotPod as ApiPod } from '../cluster/cluster-pod';
import { ManifestModel, ManifestObject } from '../manifest/model';

/**
 * The wanted replicas of all workloads, by `workloadKey`. Kubernetes counts them for PodDisruptionBudgets, whether the
 * pods have nodes or not. A workload that is only in the cluster wants the replicas of its object, or else as many as
 * it has pods.
 */
export function replicasByWorkload({ workloads, cluster }: ManifestModel): Map<string, number> {
  return new Map([
    ...replicasInCluster(cluster?.objects ?? []),
    ...workloads
      .filter(({ kind }) => kind !== 'DaemonSet' && kind !== 'Pod')
      .map(
        ({ kind, namespace, name, replicas }) =>
          [workloadKey(namespace, { kind: kind === 'CronJob' ? 'Job' : kind, name }), replicas] as const,
      ),
  ]);
}

function replicasInCluster(objects: readonly ManifestObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  const pods = objects
    .filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1')
    .map((object) => new ApiPod(object));
  for (const pod of pods) {
    const owner = ownerOfPod(asRecord(pod.object.raw.metadata) ?? {});
    // A terminating pod of a StatefulSet is recreated later. Terminating pods of other workloads are replaced already.
    if (
      !owner ||
      owner.kind === 'Node' ||
      owner.kind === 'DaemonSet' ||
      pod.isTerminal ||
      (pod.isTerminating && owner.kind !== 'StatefulSet')
    )
      continue;
    const key = workloadKey(pod.namespace, owner);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const object of objects) {
    const key = workloadKey(object.namespace ?? 'default', object);
    const replicas = object.raw.spec?.replicas;
    if (counts.has(key) && typeof replicas === 'number') counts.set(key, replicas);
  }
  return counts;
}

/** A workload before the scenario starts. */
export interface ReadyWorkload {
  /** Kind, namespace and name. */
  readonly workload: string;
  /** Ready pods on nodes, without terminating pods. */
  readonly ready: number;
}

/** Workloads of the manifests and of the cluster, in name order. DaemonSets and bare pods are not included. */
export function readyWorkloads({ workloads }: ManifestModel, { nodes }: Cluster): ReadyWorkload[] {
  const counts = new Map<string, number>();
  const add = (key: string, ready: number) => counts.set(key, (counts.get(key) ?? 0) + ready);
  for (const { kind, namespace, name } of workloads) {
    if (kind !== 'DaemonSet' && kind !== 'Pod')
      add(workloadKey(namespace, { kind: kind === 'CronJob' ? 'Job' : kind, name }), 0);
  }
  for (const { namespace, owner, daemon, ready, terminating } of nodes.flatMap(({ pods }) => pods)) {
    if (owner && !daemon && owner.kind !== 'Node')
      add(workloadKey(namespace, owner), ready === false || terminating ? 0 : 1);
  }
  return [...counts]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([workload, ready]) => ({ workload, ready }));
}
