import { ReadyWorkload } from './ready-workloads';
import { Catalog } from '../../catalog';
import { Cluster, ClusterSize, costOf, ScenarioReport, workloadKey } from '../../disruption';
import { PlannedNodeClaim, planOfRounds, PodGroup, provisioningRounds, ScheduleInput, SchedulePlan } from '../../scheduling';
import { Autoscalers } from '../manifest/autoscalers';
import { ManifestModel, WorkloadManifest } from '../manifest/model';
import { firstOrdinal } from '../manifest/ordinals';

interface Peak {
  readonly model: ManifestModel;
  readonly input: ScheduleInput;
  readonly catalog: Catalog;
  readonly plan: SchedulePlan;
  readonly cluster: Cluster;
  readonly workloads: readonly ReadyWorkload[];
}

/** What every HorizontalPodAutoscaler at its most comes to. */
export function peakReport({ model, input, catalog, plan, cluster, workloads }: Peak): ScenarioReport {
  const autoscalers = new Autoscalers([...model.cluster?.objects ?? [], ...model.objects]);
  const grown = model.workloads.flatMap((workload) => {
    const { kind, namespace, name, running = 0 } = workload;
    const most = autoscalers.rangeOf(kind, namespace, name)?.most;
    const replicas = Math.max(workload.replicas, running);
    if (!workload.shape || workload.replicas === 0 || most === undefined || most <= replicas) return [];
    return [{ key: workloadKey(namespace, workload), replicas, most, more: grownBy(workload, replicas, most) }];
  });
  const ofBuffers = ({ buffer }: PodGroup) => buffer !== undefined;
  const pods = [...input.pods.filter((each) => !ofBuffers(each)), ...grown.map(({ more }) => more), ...input.pods.filter(ofBuffers)];
  const peak = planOfRounds(provisioningRounds({ ...input, pods }, catalog));
  const ready = new Map(workloads.map((each) => [each.workload, each.ready]));
  const planned = new Set(plan.nodeClaims.map(({ id }) => id));
  const others = cluster.nodes.filter(({ name }) => !planned.has(name));
  const there = { nodes: others.length, usdPerHour: costOf(others, cluster) };
  return {
    scenario: 'peak',
    timeline: grown.map(({ key, replicas, most }) => ({ second: 0, what: `${key} goes from ${replicas} to ${most} replicas` })),
    workloads: grown.map(({ key, most }) => ({ workload: key, replicas: most, lowestReady: ready.get(key) ?? 0, evictions: 0 })),
    pending: peak.unschedulable.map(({ pod }) => pod),
    unplaced: [],
    lost: [],
    stuck: peak.unschedulable.map(({ pod, reasons }) => ({
      what: `pod ${pod}`,
      why: reasons.map(({ message }) => message).join('; '),
      remedy: `${reasons.every(({ ofConstraints }) => ofConstraints) ? 'let a NodePool give what the pod requires' : 'raise the limits of the NodePool'}, or lower maxReplicas`,
    })),
    drains: [],
    before: sizeOf(plan.nodeClaims, there),
    after: sizeOf(peak.nodeClaims, there),
    seconds: 0,
    unfinished: false,
  };
}

/** Its further pods, which are younger than all that it has. */
function grownBy({ object, kind, namespace, name, shape }: WorkloadManifest, replicas: number, most: number): PodGroup {
  const first = replicas + (kind === 'StatefulSet' ? firstOrdinal(object) : 0);
  return { namespace, name, count: most - replicas, shape: shape!, firstOrdinal: first };
}

/** With the planned nodes. */
function sizeOf(claims: readonly PlannedNodeClaim[], there: ClusterSize): ClusterSize {
  const launched = claims.flatMap(({ launch }) => launch ?? []);
  return { nodes: there.nodes + launched.length, usdPerHour: launched.reduce((sum, { cheapest }) => sum + cheapest.usdPerHour, there.usdPerHour) };
}
