import { oncePer } from '../model';
import { changesBetween } from '../scheduling';
import { ClusterNode, ClusterPod, PodBudget } from './cluster';
import { BudgetTally, NOTHING, PdbSelection, sameTallies } from './pdb-selection';

/**
 * Sums of what budgets select, over the nodes of a cluster: from one moment to the next few nodes have other pods, and only these are
 * gone over.
 */
class BudgetTotals {
  private nodes: readonly ClusterNode[] = [];
  private sums: readonly BudgetTally[];

  public constructor(private readonly selection: PdbSelection, budgets: number) {
    this.sums = Array.from({ length: budgets }, () => NOTHING);
  }

  public of(nodes: readonly ClusterNode[]): readonly BudgetTally[] {
    const changes = nodes === this.nodes ? [] : changesBetween(this.nodes, nodes).filter(({ was, is }) => was?.pods !== is?.pods);
    if (changes.length > 0) {
      const sums = [...this.sums];
      for (const { was, is } of changes) this.change(was?.pods, is?.pods, sums);
      this.sums = sums;
    }
    this.nodes = nodes;
    return this.sums;
  }

  /** What most budgets select of a node stays. */
  private change(was: readonly ClusterPod[] = NO_PODS, is: readonly ClusterPod[] = NO_PODS, sums: BudgetTally[]): void {
    const [before, after] = [this.selection.among(was), this.selection.among(is)];
    before.forEach((tally, at) => { if (!sameTallies(tally, after.get(at))) sums[at] = sumOf(sums[at], tally, -1); });
    after.forEach((tally, at) => { if (!sameTallies(tally, before.get(at))) sums[at] = sumOf(sums[at], tally, 1); });
  }
}

const NO_PODS: readonly ClusterPod[] = [];

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
  const told = toldTotals(pdbs, nodes);
  if (told) return told;
  const known = TOTALS.get(pdbs);
  if (known) return known.of(nodes);
  const totals = new BudgetTotals(selection, pdbs.length);
  TOTALS.set(pdbs, totals);
  return totals.of(nodes);
}

const TOTALS = new WeakMap<readonly PodBudget[], BudgetTotals>();

/** Somebody has kept count of what the budgets select on these nodes. */
export function tellTotals(pdbs: readonly PodBudget[], nodes: readonly ClusterNode[], totals: readonly BudgetTally[]): void {
  const told = lastTold(pdbs);
  told.nodes = nodes;
  told.totals = totals;
}

/** What somebody has told last, where it was of these nodes. */
export function toldTotals(pdbs: readonly PodBudget[], nodes: readonly ClusterNode[]): readonly BudgetTally[] | undefined {
  const { nodes: of, totals } = lastTold(pdbs);
  return of === nodes ? totals : undefined;
}

const lastTold = oncePer((_: readonly PodBudget[]): { nodes?: readonly ClusterNode[]; totals?: readonly BudgetTally[] } => ({}));
