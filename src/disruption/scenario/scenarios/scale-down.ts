import { Label } from '../../../model';
import { disruptionCost } from '../../candidates/costs';
import { Cluster, ClusterNode, Instant } from '../../cluster';
import { isProtected } from '../../pods';
import { SimulatedCluster } from '../cluster/simulated-cluster';
import { ScenarioReport } from '../report/scenario-report';
import { ScenarioStart, simulateFrom } from '../scenario-start';

/**
 * Karpenter deletes the surplus nodes of each static NodePool at once, whatever disruption budgets allow.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/deprovisioning/controller.go
 */
export function scaleDowns(start: ScenarioStart): ScenarioReport[] {
  const {
    cluster: { scheduling },
  } = start.baseline;
  return scheduling.nodePools.flatMap(({ name, replicas }) => {
    const surplus = replicas === undefined ? [] : surplusNodes(start.baseline.cluster, name, replicas, start.start);
    if (surplus.length === 0) return [];
    const apply = (cluster: SimulatedCluster) => {
      cluster.recordEvent(`NodePool ${name} goes down to ${replicas} replicas`);
      for (const node of surplus) cluster.startDraining(node.name, node.claim!.terminationGracePeriod);
    };
    return [
      simulateFrom(start, {
        scenario: 'scale-down',
        subject: `NodePool ${name}`,
        events: [{ at: start.start, apply }],
      }),
    ];
  });
}

/**
 * Nodes with only DaemonSet pods come first, then nodes in order of disruption cost, and nodes with a protected pod
 * last.
 */
function surplusNodes({ nodes }: Cluster, pool: string, replicas: number, now: Instant): ClusterNode[] {
  const poolNodes = nodes.filter(
    ({ labels, claim, deleting }) => labels[Label.NODE_POOL] === pool && claim && !deleting,
  );
  const rank = (node: ClusterNode) => (isIdle(node, now) ? 0 : hasProtectedPod(node, now) ? 2 : 1);
  const cost = (node: ClusterNode) => (isIdle(node, now) ? 0 : disruptionCost(node, now));
  return [...poolNodes]
    .sort((left, right) => rank(left) - rank(right) || cost(left) - cost(right) || (left.name < right.name ? -1 : 1))
    .slice(0, Math.max(0, poolNodes.length - replicas));
}

function isIdle(node: ClusterNode, now: Instant): boolean {
  return node.pods.every(({ daemon }) => daemon) && !hasProtectedPod(node, now);
}

function hasProtectedPod({ pods }: ClusterNode, now: Instant): boolean {
  return pods.some((pod) => isProtected(pod, now));
}
