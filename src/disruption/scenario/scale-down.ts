import { Label } from '../../model';
import { Cluster, ClusterNode, Instant } from '../cluster';
import { disruptionCost } from '../costs';
import { isProtected } from '../pod-eviction';
import { drain } from './drain-node';
import { run } from './run';
import { ScenarioReport } from './scenario-report';
import { base, Stage } from './stage';
import { World } from './world';

/**
 * Static pools that have more nodes than their replicas give up the others at once: disruption budgets are not asked.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/deprovisioning/controller.go
 */
export function scaleDowns(stage: Stage): ScenarioReport[] {
  return stage.cluster.scheduling.nodePools.flatMap(({ name, replicas }) => {
    const goes = replicas === undefined ? [] : surplus(stage.cluster, name, replicas, stage.start);
    if (goes.length === 0) return [];
    const happen = (world: World) => {
      world.tell(`NodePool ${name} goes down to ${replicas} replicas`);
      for (const node of goes) drain(world, node.name, node.claim!.terminationGracePeriod);
    };
    return [run({ ...base('scale-down', stage, [{ at: stage.start, happen }]), subject: `NodePool ${name}` })];
  });
}

/** Nodes with DaemonSets alone first, then by what it costs to move their pods; those with a protected pod last. */
function surplus({ nodes }: Cluster, pool: string, replicas: number, now: Instant): ClusterNode[] {
  const own = nodes.filter(({ labels, claim, deleting }) => labels[Label.NODE_POOL] === pool && claim && !deleting);
  const rank = (node: ClusterNode) => isIdle(node, now) ? 0 : hasProtected(node, now) ? 2 : 1;
  const cost = (node: ClusterNode) => isIdle(node, now) ? 0 : disruptionCost(node, now);
  return [...own].sort((left, right) => rank(left) - rank(right) || cost(left) - cost(right) || (left.name < right.name ? -1 : 1))
    .slice(0, Math.max(0, own.length - replicas));
}

function isIdle(node: ClusterNode, now: Instant): boolean {
  return node.pods.every(({ daemon }) => daemon) && !hasProtected(node, now);
}

function hasProtected({ pods }: ClusterNode, now: Instant): boolean {
  return pods.some((pod) => isProtected(pod, now));
}
