import { allowedDisruptions } from '../../disruption';
import { Label } from '../../model';
import { driftedNodes, driftOfLaunched, driftOfPool, NodeDrift } from '../drift';
import { byCodePoint } from '../order';
import { Staged } from '../scenario';
import { DriftDifference } from './difference';

/** Nodes that drift by the change: those that the cluster has, and without one those that the plan before has, and whatever others there may be. */
export function driftDifferences(before: Staged, after: Staged): DriftDifference[] {
  return after.scene.model.cluster ? ofNodes(before, after) : [...ofNodes(before, after), ...ofPoolsWithoutNodes(before, after)].sort((left, right) =>
    byCodePoint(left.nodePool, right.nodePool));
}

/** Who keeps NodePools by themselves has no pods beside them, and nodes all the same. */
function ofPoolsWithoutNodes(before: Staged, after: Staged): DriftDifference[] {
  const planned = new Set(before.cluster.nodes.map(({ labels }) => labels[Label.NODE_POOL]));
  return before.scene.model.nodePools.filter(({ object }) => !planned.has(object.name)).flatMap(({ object: { name } }) => {
    const drift = driftOfPool(name, writtenIn(before), writtenIn(after));
    return drift ? [{ nodePool: name, ...drift, nodes: [], atATime: null }] : [];
  });
}

function ofNodes(before: Staged, after: Staged): DriftDifference[] {
  const already = before.scene.model.cluster ? new Set(driftedNodes(before.scene.model).map(({ node }) => node)) : new Set<string>();
  const drifts = after.scene.model.cluster ? driftedNodes(after.scene.model).filter(({ node }) => !already.has(node)) : driftOfPlan(before, after);
  const { nodes } = after.scene.model.cluster ? after.cluster : before.cluster;
  const pools = new Map(nodes.map(({ name, labels }) => [name, labels[Label.NODE_POOL] ?? '']));
  const groups = new Map<string, NodeDrift[]>();
  for (const drift of drifts) {
    const key = JSON.stringify([pools.get(drift.node) ?? '', drift.reason, drift.fields, drift.certain]);
    groups.set(key, [...groups.get(key) ?? [], drift]);
  }
  return [...groups].sort(([left], [right]) => byCodePoint(left, right)).map(([, alike]) => {
    const [{ node, reason, fields, certain }] = alike;
    const nodePool = pools.get(node) ?? '';
    const own = [...pools.values()].filter((pool) => pool === nodePool).length;
    return { nodePool, reason, fields, certain, nodes: alike.map((drift) => drift.node), atATime: atATime(nodePool, own, after) };
  });
}

/** Of planned nodes nothing is known but what they are launched as, and by which manifests. */
function driftOfPlan(before: Staged, after: Staged): NodeDrift[] {
  const planned = before.cluster.nodes.filter(({ claim }) => claim).map(({ name, labels }) => ({ node: name, labels }));
  return driftOfLaunched(planned, writtenIn(before), writtenIn(after));
}

function writtenIn({ scene: { model: { nodePools, nodeClasses } } }: Staged) {
  return { nodePools, nodeClasses };
}

function atATime(nodePool: string, nodes: number, { cluster: { pools }, start }: Staged): number | null {
  const budgets = pools.get(nodePool)?.budgets;
  if (budgets === undefined || budgets.some(({ schedule }) => schedule !== undefined)) return null;
  const allowed = allowedDisruptions(budgets, nodes, 'Drifted', start);
  return Number.isFinite(allowed) ? Math.min(allowed, nodes) : nodes;
}
