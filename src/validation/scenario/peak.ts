import { grownWorkloads } from './grown-workloads';
import { ReadyWorkload } from './ready-workloads';
import { Catalog } from '../../catalog';
import { Cluster, ClusterSize, costOf, ScenarioReport } from '../../disruption';
import { PlannedNodeClaim, planOfRounds, PodGroup, provisioningRounds, ScheduleInput, SchedulePlan } from '../../scheduling';
import { ManifestModel } from '../manifest/model';

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
  const grown = grownWorkloads(model, cluster);
  const ofBuffers = ({ buffer }: PodGroup) => buffer !== undefined;
  const pods = [...input.pods.filter((each) => !ofBuffers(each)), ...grown.map(({ more }) => more), ...input.pods.filter(ofBuffers)];
  const peak = planOfRounds(provisioningRounds({ ...input, pods }, catalog));
  const ready = new Map(workloads.map((each) => [each.workload, each.ready]));
  const planned = new Set(plan.nodeClaims.map(({ id }) => id));
  const others = cluster.nodes.filter(({ name }) => !planned.has(name));
  const there = { nodes: others.length, usdPerHour: costOf(others, cluster) };
  return {
    scenario: 'peak',
    timeline: grown.length === 0 ? [{ second: 0, what: 'no autoscaler lets a workload have more pods' }]
      : grown.map(({ key, replicas, most }) => ({ second: 0, what: `${key} goes from ${replicas} to ${most} replicas` })),
    course: [],
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

/** With the planned nodes. */
function sizeOf(claims: readonly PlannedNodeClaim[], there: ClusterSize): ClusterSize {
  const launched = claims.flatMap(({ launch }) => launch ?? []);
  return { nodes: there.nodes + launched.length, usdPerHour: launched.reduce((sum, { cheapest }) => sum + cheapest.usdPerHour, there.usdPerHour) };
}
