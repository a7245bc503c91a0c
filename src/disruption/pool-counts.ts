import { Label, oncePer } from '../model';
import { changesBetween } from '../scheduling';
import { Cluster, ClusterNode } from './cluster';

/** Nodes of a NodePool, as its budgets count them. */
export interface PoolCount {
  readonly nodes: number;
  /** Those of them that go already. */
  readonly deleting: number;
  /** Those that stay, and are not ready. */
  readonly unready: number;
}

const NONE: PoolCount = { nodes: 0, deleting: 0, unready: 0 };

/** From one pass to the next few nodes are others, and only these are counted anew. */
class PoolCounts {
  private nodes: readonly ClusterNode[] = [];
  private readonly counts = new Map<string, PoolCount>();

  public of(nodes: readonly ClusterNode[]): ReadonlyMap<string, PoolCount> {
    for (const { was, is } of nodes === this.nodes ? [] : changesBetween(this.nodes, nodes)) {
      if (was) this.add(was, -1);
      if (is) this.add(is, 1);
    }
    this.nodes = nodes;
    return this.counts;
  }

  private add(node: ClusterNode, sign: 1 | -1): void {
    const pool = node.labels[Label.NODE_POOL];
    if (pool === undefined || !counts(node)) return;
    const { nodes, deleting, unready } = this.counts.get(pool) ?? NONE;
    const goes = node.deleting === true;
    this.counts.set(pool, {
      nodes: nodes + sign,
      deleting: deleting + (goes ? sign : 0),
      unready: unready + (!goes && node.ready === false ? sign : 0),
    });
  }
}

/** Nodes that are not up yet, or nearly gone, do not make a percentage larger. */
export function counts({ claim, initialized }: ClusterNode): boolean {
  return claim !== undefined && initialized && !claim.instanceTerminating;
}

/** By NodePool, of those that have any; to be read at once. */
export function poolCounts({ nodes, pools }: Pick<Cluster, 'nodes' | 'pools'>): ReadonlyMap<string, PoolCount> {
  return countsOf(pools).of(nodes);
}

const countsOf = oncePer((_: Cluster['pools']) => new PoolCounts());
