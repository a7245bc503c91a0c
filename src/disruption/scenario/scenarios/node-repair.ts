import { DEFAULT_REPAIR } from '../../../contract';
import { ClusterNode } from '../../cluster';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';
import { podLossEvents, UNREACHABLE_TAINT } from './unreachable-nodes';

/**
 * The kubelet of each node stops responding on its own, while the instance runs. Kubernetes recreates the pods
 * elsewhere. The node stays until Karpenter repairs it, which needs a feature gate.
 */
export function nodeRepairs(start: ScenarioStart): ScenarioReport[] {
  return start.baseline.cluster.nodes
    .filter(({ claim, deleting }) => claim && !deleting)
    .map((node) => nodeRepair(node, start));
}

function nodeRepair(node: ClusterNode, start: ScenarioStart): ScenarioReport {
  const { name } = node;
  const isRepaired = start.baseline.cluster.settings?.nodeRepair === true;
  const events = [
    { at: start.start, apply: (cluster: SimulatedCluster) => failNode(cluster, name) },
    ...podLossEvents([node], start.start),
  ];
  const report = simulateFrom(start, {
    scenario: 'node-repair',
    subject: `node ${name}`,
    events,
    methods: isRepaired ? ['Repair'] : undefined,
  });
  if (isRepaired) return report;
  const stuck = {
    what: `node ${name}`,
    why: 'it is not ready, and the feature gate NodeRepair is off',
    remedy: 'set settings.featureGates.nodeRepair: true',
  };
  return { ...report, stuck: [...report.stuck, stuck] };
}

function failNode(cluster: SimulatedCluster, name: string): void {
  const state = cluster.nodes.get(name)!;
  cluster.recordEvent(`${name} is no longer heard of`);
  const taints = [...state.node.taints, UNREACHABLE_TAINT];
  state.node = { ...state.node, ready: false, faults: [{ since: cluster.now, ...DEFAULT_REPAIR }], taints };
  state.unreachable = true;
  cluster.pods.markUnreachable(name);
  cluster.decisionVersion++;
}
