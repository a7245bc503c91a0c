import { ReadyWorkload } from './workload-replicas';
import { Catalog } from '../../catalog';
import { Cluster, ClusterPod, ClusterSize, costOf, ScenarioReport, workloadKey } from '../../disruption';
import {
  PlannedNodeClaim,
  planOfPasses,
  PodGroup,
  provisioningPasses,
  ScheduleInput,
  SchedulePlan,
} from '../../scheduling';
import { Autoscalers } from '../manifest';
import { ManifestModel, WorkloadManifest } from '../manifest/model';
import { firstOrdinal } from '../manifest/workload/ordinals';

interface PeakInput {
  readonly model: ManifestModel;
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
  readonly plan: SchedulePlan;
  readonly cluster: Cluster;
  readonly workloads: readonly ReadyWorkload[];
}

/** Schedules all pods again, with every autoscaler at its maximum. No time passes. */
export function peakReport({ model, input, catalog, plan, cluster, workloads }: PeakInput): ScenarioReport {
  const scaled = scaledWorkloads(model, cluster);
  const isOfBuffer = ({ buffer }: PodGroup) => buffer !== undefined;
  const pods = [
    ...input.pods.filter((group) => !isOfBuffer(group)),
    ...scaled.map(({ morePods }) => morePods),
    ...input.pods.filter(isOfBuffer),
  ];
  const peak = planOfPasses(provisioningPasses({ ...input, pods }, catalog));
  const ready = new Map(workloads.map((workload) => [workload.workload, workload.ready]));
  const planned = new Set(plan.nodeClaims.map(({ id }) => id));
  const existingNodes = cluster.nodes.filter(({ name }) => !planned.has(name));
  const existing = { nodes: existingNodes.length, usdPerHour: costOf(existingNodes, cluster) };
  return {
    scenario: 'peak',
    timeline:
      scaled.length === 0
        ? [{ second: 0, what: 'no autoscaler allows more pods than a workload has' }]
        : scaled.map(({ key, replicas, maxReplicas }) => ({
            second: 0,
            what: `${key} scales from ${replicas} to ${maxReplicas} replicas`,
          })),
    timeSeries: [],
    workloads: scaled.map(({ key, maxReplicas }) => ({
      workload: key,
      replicas: maxReplicas,
      lowestReady: ready.get(key) ?? 0,
      evictions: 0,
    })),
    pending: peak.unschedulable.map(({ pod }) => pod),
    unplaced: [],
    lost: [],
    stuck: peak.unschedulable.map(({ pod, reasons }) => ({
      what: `pod ${pod}`,
      why: reasons.map(({ message }) => message).join('; '),
      remedy: `${reasons.every(({ independentOfSize }) => independentOfSize) ? 'add what the pod requires to a NodePool' : 'raise the limits of the NodePool'}, or lower maxReplicas`,
    })),
    drains: [],
    before: sizeOf(plan.nodeClaims, existing),
    after: sizeOf(peak.nodeClaims, existing),
    seconds: 0,
    unfinished: false,
  };
}

/** More pods than this, in thousandths of CPUs and of bytes, rarely find room on nodes that are there. */
const LITTLE_CPU = 1000n;
const LITTLE_MEMORY = 2000n * 1024n ** 3n;

/**
 * Whether Karpenter launches nodes while the autoscalers of the manifests scale: a plan with all of them at their
 * maximum has more nodes, or the additional pods are more than what fits beside others.
 */
export function autoscalersNeedNodes({
  model,
  input,
  catalog,
  plan,
}: Pick<PeakInput, 'model' | 'input' | 'catalog' | 'plan'>): boolean {
  const autoscalers = new Autoscalers([...(model.cluster?.objects ?? []), ...model.objects]);
  const scaled = model.workloads.flatMap((workload) => scaledManifest(workload, autoscalers) ?? []);
  if (scaled.length === 0) return false;
  const total = (resource: string) =>
    scaled.reduce(
      (sum, { morePods: { count, shape } }) => sum + BigInt(count) * (shape.requests.get(resource) ?? 0n),
      0n,
    );
  if (total('cpu') > LITTLE_CPU || total('memory') > LITTLE_MEMORY) return true;
  const pods = [...input.pods, ...scaled.map(({ morePods }) => morePods)];
  return planOfPasses(provisioningPasses({ ...input, pods }, catalog)).nodeClaims.length > plan.nodeClaims.length;
}

/** The existing nodes together with the planned ones. */
function sizeOf(claims: readonly PlannedNodeClaim[], existing: ClusterSize): ClusterSize {
  const launched = claims.flatMap(({ launch }) => launch ?? []);
  const usdPerHour = launched.reduce((sum, { cheapest }) => sum + cheapest.usdPerHour, existing.usdPerHour);
  return { nodes: existing.nodes + launched.length, usdPerHour };
}

/** A workload whose autoscaler allows more pods than it has. */
interface ScaledWorkload {
  /** Kind, namespace and name. */
  readonly key: string;
  readonly replicas: number;
  readonly maxReplicas: number;
  /** The additional pods. They are younger than the pods that the workload has. */
  readonly morePods: PodGroup;
}

/**
 * Workloads of the manifests, then workloads that are only in the cluster. Additional pods of the latter are like their
 * running pods.
 */
function scaledWorkloads(model: ManifestModel, cluster: Cluster): ScaledWorkload[] {
  const autoscalers = new Autoscalers([...(model.cluster?.objects ?? []), ...model.objects]);
  const ofManifests = model.workloads.flatMap((workload) => scaledManifest(workload, autoscalers) ?? []);
  const names = new Set(model.workloads.map(({ kind, namespace, name }) => workloadKey(namespace, { kind, name })));
  const pods = new Map<string, ClusterPod[]>();
  for (const pod of cluster.nodes.flatMap((node) => node.pods)) {
    const key = pod.owner && !pod.daemon && !pod.ended ? workloadKey(pod.namespace, pod.owner) : undefined;
    if (key === undefined || names.has(key)) continue;
    const own = pods.get(key);
    if (own) own.push(pod);
    else pods.set(key, [pod]);
  }
  const running = [...pods].sort(([left], [right]) => (left < right ? -1 : 1));
  return [...ofManifests, ...running.flatMap(([key, own]) => scaledInCluster(key, own, cluster, autoscalers) ?? [])];
}

function scaledManifest(workload: WorkloadManifest, autoscalers: Autoscalers): ScaledWorkload | undefined {
  const { object, kind, namespace, name, shape, running = 0 } = workload;
  const maxReplicas = autoscalers.rangeOf(kind, namespace, name)?.max;
  // KEDA also scales a workload that has no pods.
  const isScaledFromZero = autoscalers.isScaledFromZero(kind, namespace, name);
  const replicas = Math.max(workload.replicas, running);
  if (!shape || (workload.replicas === 0 && !isScaledFromZero) || maxReplicas === undefined || maxReplicas <= replicas)
    return undefined;
  const first = replicas + (kind === 'StatefulSet' ? firstOrdinal(object) : 0);
  const morePods = { namespace, name, count: maxReplicas - replicas, shape, firstOrdinal: first };
  return { key: workloadKey(namespace, workload), replicas, maxReplicas, morePods };
}

function scaledInCluster(
  key: string,
  [pod, ...otherPods]: readonly ClusterPod[],
  cluster: Cluster,
  autoscalers: Autoscalers,
): ScaledWorkload | undefined {
  const { namespace, owner, shape } = pod;
  const maxReplicas = autoscalers.rangeOf(owner!.kind, namespace, owner!.name)?.max;
  const replicas = cluster.replicas?.get(key) ?? otherPods.length + 1;
  if (maxReplicas === undefined || maxReplicas <= replicas) return undefined;
  // The volumes of an additional StatefulSet pod do not exist yet.
  const shapeOfMore =
    owner!.kind === 'StatefulSet' ? { ...shape, volumeTopology: undefined, mountedClaims: undefined } : shape;
  const morePods = {
    namespace,
    name: owner!.name,
    count: maxReplicas - replicas,
    shape: shapeOfMore,
    firstOrdinal: replicas,
  };
  return { key, replicas, maxReplicas, morePods };
}
