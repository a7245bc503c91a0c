import { InstanceTypeTable } from '../../catalog';
import { Label } from '../../model';
import { ClusterNode } from '../cluster';
import { reschedulablePods } from '../pods';
import { Candidate } from '../types';
import { rescheduleCost } from './costs';
import { nodePrice } from './prices';

type Tables = ReadonlyMap<string, InstanceTypeTable>;

interface CachedCandidate {
  readonly tables: Tables;
  readonly prices: Tables;
  readonly candidate: Candidate;
}

/** The candidate of each node, kept while the node object and the instance types are the same. */
export class CandidateCache {
  private readonly byNode = new WeakMap<ClusterNode, CachedCandidate>();

  /**
   * @param tables instance types that can be launched, by NodePool
   * @param prices of running nodes, by NodePool
   */
  public of(node: ClusterNode, tables: Tables, prices: Tables): Candidate {
    const cached = this.byNode.get(node);
    if (cached?.tables === tables && cached.prices === prices) return cached.candidate;
    const candidate = newCandidate(node, tables, prices);
    this.byNode.set(node, { tables, prices, candidate });
    return candidate;
  }
}

function newCandidate(node: ClusterNode, tables: Tables, prices: Tables): Candidate {
  const nodePool = node.labels[Label.NODE_POOL];
  const table = tables.get(nodePool)!;
  const type = table.names.indexOf(node.labels[Label.INSTANCE_TYPE] ?? '');
  return {
    node,
    nodePool,
    ...(type < 0 ? {} : { instanceType: table.names[type] }),
    price: nodePrice(node, prices.get(nodePool)!),
    rescheduleCost: rescheduleCost(node),
    reschedulable: reschedulablePods(node.pods),
  };
}
