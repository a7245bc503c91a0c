import { CAPACITY_BLOCK_NOTICE_SECONDS } from '../../../contract';
import { durationText, Label } from '../../../model';
import { Cluster, ClusterNode } from '../../cluster';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { ClusterConfig } from '../cluster/snapshots';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';

/** Seconds before its end at which EC2 terminates the remaining instances of a capacity block. */
const RECLAIM_SECONDS = 1_800;

/**
 * Each capacity block ends on its own. Karpenter deletes the NodeClaims in it at once, and launches no more instances
 * in it. EC2 terminates the remaining instances ten minutes later.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/controllers/capacityreservation/expiration/controller.go
 */
export function capacityBlockEnds(start: ScenarioStart): ScenarioReport[] {
  const { cluster } = start.baseline;
  const blocks = new Map<string, ClusterNode[]>();
  for (const node of cluster.nodes) {
    const id = node.labels[Label.CAPACITY_RESERVATION_ID];
    if (node.claim && id !== undefined && isCapacityBlock(id, node, cluster))
      blocks.set(id, [...(blocks.get(id) ?? []), node]);
  }
  return [...blocks]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([id, nodes]) => capacityBlockEnd(id, nodes, start));
}

function isCapacityBlock(id: string, { labels }: ClusterNode, { scheduling: { nodeClasses } }: Cluster): boolean {
  if (labels[Label.CAPACITY_RESERVATION_TYPE] === 'capacity-block') return true;
  return [...nodeClasses.values()].some(({ reservations = [] }) =>
    reservations.some((reservation) => reservation.id === id && reservation.type === 'capacity-block'),
  );
}

function capacityBlockEnd(id: string, nodes: readonly ClusterNode[], start: ScenarioStart): ScenarioReport {
  const apply = (cluster: SimulatedCluster) => {
    cluster.recordEvent(`capacity block ${id} ends in ${durationText(CAPACITY_BLOCK_NOTICE_SECONDS)}`);
    cluster.config = withExpiringReservation(cluster.config, id);
    for (const { name, claim } of nodes) {
      cluster.cloudProvider.terminateInstance(name, cluster.after(CAPACITY_BLOCK_NOTICE_SECONDS - RECLAIM_SECONDS));
      cluster.startDraining(name, claim!.terminationGracePeriod);
    }
  };
  return simulateFrom(start, {
    scenario: 'capacity-block',
    subject: `capacity block ${id}`,
    events: [{ at: start.start, apply }],
  });
}

/** Nothing is launched in an expiring reservation. */
export function withExpiringReservation(config: ClusterConfig, id: string): ClusterConfig {
  const nodeClasses = new Map(
    [...config.scheduling.nodeClasses].map(([name, facts]) => {
      const reservations = facts.reservations?.map((reservation) =>
        reservation.id === id ? { ...reservation, expiring: true } : reservation,
      );
      return [name, reservations ? { ...facts, reservations } : facts];
    }),
  );
  return { ...config, scheduling: { ...config.scheduling, nodeClasses } };
}
