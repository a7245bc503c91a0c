import { Label } from '../../../model';
import { launchedNode, NodePoolSpec, plannedPlacements, solveInput } from '../../../scheduling';
import { ClusterNode } from '../../cluster';
import { SimulatedCluster } from '../cluster/simulated-cluster';

/**
 * Launches the nodes that static NodePools lack. A node that a command chose counts until it drains, because its
 * replacement is launched separately.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/provisioning/controller.go
 */
export class StaticPoolController {
  public constructor(private readonly cluster: SimulatedCluster) {}

  public reconcile(): void {
    const { cluster } = this;
    const lacking = cluster.config.scheduling.nodePools.filter(
      (pool) => pool.replicas !== undefined && nodesOf(cluster, pool) < pool.replicas,
    );
    if (lacking.length === 0) return;
    const nodes = cluster
      .snapshot()
      .nodes.map((node) =>
        cluster.nodes.get(node.name)!.phase === 'draining' ? { ...node, markedForDeletion: true } : node,
      );
    launchNodes(cluster, lacking, nodes);
  }
}

/** Launches one replacement node; returns its name, or nothing if EC2 has no capacity. */
export function launchStaticReplacement(cluster: SimulatedCluster, pool: NodePoolSpec): string[] {
  return launchNodes(cluster, [forOneNode(pool)], []);
}

export function canLaunchStaticReplacement(cluster: SimulatedCluster, pool: NodePoolSpec): boolean {
  return planNodes(cluster, [forOneNode(pool)], []).length > 0;
}

function forOneNode(pool: NodePoolSpec): NodePoolSpec {
  return { ...pool, replicas: 1, limits: new Map() };
}

function launchNodes(
  cluster: SimulatedCluster,
  nodePools: readonly NodePoolSpec[],
  nodes: readonly ClusterNode[],
): string[] {
  return planNodes(cluster, nodePools, nodes).map(({ nodePool, node, offer }) =>
    cluster.cloudProvider.launch(nodePool, node, offer),
  );
}

function planNodes(
  { config, cloudProvider }: SimulatedCluster,
  nodePools: readonly NodePoolSpec[],
  nodes: readonly ClusterNode[],
) {
  const solved = solveInput({ ...config.scheduling, nodePools, nodes, pods: [] }, config.catalog);
  return plannedPlacements(solved).nodeClaims.flatMap(({ nodePool, launch, requirements }, index) => {
    const template = solved.workload.templates.find(({ pool }) => pool.name === nodePool);
    if (!launch || !template) return [];
    const node = launchedNode(template, launch.cheapest, { requirements }, cloudProvider.nextOrdinal + index);
    return [{ nodePool, node, offer: launch.cheapest }];
  });
}

function nodesOf({ nodes }: SimulatedCluster, { name }: NodePoolSpec): number {
  return [...nodes.values()].filter(
    ({ node: { claim, labels }, phase }) => labels[Label.NODE_POOL] === name && claim && phase !== 'draining',
  ).length;
}
