import { DriftDifference } from './difference';
import { allowedDisruptions } from '../../disruption';
import { Label } from '../../model';
import { driftedNodes, driftOfLaunchedNodes, driftOfPool, NodeDrift } from '../drift';
import { byCodePoint } from '../order';
import { PreparedCluster } from '../scenario';

/**
 * The nodes that drift because of the change. With a cluster, these are its nodes. Without one, these are the nodes
 * planned before the change, and NodePools without planned nodes, which may have nodes in reality.
 */
export function driftDifferences(before: PreparedCluster, after: PreparedCluster): DriftDifference[] {
  const drifts = nodeDrifts(before, after);
  if (after.context.model.cluster) return drifts;
  return [...drifts, ...driftsOfPoolsWithoutNodes(before, after)].sort((left, right) =>
    byCodePoint(left.nodePool, right.nodePool),
  );
}

/** Manifests of NodePools alone plan no nodes, although the cluster has some. */
function driftsOfPoolsWithoutNodes(before: PreparedCluster, after: PreparedCluster): DriftDifference[] {
  const planned = new Set(before.cluster.nodes.map(({ labels }) => labels[Label.NODE_POOL]));
  return before.context.model.nodePools
    .filter(({ object }) => !planned.has(object.name))
    .flatMap(({ object: { name } }) => {
      const drift = driftOfPool(name, poolManifestsOf(before), poolManifestsOf(after));
      return drift ? [{ nodePool: name, ...drift, nodes: [], atATime: null }] : [];
    });
}

function nodeDrifts(before: PreparedCluster, after: PreparedCluster): DriftDifference[] {
  const { model: oldModel } = before.context;
  const { model: newModel } = after.context;
  const driftedBefore = oldModel.cluster ? new Set(driftedNodes(oldModel).map(({ node }) => node)) : new Set<string>();
  const drifts = newModel.cluster
    ? driftedNodes(newModel).filter(({ node }) => !driftedBefore.has(node))
    : driftOfPlan(before, after);
  const { nodes } = newModel.cluster ? after.cluster : before.cluster;
  const pools = new Map(nodes.map(({ name, labels }) => [name, labels[Label.NODE_POOL] ?? '']));
  const groups = new Map<string, NodeDrift[]>();
  for (const drift of drifts) {
    const key = JSON.stringify([pools.get(drift.node) ?? '', drift.reason, drift.fields, drift.certain]);
    groups.set(key, [...(groups.get(key) ?? []), drift]);
  }
  return [...groups]
    .sort(([left], [right]) => byCodePoint(left, right))
    .map(([, sameDrifts]) => {
      const [{ node, reason, fields, certain }] = sameDrifts;
      const nodePool = pools.get(node) ?? '';
      const nodeCount = [...pools.values()].filter((pool) => pool === nodePool).length;
      const driftedNames = sameDrifts.map((drift) => drift.node);
      return {
        nodePool,
        reason,
        fields,
        certain,
        nodes: driftedNames,
        atATime: disruptionsAtATime(nodePool, nodeCount, after),
      };
    });
}

/** For planned nodes only the launch labels and the manifests are known. */
function driftOfPlan(before: PreparedCluster, after: PreparedCluster): NodeDrift[] {
  const planned = before.cluster.nodes.filter(({ claim }) => claim).map(({ name, labels }) => ({ node: name, labels }));
  return driftOfLaunchedNodes(planned, poolManifestsOf(before), poolManifestsOf(after));
}

function poolManifestsOf({
  context: {
    model: { nodePools, nodeClasses },
  },
}: PreparedCluster) {
  return { nodePools, nodeClasses };
}

/** Null if the NodePool or its budgets are unknown, or if a budget has a schedule. */
function disruptionsAtATime(
  nodePool: string,
  nodes: number,
  { cluster: { pools }, start }: PreparedCluster,
): number | null {
  const budgets = pools.get(nodePool)?.budgets;
  if (budgets === undefined || budgets.some(({ schedule }) => schedule !== undefined)) return null;
  const allowed = allowedDisruptions(budgets, nodes, 'Drifted', start);
  return Number.isFinite(allowed) ? Math.min(allowed, nodes) : nodes;
}
