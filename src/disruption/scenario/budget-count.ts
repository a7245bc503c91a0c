import { budgetTotals } from '../budget-totals';
import { ClusterNode, ClusterPod, PodBudget } from '../cluster';
import { BudgetTally, isHealthy, MutableTally, PdbSelection, pdbSelection, sameTallies, tallied } from '../pdb-selection';

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
    for (const at of this.selection.positions(pod)) tallied(pod, this.tally(at), sign);
  }

  /** A pod stays where it is, and is seen as another. */
  public become(was: ClusterPod, is: ClusterPod): void {
    if (was.ended || is.ended || was.shape !== is.shape || was.namespace !== is.namespace || was.owner !== is.owner) {
      this.change(was, -1);
      this.change(is, 1);
      return;
    }
    const more = Number(isHealthy(is)) - Number(isHealthy(was));
    if (more === 0) return;
    for (const at of this.selection.positions(is)) this.tally(at).healthy += more;
  }

  private tally(at: number): MutableTally {
    this.recounted.add(at);
    return this.counted[at] ??= copyOfTally(this.list[at]);
  }
}

function copyOfTally({ pods, healthy, withoutScale, workloads }: BudgetTally): MutableTally {
  return { pods, healthy, withoutScale, workloads: new Map(workloads) };
}
