import { PdbIndex } from '../../budgets/pdb-index';
import { equalTallies, isHealthy, MutablePdbTally, tallyPod } from '../../budgets/pdb-limit';
import { ClusterNode, ClusterPod, PdbTally } from '../../cluster';

/** Counts the pods that each PodDisruptionBudget selects, and updates the counts with each change of a pod. */
export class PdbCounter {
  private readonly counts: Array<MutablePdbTally | undefined>;
  private readonly changedIndices = new Set<number>();
  private current: readonly PdbTally[];

  /** @param nodes at the start */
  public constructor(
    private readonly index: PdbIndex,
    nodes: readonly ClusterNode[],
  ) {
    this.current = index.totals(nodes);
    this.counts = index.pdbs.map(() => undefined);
  }

  /** For each PDB, by index. A tally stays the same object as long as its numbers stay the same. */
  public get tallies(): readonly PdbTally[] {
    if (this.changedIndices.size === 0) return this.current;
    const next = this.current.slice();
    for (const index of this.changedIndices) {
      const tally = mutableCopy(this.counts[index]!);
      if (!equalTallies(tally, next[index])) next[index] = tally;
    }
    this.changedIndices.clear();
    return (this.current = next);
  }

  /** A pod comes to a node, or leaves it. */
  public count(pod: ClusterPod, sign: 1 | -1): void {
    if (pod.ended) return;
    for (const index of this.index.indicesFor(pod)) tallyPod(pod, this.tally(index), sign);
  }

  /** A pod changes on its node. */
  public update(previous: ClusterPod, current: ClusterPod): void {
    if (previous.ended || current.ended || !isSelectedAlike(previous, current)) {
      this.count(previous, -1);
      this.count(current, 1);
      return;
    }
    const change = Number(isHealthy(current)) - Number(isHealthy(previous));
    if (change === 0) return;
    for (const index of this.index.indicesFor(current)) this.tally(index).healthy += change;
  }

  private tally(index: number): MutablePdbTally {
    this.changedIndices.add(index);
    return (this.counts[index] ??= mutableCopy(this.current[index]));
  }
}

function isSelectedAlike(previous: ClusterPod, current: ClusterPod): boolean {
  return (
    previous.shape === current.shape && previous.namespace === current.namespace && previous.owner === current.owner
  );
}

function mutableCopy({ pods, healthy, withoutScale, workloads }: PdbTally): MutablePdbTally {
  return { pods, healthy, withoutScale, workloads: new Map(workloads) };
}
