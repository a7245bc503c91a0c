import { changesBetween } from '../scheduling';
import { ClusterNode, ClusterPod, PodBudget } from './cluster';
import { BudgetTally, NOTHING, PdbSelection } from './pdb-selection';

/**
 * Sums of what budgets select, over the nodes of a cluster: from one moment to the next few nodes have other pods, and only these are
 * gone over.
 */
class BudgetTotals {
  private nodes: readonly ClusterNode[] = [];
  private readonly sums: BudgetTally[];

  public constructor(private readonly selection: PdbSelection, budgets: number) {
    this.sums = Array.from({ length: budgets }, () => NOTHING);
  }

  public of(nodes: readonly ClusterNode[]): readonly BudgetTally[] {
    for (const { was, is } of nodes === this.nodes ? [] : changesBetween(this.nodes, nodes)) {
      if (was?.pods === is?.pods) continue;
      if (was) this.add(was.pods, -1);
      if (is) this.add(is.pods, 1);
    }
    this.nodes = nodes;
    return [...this.sums];
  }

  private add(pods: readonly ClusterPod[], sign: 1 | -1): void {
    for (const [at, tally] of this.selection.among(pods)) this.sums[at] = sumOf(this.sums[at], tally, sign);
  }
}

function sumOf(sum: BudgetTally, { pods, healthy, withoutScale, workloads }: BudgetTally, sign: 1 | -1): BudgetTally {
  const counts = new Map(sum.workloads);
  for (const [key, count] of workloads) {
    const left = (counts.get(key) ?? 0) + sign * count;
    if (left === 0) counts.delete(key);
    else counts.set(key, left);
  }
  return {
    pods: sum.pods + sign * pods, healthy: sum.healthy + sign * healthy, withoutScale: sum.withoutScale + sign * withoutScale, workloads: counts,
  };
}

/** Per budget what it selects in the cluster: the same object as long as that stays. */
export function budgetTotals(pdbs: readonly PodBudget[], nodes: readonly ClusterNode[], selection: PdbSelection): readonly BudgetTally[] {
  const totals = TOTALS.get(pdbs) ?? new BudgetTotals(selection, pdbs.length);
  TOTALS.set(pdbs, totals);
  return totals.of(nodes);
}

const TOTALS = new WeakMap<readonly PodBudget[], BudgetTotals>();
