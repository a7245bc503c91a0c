import { CAPACITY_BLOCK_NOTICE_SECONDS } from '../../contract';
import { Label } from '../../model';
import { Cluster, ClusterNode } from '../cluster';
import { drain } from './drain-node';
import { run } from './run';
import { ScenarioReport } from './scenario-report';
import { base, Stage } from './stage';
import { World } from './world';

/** Before its end EC2 begins to take back what still runs in a capacity block. */
const RECLAIM_SECONDS = 1_800;

/**
 * Each capacity block comes to its end: Karpenter deletes the NodeClaims in it at once, launches nothing into it any more, and EC2 takes
 * ten minutes later what is left.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/controllers/capacityreservation/expiration/controller.go
 */
export function capacityBlockEnds(stage: Stage): ScenarioReport[] {
  const blocks = new Map<string, ClusterNode[]>();
  for (const node of stage.cluster.nodes) {
    const id = node.labels[Label.CAPACITY_RESERVATION_ID];
    if (node.claim && id !== undefined && isBlock(id, node, stage.cluster)) blocks.set(id, [...blocks.get(id) ?? [], node]);
  }
  return [...blocks].sort(([left], [right]) => left < right ? -1 : 1).map(([id, nodes]) => endOf(id, nodes, stage));
}

function isBlock(id: string, { labels }: ClusterNode, { scheduling: { nodeClasses } }: Cluster): boolean {
  if (labels[Label.CAPACITY_RESERVATION_TYPE] === 'capacity-block') return true;
  return [...nodeClasses.values()].some(({ reservations = [] }) => reservations.some((each) => each.id === id && each.type === 'capacity-block'));
}

function endOf(id: string, nodes: readonly ClusterNode[], stage: Stage): ScenarioReport {
  const happen = (world: World) => {
    world.tell(`capacity block ${id} ends in ${CAPACITY_BLOCK_NOTICE_SECONDS / 60} minutes`);
    world.cluster = withoutReservation(world.cluster, id);
    for (const { name, claim } of nodes) {
      world.takeAway(name, world.after(CAPACITY_BLOCK_NOTICE_SECONDS - RECLAIM_SECONDS));
      drain(world, name, claim!.terminationGracePeriod);
    }
  };
  return run({ ...base('capacity-block', stage, [{ at: stage.start, happen }]), subject: `capacity block ${id}` });
}

/** Nothing is launched into it. */
function withoutReservation(cluster: Cluster, id: string): Cluster {
  const { nodeClasses } = cluster.scheduling;
  const scheduling = {
    ...cluster.scheduling,
    nodeClasses: new Map([...nodeClasses].map(([name, facts]) => {
      const reservations = facts.reservations?.map((each) => each.id === id ? { ...each, expiring: true } : each);
      return [name, reservations ? { ...facts, reservations } : facts];
    })),
  };
  return { ...cluster, scheduling };
}
