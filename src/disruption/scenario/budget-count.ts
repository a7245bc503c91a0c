import { budgetTotals } from '../budget-totals';
import { ClusterNode, ClusterPod, PodBudget } from '../cluster';
import { BudgetTally, MutableTally, PdbSelection, pdbSelection, sameTallies, tallied } from '../pdb-selection';

/** Keeps count of what each budget selects, pod by pod as these come, change and go. */
export class BudgetCount {
  private readonly selection: PdbSelection;
  private readonly counted: Array<MutableTally | undefined>;
  private readonly recounted = new Set<number>();
  private list: readonly BudgetTally[];

  /** @param nodes as they are at the beginning */
  public constructor(pdbs: readonly PodBudget[], nodes: readonly ClusterNode[]) {
    this.selection = pdbSelection(pdbs);
    this.list = budgetTotals(pdbs, nodes, this.selection);
    this.counted = pdbs.map(() => undefined);
  }

  /** Per budget: the same objects as long as they say the same. */
  public get totals(): readonly BudgetTally[] {
    if (this.recounted.size === 0) return this.list;
    const list = this.list.slice();
    for (const at of this.recounted) {
      const tally = copyOfTally(this.counted[at]!);
      if (!sameTallies(tally, list[at])) list[at] = tally;
    }
    this.recounted.clear();
    return this.list = list;
  }

  /** A pod on a node, as Karpenter sees it: it is there from now on, or no longer. */
  public change(pod: ClusterPod, sign: 1 | -1): void {
    if (pod.ended) return;
    for (const at of this.selection.positions(pod)) {
      const tally = this.counted[at] ??= copyOfTally(this.list[at]);
      tallied(pod, tally, sign);
      this.recounted.add(at);
    }
  }
}

function copyOfTally({ pods, healthy, withoutScale, workloads }: BudgetTally): MutableTally {
  return { pods, healthy, withoutScale, workloads: new Map(workloads) };
}
