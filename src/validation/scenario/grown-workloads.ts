import { Cluster, ClusterPod, workloadKey } from '../../disruption';
import { PodGroup } from '../../scheduling';
import { Autoscalers } from '../manifest/autoscalers';
import { ManifestModel, WorkloadManifest } from '../manifest/model';
import { firstOrdinal } from '../manifest/ordinals';

/** A workload that an autoscaler may give more pods than it has. */
export interface GrownWorkload {
  /** Kind, namespace and name. */
  readonly key: string;
  readonly replicas: number;
  readonly most: number;
  /** Its further pods, which are younger than all that it has. */
  readonly more: PodGroup;
}

/** Those of the manifests, and after them those of the cluster alone, whose further pods are as those that it has. */
export function grownWorkloads(model: ManifestModel, cluster: Cluster): GrownWorkload[] {
  const autoscalers = new Autoscalers([...model.cluster?.objects ?? [], ...model.objects]);
  const written = model.workloads.flatMap((workload) => grown(workload, autoscalers) ?? []);
  const names = new Set(model.workloads.map(({ kind, namespace, name }) => workloadKey(namespace, { kind, name })));
  const pods = new Map<string, ClusterPod[]>();
  for (const pod of cluster.nodes.flatMap((node) => node.pods)) {
    const key = pod.owner && !pod.daemon && !pod.ended ? workloadKey(pod.namespace, pod.owner) : undefined;
    if (key === undefined || names.has(key)) continue;
    const own = pods.get(key);
    if (own) own.push(pod);
    else pods.set(key, [pod]);
  }
  const running = [...pods].sort(([left], [right]) => left < right ? -1 : 1);
  return [...written, ...running.flatMap(([key, own]) => grownInCluster(key, own, cluster, autoscalers) ?? [])];
}

function grown(workload: WorkloadManifest, autoscalers: Autoscalers): GrownWorkload | undefined {
  const { object, kind, namespace, name, shape, running = 0 } = workload;
  const most = autoscalers.rangeOf(kind, namespace, name)?.most;
  const replicas = Math.max(workload.replicas, running);
  if (!shape || workload.replicas === 0 || most === undefined || most <= replicas) return undefined;
  const first = replicas + (kind === 'StatefulSet' ? firstOrdinal(object) : 0);
  return { key: workloadKey(namespace, workload), replicas, most, more: { namespace, name, count: most - replicas, shape, firstOrdinal: first } };
}

function grownInCluster(key: string, [pod, ...others]: readonly ClusterPod[], cluster: Cluster, autoscalers: Autoscalers): GrownWorkload | undefined {
  const { namespace, owner, shape } = pod;
  const most = autoscalers.rangeOf(owner!.kind, namespace, owner!.name)?.most;
  const replicas = cluster.replicas?.get(key) ?? others.length + 1;
  if (most === undefined || most <= replicas) return undefined;
  // The volumes of a further pod of a StatefulSet are yet to be made.
  const more = owner!.kind === 'StatefulSet' ? { ...shape, volumeTopology: undefined, mountedClaims: undefined } : shape;
  return { key, replicas, most, more: { namespace, name: owner!.name, count: most - replicas, shape: more, firstOrdinal: replicas } };
}
