import { Cluster, ClusterPod, Instant, PdbTally } from '../cluster';
import { isEvictable } from '../pods';
import { PdbIndex } from './pdb-index';
import { PdbLimit, pdbLimit } from './pdb-limit';

const NO_REPLICAS: ReadonlyMap<string, number> = new Map();

/**
 * The PodDisruptionBudgets of a cluster in one state, with what each allows. Limits are computed when they are read.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go
 */
export class PdbLimits {
  private totals?: readonly PdbTally[];
  /** By PDB index: healthy pods that have been evicted since the state was read. */
  private readonly evicted = new Map<number, number>();
  /** By PDB index, only for PDBs with evictions. */
  private readonly limitsAfterEvictions = new Map<number, PdbLimit>();

  public constructor(
    private readonly cluster: Pick<Cluster, 'pdbs' | 'nodes' | 'replicas' | 'pdbTallies'>,
    private readonly index: PdbIndex = new PdbIndex(cluster.pdbs),
  ) {
    this.totals = cluster.pdbTallies;
  }

  public get all(): PdbLimit[] {
    return this.cluster.pdbs.map((_, index) => this.limit(index));
  }

  /** Whether the PDB at an index allows no eviction of a healthy pod. */
  public isExhausted(index: number): boolean {
    return this.limit(index).disruptionsAllowed === 0;
  }

  /** The PDBs that select the pod. */
  public limitsOf(pod: Pick<ClusterPod, 'namespace' | 'shape'>): PdbLimit[] {
    return this.index.indicesFor(pod).map((index) => this.limit(index));
  }

  /**
   * Hot path: a quick check that no PDB blocks any pod of a node. `false` is inconclusive, so check pod by pod then.
   *
   * @param bySpecOnly whether only PDBs that never allow an eviction count
   */
  public allowAll(pods: readonly ClusterPod[], bySpecOnly = false): boolean {
    if (this.index.hasOverlap(pods)) return false;
    // Specs need no count of pods.
    if (bySpecOnly) return !this.index.isBlockedBySpec(pods);
    for (const index of this.index.talliesOf(pods).keys()) if (this.isExhausted(index)) return false;
    return true;
  }

  /** A healthy pod is evicted, and no longer counts as healthy. */
  public recordEviction(pod: Pick<ClusterPod, 'namespace' | 'shape'>): void {
    for (const index of this.index.indicesFor(pod)) {
      this.evicted.set(index, (this.evicted.get(index) ?? 0) + 1);
      this.limitsAfterEvictions.delete(index);
    }
  }

  private limit(index: number): PdbLimit {
    const { nodes, replicas = NO_REPLICAS } = this.cluster;
    const evicted = this.evicted.size === 0 ? 0 : (this.evicted.get(index) ?? 0);
    if (evicted > 0) {
      const cached = this.limitsAfterEvictions.get(index);
      if (cached) return cached;
    }
    this.totals ??= this.index.totals(nodes);
    if (evicted === 0) return this.index.limit(index, this.totals[index], replicas);
    const limit = pdbLimit(this.cluster.pdbs[index], this.totals[index], replicas, evicted);
    this.limitsAfterEvictions.set(index, limit);
    return limit;
  }
}

/**
 * The keys of the PDBs that block the eviction of a pod. The eviction API never evicts a pod with two PDBs, even if
 * both would allow it.
 *
 * @param bySpecOnly true: only PDBs that never allow an eviction count; false: PDBs that are exhausted now count, too
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/pdb/pdb.go
 */
export function blockingPdbs(limits: PdbLimits, pod: ClusterPod, now: Instant, bySpecOnly = false): string[] {
  const podLimits = limits.limitsOf(pod);
  if (
    podLimits.length === 0 ||
    (podLimits.length === 1 && !blocks(podLimits[0], pod, bySpecOnly)) ||
    !isEvictable(pod, now)
  )
    return [];
  return podLimits.map(({ key }) => key);
}

function blocks(
  { alwaysAllowsUnhealthy, blocksAllBySpec, disruptionsAllowed }: PdbLimit,
  { ready }: ClusterPod,
  bySpecOnly: boolean,
): boolean {
  return !(alwaysAllowsUnhealthy && ready === false) && (bySpecOnly ? blocksAllBySpec : disruptionsAllowed === 0);
}
