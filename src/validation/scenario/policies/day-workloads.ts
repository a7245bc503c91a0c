import { asRecord } from '../../../contract';
import { ClusterPod, DayWorkload, workloadKey } from '../../../disruption';
import { Autoscalers } from '../../manifest';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../manifest/model';
import { ReplicaRange } from '../../manifest/workload/autoscalers';
import { priorityClasses, workloadPodFacts } from '../pod-facts';
import { PreparedCluster } from '../prepared-cluster';

/** A workload of the manifests, or one that only the cluster has. */
export interface KnownWorkload extends DayWorkload {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly replicas: number;
  /** Absent if only its pods are known. */
  readonly object?: ManifestObject;
  readonly range?: ReplicaRange;
}

/** The workloads whose pods may come and go. Pods that are not evaluated are left out, as everywhere. */
export function knownWorkloads({ context, cluster }: PreparedCluster): KnownWorkload[] {
  const { model } = context;
  const objects = [...(model.cluster?.objects ?? []), ...model.objects];
  const autoscalers = new Autoscalers(objects);
  const priorities = priorityClasses(objects);
  const inManifests = model.workloads.flatMap((workload) => ofManifest(workload, autoscalers, priorities) ?? []);
  const names = new Set(model.workloads.map(({ kind, namespace, name }) => keyOf(namespace, kind, name)));
  return [
    ...inManifests,
    ...onlyInCluster(
      cluster.nodes.flatMap(({ pods }) => pods),
      names,
      model,
      autoscalers,
    ),
  ];
}

function ofManifest(
  workload: WorkloadManifest,
  autoscalers: Autoscalers,
  priorities: ReadonlyMap<string, number>,
): KnownWorkload | undefined {
  const { object, kind, namespace, name, shape, replicas } = workload;
  if (!shape || kind === 'DaemonSet' || kind === 'Pod') return undefined;
  if (shape.notEvaluated.length > 0 || shape.ignored !== undefined) return undefined;
  const pod: ClusterPod = { namespace, name, shape, daemon: false, ...workloadPodFacts(workload, priorities) };
  const range = autoscalers.writtenRangeOf(kind, namespace, name);
  return {
    key: keyOf(namespace, kind, name),
    kind,
    namespace,
    name,
    replicas,
    object,
    pod,
    ...(range ? { range } : {}),
  };
}

/** New pods of a workload without a manifest are like a running one. */
function onlyInCluster(
  pods: readonly ClusterPod[],
  names: ReadonlySet<string>,
  { cluster }: ManifestModel,
  autoscalers: Autoscalers,
): KnownWorkload[] {
  const running = new Map<string, { readonly pod: ClusterPod; count: number }>();
  for (const pod of pods) {
    if (!pod.owner || pod.daemon || pod.ended || pod.terminating || pod.owner.kind === 'Node') continue;
    const key = workloadKey(pod.namespace, pod.owner);
    if (names.has(key)) continue;
    const known = running.get(key);
    if (known) known.count++;
    else running.set(key, { pod, count: 1 });
  }
  const objects = new Map(
    (cluster?.objects ?? []).map((object) => [keyOf(object.namespace ?? 'default', object.kind, object.name), object]),
  );
  return [...running].map(([key, { pod, count }]): KnownWorkload => {
    const { kind, name } = pod.owner!;
    const object = objects.get(key);
    const range = autoscalers.writtenRangeOf(kind, pod.namespace, name);
    const facts = { key, kind, namespace: pod.namespace, name, replicas: count };
    return { ...facts, pod, ...(object ? { object } : {}), ...(range ? { range } : {}) };
  });
}

/** The pods of a CronJob belong to Jobs. */
export function keyOf(namespace: string, kind: string, name: string): string {
  return workloadKey(namespace, { kind: kind === 'CronJob' ? 'Job' : kind, name });
}

export function specOf(object: ManifestObject | undefined): Readonly<Record<string, unknown>> {
  return asRecord(object?.raw.spec) ?? {};
}
