import { DISRUPTED_TAINT } from '../../../contract';
import { Label } from '../../../model';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { ClusterConfig } from '../cluster/snapshots';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';
import { podLossEvents, UNREACHABLE_SECONDS, UNREACHABLE_TAINT } from './unreachable-nodes';

/** Each zone fails on its own. */
export function zoneOutages(start: ScenarioStart): ScenarioReport[] {
  const zones = [...new Set(start.baseline.cluster.nodes.flatMap(({ labels }) => labels[Label.ZONE] ?? []))].sort();
  return zones.map((zone) => zoneOutage(zone, start));
}

/**
 * No node of the zone responds: its pods are not ready any more, and are recreated when Kubernetes marks them as lost.
 */
function zoneOutage(zone: string, start: ScenarioStart): ScenarioReport {
  const nodes = start.baseline.cluster.nodes.filter(({ labels }) => labels[Label.ZONE] === zone);
  const failZone = (cluster: SimulatedCluster) => {
    cluster.recordEvent(`zone ${zone} fails`);
    cluster.config = withoutZone(cluster.config, zone);
    cluster.failedZone = zone;
    for (const { name } of nodes) markUnreachable(cluster, name);
  };
  const removeNodes = (cluster: SimulatedCluster) => {
    for (const { name } of nodes) if (cluster.nodes.has(name)) cluster.removeNode(name, 'is lost');
  };
  const events = [
    { at: start.start, apply: failZone },
    ...podLossEvents(nodes, start.start, UNREACHABLE_SECONDS),
    { at: start.start + UNREACHABLE_SECONDS * 1_000, apply: removeNodes },
  ];
  return simulateFrom(start, { scenario: 'zone-outage', subject: zone, events });
}

function markUnreachable(cluster: SimulatedCluster, name: string): void {
  const state = cluster.nodes.get(name)!;
  state.node = { ...state.node, ready: false, taints: [...state.node.taints, UNREACHABLE_TAINT, DISRUPTED_TAINT] };
  if (state.phase !== 'draining') state.phase = 'markedForDeletion';
  state.unreachable = true;
  cluster.pods.markUnreachable(name);
}

/**
 * Nothing can be launched in the zone. Topology spread still counts it, because its subnets still exist. A node class
 * without zones has those of the catalog.
 */
function withoutZone(config: ClusterConfig, zone: string): ClusterConfig {
  const { nodeClasses, nodePools } = config.scheduling;
  const zonesOf = (name: string) => nodeClasses.get(name)?.zones ?? config.catalog.zones;
  const remainingZones = (name: string) => zonesOf(name).filter((candidate) => candidate !== zone);
  const scheduling = {
    ...config.scheduling,
    nodeClasses: new Map([...nodeClasses].map(([name, facts]) => [name, { ...facts, zones: remainingZones(name) }])),
    nodePools: nodePools.map((pool) => {
      const allZones = { key: Label.ZONE, operator: 'In', values: zonesOf(pool.nodeClass) } as const;
      return { ...pool, requirements: [...pool.requirements, allZones] };
    }),
  };
  return { ...config, scheduling };
}
