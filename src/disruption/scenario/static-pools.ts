import { ClusterNode } from '../cluster';
import { World } from './world';
import { Label } from '../../model';
import { launchedNode, NodePoolSpec, placementsOf, solveInput } from '../../scheduling';

/**
 * Launches what static pools lack since a node of theirs was deleted. One that is still to be disrupted counts as long as nothing has
 * been done about it: its replacement is under way.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/static/provisioning/controller.go
 */
export function refillStaticPools(world: World): void {
  const { scheduling } = world.cluster;
  const lacking = scheduling.nodePools.filter((pool) => pool.replicas !== undefined && staying(world, pool) < pool.replicas);
  if (lacking.length === 0) return;
  const nodes = world.snapshot().nodes.map((node) => world.nodes.get(node.name)!.phase === 'draining' ? { ...node, leaving: true } : node);
  launchLacking(world, lacking, nodes);
}

/** Launches one node more, which is to take another's place. */
export function launchStaticNode(world: World, pool: NodePoolSpec): string[] {
  return launchLacking(world, [another(pool)], []);
}

/** Whether EC2 has anything for it. */
export function canLaunchStaticNode(world: World, pool: NodePoolSpec): boolean {
  return planned(world, [another(pool)], []).length > 0;
}

function another(pool: NodePoolSpec): NodePoolSpec {
  return { ...pool, replicas: 1, limits: new Map() };
}

function launchLacking(world: World, nodePools: readonly NodePoolSpec[], nodes: readonly ClusterNode[]): string[] {
  return planned(world, nodePools, nodes).map(({ nodePool, node, offer }) => world.launch(nodePool, node, offer));
}

function planned(world: World, nodePools: readonly NodePoolSpec[], nodes: readonly ClusterNode[]) {
  const { scheduling, catalog } = world.cluster;
  const solved = solveInput({ ...scheduling, nodePools, nodes, pods: [] }, catalog);
  return placementsOf(solved).nodeClaims.flatMap(({ nodePool, launch, requirements }, at) => {
    const template = solved.workload.templates.find(({ pool }) => pool.name === nodePool);
    if (!launch || !template) return [];
    return [{ nodePool, node: launchedNode(template, launch.cheapest, { requirements }, world.next + at), offer: launch.cheapest }];
  });
}

function staying({ nodes }: World, { name }: NodePoolSpec): number {
  return [...nodes.values()].filter(({ node: { claim, labels }, phase }) => labels[Label.NODE_POOL] === name && claim && phase !== 'draining').length;
}
