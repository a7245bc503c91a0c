import { Interruption, interruptionOfKind, UNAVAILABLE_SECONDS } from '../../../contract';
import { Label } from '../../../model';
import { ClusterNode } from '../../cluster';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';

/** Milliseconds between EC2's notice and the termination of a spot instance. */
const SPOT_NOTICE = 120_000;

/**
 * EC2 interrupts each spot node on its own, then all nodes of each instance type and zone together, if there are
 * several.
 */
export function spotInterruptions(start: ScenarioStart): ScenarioReport[] {
  const spotNodes = start.baseline.cluster.nodes.filter(({ labels }) => labels[Label.CAPACITY_TYPE] === 'spot');
  const pools = new Map<string, ClusterNode[]>();
  for (const node of spotNodes) {
    const pool = `${node.labels[Label.INSTANCE_TYPE]} in ${node.labels[Label.ZONE]}`;
    pools.set(pool, [...(pools.get(pool) ?? []), node]);
  }
  return [
    ...spotNodes.map((node) => spotInterruption(`node ${node.name}`, [node], start)),
    ...[...pools].filter(([, nodes]) => nodes.length > 1).map(([pool, nodes]) => spotInterruption(pool, nodes, start)),
  ];
}

function spotInterruption(subject: string, nodes: readonly ClusterNode[], start: ScenarioStart): ScenarioReport {
  const apply = (cluster: SimulatedCluster) => {
    for (const node of nodes) {
      cluster.recordEvent(`EC2 will take ${node.name} in two minutes`);
      cluster.cloudProvider.terminateInstance(node.name, cluster.now + SPOT_NOTICE);
      handleInterruption(cluster, node, interruptionOfKind('spot_interrupted'));
    }
  };
  return simulateFrom(start, { scenario: 'spot-interruption', subject, events: [{ at: start.start, apply }] });
}

/** Karpenter's reaction to an interruption. Nodes that it does not manage are taken to be drained by other software. */
function handleInterruption(
  cluster: SimulatedCluster,
  { name, claim, labels }: ClusterNode,
  { action, unavailableOffering: unavailable }: Interruption,
): void {
  if (action === 'NoAction') return;
  const { [Label.INSTANCE_TYPE]: instanceType, [Label.ZONE]: zone, [Label.NODE_POOL]: pool } = labels;
  if (unavailable === 'spot-offering' && pool !== undefined && instanceType !== undefined && zone !== undefined) {
    cluster.cloudProvider.markUnavailable({ instanceType, zone, capacityType: 'spot' }, UNAVAILABLE_SECONDS);
  }
  cluster.startDraining(name, action === 'ForcefulTermination' ? 0 : claim?.terminationGracePeriod);
}
