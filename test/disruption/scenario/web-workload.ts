import {
  ClusterNode,
  ClusterPod,
  PodDisruptionBudget,
  runScenario,
  ScenarioName,
  ScenarioReport,
  workloadKey,
} from '../../../src/disruption';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, ClusterMore, clusterOf, machine, NodeMore, NOW, pod } from '../builders';

export const LABELS = { app: 'web' };
export const WEB = workloadKey('default', { kind: 'Deployment', name: 'web' });
export const TIMES = { nodeStart: 60, podStart: 20, podStop: 10 };

export function web(name: string, more: Partial<ClusterPod> = {}, cpu = '1500m'): ClusterPod {
  return pod(name, { cpu }, { ...more, more: { labels: LABELS } });
}

export function budget(more: Partial<PodDisruptionBudget> = {}): PodDisruptionBudget {
  return { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, maxUnavailable: 1, ...more };
}

export function simulated(name: ScenarioName, nodes: readonly ClusterNode[], more: ClusterMore = {}): ScenarioReport[] {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand', 'spot')] })];
  const count = nodes.flatMap(({ pods }) => pods).filter(({ shape }) => shape.labels?.app === 'web').length;
  return runScenario(name, clusterOf(nodes, { pools, replicas: new Map([[WEB, count]]), ...more }), {
    start: NOW,
    times: TIMES,
  });
}

export const webReport = (report: ScenarioReport) => report.workloads.find(({ workload }) => workload === WEB)!;
export const single = (name: string, more: NodeMore = {}) => machine(name, 'm5.large', [web(`web-${name}`)], more);
