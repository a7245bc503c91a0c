import { Candidate } from './candidates';
import { Refusal } from './command';

/** The candidates that the budgets of their NodePools allow together, in their order, and the others. */
export function withinBudgets(candidates: readonly Candidate[], remaining: ReadonlyMap<string, number>) {
  const left = new Map(remaining);
  const held: Refusal[] = [];
  const allowed = candidates.filter(({ nodePool, node }) => {
    const budget = left.get(nodePool) ?? 0;
    if (budget === 0) held.push(heldByBudget(node.name, nodePool));
    else left.set(nodePool, budget - 1);
    return budget > 0;
  });
  return { allowed, held };
}

export function heldByBudget(node: string, nodePool: string): Refusal {
  return { nodes: [node], why: `the disruption budgets of NodePool "${nodePool}" allow no more at this time`, heldIn: nodePool };
}
