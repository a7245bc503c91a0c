import { makerOf } from './pod-facts';
import { asRecord } from '../../contract';
import { workloadKey } from '../../disruption';
import { ClusterPod as ApiPod } from '../cluster/cluster-pod';
import { ManifestModel, ManifestObject } from '../manifest/model';

/**
 * By `workloadKey` how many pods workloads want: as Kubernetes asks them for PodDisruptionBudgets, whether the pods have nodes or not. Those of
 * the cluster alone want what their objects say, or else as many as there are.
 */
export function replicasOf({ workloads, cluster }: ManifestModel): Map<string, number> {
  return new Map([...inCluster(cluster?.objects ?? []), ...workloads.filter(({ kind }) => kind !== 'DaemonSet' && kind !== 'Pod')
    .map(({ kind, namespace, name, replicas }) => [workloadKey(namespace, { kind: kind === 'CronJob' ? 'Job' : kind, name }), replicas] as const)]);
}

function inCluster(objects: readonly ManifestObject[]): Map<string, number> {
  const counts = new Map<string, number>();
  const pods = objects.filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1').map((object) => new ApiPod(object));
  for (const pod of pods) {
    const owner = makerOf(asRecord(pod.object.raw.metadata) ?? {});
    // One of a StatefulSet that ends comes again, in the place of others there are others already.
    if (!owner || owner.kind === 'Node' || owner.kind === 'DaemonSet' || pod.ended || (pod.terminating && owner.kind !== 'StatefulSet')) continue;
    const key = workloadKey(pod.namespace, owner);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const object of objects) {
    const key = workloadKey(object.namespace ?? 'default', object);
    const wanted = asRecord(object.raw.spec)?.replicas;
    if (counts.has(key) && typeof wanted === 'number') counts.set(key, wanted);
  }
  return counts;
}
