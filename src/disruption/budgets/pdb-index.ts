import { memoizeByIdentity, selects } from '../../model';
import { ClusterNode, ClusterPod, PdbTally, PodDisruptionBudget } from '../cluster';
import { addTally, blocksAllBySpec, emptyTally, MutablePdbTally, PdbLimit, pdbLimit, tallyPod } from './pdb-limit';

interface CachedLimit {
  readonly tally: PdbTally;
  readonly replicas: ReadonlyMap<string, number>;
  readonly limit: PdbLimit;
}

/**
 * Which PodDisruptionBudgets of one cluster select a pod. PDBs are named by their index in the list. Results are kept
 * per pod shape, because the pods of a workload share it, and per list of pods of a node.
 */
export class PdbIndex {
  /** Whether a pod of the list has more than one PDB, for which the eviction API grants no eviction. */
  public readonly hasOverlap = memoizeByIdentity((pods: readonly ClusterPod[]) =>
    pods.some((pod) => this.indicesFor(pod).length > 1),
  );
  /** What each PDB selects among the pods of a node, by index. */
  public readonly talliesOf = memoizeByIdentity(
    (pods: readonly ClusterPod[]): ReadonlyMap<number, PdbTally> => this.tally(pods),
  );
  /** Whether a PDB that never allows an eviction selects a pod of the list. */
  public readonly isBlockedBySpec = memoizeByIdentity((pods: readonly ClusterPod[]) => this.selectsBlocked(pods));

  private readonly byShape = new WeakMap<ClusterPod['shape'], Map<string, readonly number[]>>();
  private readonly isBlocking: readonly boolean[];
  private lastTotals?: { readonly nodes: readonly ClusterNode[]; readonly totals: readonly PdbTally[] };
  private readonly lastLimits: Array<CachedLimit | undefined>;

  public constructor(public readonly pdbs: readonly PodDisruptionBudget[]) {
    this.isBlocking = pdbs.map(blocksAllBySpec);
    this.lastLimits = pdbs.map(() => undefined);
  }

  /** The PDBs that select a pod. */
  public indicesFor({ namespace, shape }: Pick<ClusterPod, 'namespace' | 'shape'>): readonly number[] {
    const byNamespace = this.byShape.get(shape) ?? new Map<string, readonly number[]>();
    const cached = byNamespace.get(namespace);
    if (cached) return cached;
    const indices = this.pdbs.flatMap((pdb, index) =>
      pdb.namespace === namespace && selects(pdb.selector, shape.labels ?? {}) ? [index] : [],
    );
    this.byShape.set(shape, byNamespace.set(namespace, indices));
    return indices;
  }

  /** What each PDB selects in the whole cluster. */
  public totals(nodes: readonly ClusterNode[]): readonly PdbTally[] {
    if (this.lastTotals?.nodes === nodes) return this.lastTotals.totals;
    const totals = this.pdbs.map(emptyTally);
    for (const { pods } of nodes) this.talliesOf(pods).forEach((tally, index) => addTally(totals[index], tally));
    this.lastTotals = { nodes, totals };
    return totals;
  }

  /**
   * The status of one PDB before any eviction. Most tallies stay the same from one state of the cluster to the next.
   */
  public limit(index: number, tally: PdbTally, replicas: ReadonlyMap<string, number>): PdbLimit {
    const last = this.lastLimits[index];
    if (last?.tally === tally && last.replicas === replicas) return last.limit;
    const limit = pdbLimit(this.pdbs[index], tally, replicas, 0);
    this.lastLimits[index] = { tally, replicas, limit };
    return limit;
  }

  private tally(pods: readonly ClusterPod[]): ReadonlyMap<number, PdbTally> {
    const tallies = new Map<number, MutablePdbTally>();
    for (const pod of pods) {
      if (pod.ended) continue;
      for (const index of this.indicesFor(pod)) {
        const tally = tallies.get(index) ?? emptyTally();
        tallies.set(index, tally);
        tallyPod(pod, tally, 1);
      }
    }
    return tallies;
  }

  private selectsBlocked(pods: readonly ClusterPod[]): boolean {
    // Few clusters have such a PDB.
    return (
      this.isBlocking.includes(true) &&
      pods.some((pod) => !pod.ended && this.indicesFor(pod).some((index) => this.isBlocking[index]))
    );
  }
}
