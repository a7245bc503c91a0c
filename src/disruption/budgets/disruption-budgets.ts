import { Label } from '../../model';
import { Budget, Cluster, ClusterNode, DisruptionReason, Instant } from '../cluster';
import { ClusterState } from '../session';
import { Candidate, Refusal } from '../types';
import { BudgetWindows, isBudgetActive } from './budget-windows';
import { countsTowardBudgets } from './node-pool-stats';
import { scaledRoundedUp } from './pdb-limit';

/** The budgets of a NodePool that sets none. */
export const DEFAULT_BUDGETS: readonly Budget[] = [{ nodes: '10%' }];

/** How many windows of alternating budgets are followed before they are taken to leave no gap. */
const MAX_WINDOWS = 100;

/**
 * How many nodes may be disrupted at a time: the minimum of the active budgets, infinite without one. A budget that
 * Karpenter cannot parse allows no node for any reason.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/apis/v1/nodepool.go
 */
export function allowedDisruptions(
  budgets: readonly Budget[],
  nodeCount: number,
  reason: DisruptionReason,
  now: Instant,
): number {
  let allowed = Infinity;
  for (const budget of budgets) {
    const active = isBudgetActive(budget, now);
    const nodes = active === false ? Infinity : scaledRoundedUp(budget.nodes, nodeCount);
    if (active === undefined || nodes === undefined) return 0;
    if (budget.reasons === undefined || budget.reasons.includes(reason)) allowed = Math.min(allowed, nodes);
  }
  return allowed;
}

/**
 * When budgets first allow more nodes than `disrupted`; infinite if they never do.
 *
 * @param counts the nodes of the NodePool, and how many of them count as disrupted
 */
export function nextAllowedDisruption(
  budgets: readonly Budget[],
  { nodes, disrupted }: BudgetNodeCounts,
  reason: DisruptionReason,
  now: Instant,
  windows: BudgetWindows,
): Instant {
  let instant = now;
  for (let count = 0; count < MAX_WINDOWS && instant < Infinity; count++) {
    const current = instant;
    const closed = budgets.filter((budget) => allowedDisruptions([budget], nodes, reason, current) <= disrupted);
    if (closed.length === 0) return instant;
    instant = Math.max(...closed.map((budget) => windows.activeUntil(budget, current)));
  }
  return Infinity;
}

/**
 * How many more nodes may be disrupted, by NodePool: nodes that are deleting or not ready use up the budgets.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go
 */
export function remainingDisruptions(
  { session, cluster: { nodes, pools }, now }: Pick<ClusterState, 'session' | 'cluster' | 'now'>,
  reason: DisruptionReason,
): Map<string, number> {
  const stats = session.nodePoolStats.of(nodes);
  return new Map(
    [...pools].map(([name, { budgets }]) => {
      const { nodes: all = 0, deleting = 0, unready = 0 } = stats.get(name) ?? {};
      // Repair is for nodes that are not ready, so they do not use up its budget.
      const disrupted = deleting + (reason === 'Unhealthy' ? 0 : unready);
      return [name, Math.max(0, allowedDisruptions(budgets, all, reason, now) - disrupted)];
    }),
  );
}

export interface BudgetNodeCounts {
  readonly nodes: number;
  readonly disrupted: number;
}

/** Counts the nodes of one NodePool as its budgets do, and lists the disrupted nodes. */
export function budgetNodeCounts(
  { nodes }: Pick<Cluster, 'nodes'>,
  pool: string,
  reason: DisruptionReason,
): BudgetNodeCounts & { readonly disruptedNodes: readonly ClusterNode[] } {
  const poolNodes = nodes.filter((node) => countsTowardBudgets(node) && node.labels[Label.NODE_POOL] === pool);
  const disruptedNodes = poolNodes.filter((node) => isDisrupted(node, reason));
  return { nodes: poolNodes.length, disrupted: disruptedNodes.length, disruptedNodes };
}

/** Repair is for nodes that are not ready, so they do not use up its budget. */
function isDisrupted({ deleting, ready }: ClusterNode, reason: DisruptionReason): boolean {
  return deleting === true || (ready === false && reason !== 'Unhealthy');
}

/**
 * Returns the candidates that the budgets of their NodePools allow, in their order, and refusals for the others.
 */
export function withinBudgets(
  candidates: readonly Candidate[],
  remaining: ReadonlyMap<string, number>,
): { readonly allowed: readonly Candidate[]; readonly refusals: readonly Refusal[] } {
  const left = new Map(remaining);
  const refusals: Refusal[] = [];
  const allowed = candidates.filter(({ nodePool, node }) => {
    const budget = left.get(nodePool) ?? 0;
    if (budget === 0) refusals.push(budgetRefusal(node.name, nodePool));
    else left.set(nodePool, budget - 1);
    return budget > 0;
  });
  return { allowed, refusals };
}

export function budgetRefusal(node: string, nodePool: string): Refusal {
  return {
    nodes: [node],
    why: `the disruption budgets of NodePool "${nodePool}" allow no more at this time`,
    limitedByBudgetsOf: nodePool,
  };
}
