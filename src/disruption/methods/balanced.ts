import { Label } from '../../model';
import { trackedRescheduleCost } from '../candidates/costs';
import { nodePrice } from '../candidates/prices';
import { ClusterState } from '../session';
import { Candidate, Command, totalPrice } from '../types';

/** The lowest score that the policy `Balanced` approves. */
export const THRESHOLD = 1 / 2;

/** Price and disruption cost of all nodes of a NodePool. */
interface NodePoolTotals {
  readonly price: number;
  readonly disruption: number;
}

/**
 * The savings of a move divided by its disruption cost, both as shares of the NodePool's totals. Deleting an average
 * node scores 1.
 */
export function scoreMove(savings: number, disruption: number, totals: NodePoolTotals): number {
  if (totals.price <= 0 || totals.disruption <= 0 || savings <= 0) return 0;
  return disruption === 0 ? Infinity : savings / totals.price / (disruption / totals.disruption);
}

/**
 * Approves the commands that are worth their disruption in NodePools with the policy `Balanced`. Other NodePools
 * approve everything.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/balanced.go
 */
export class BalancedEvaluator {
  private readonly totals = new Map<string, NodePoolTotals>();

  /** @param candidates all nodes that may be disrupted, including candidates that the method does not consider */
  public constructor(
    private readonly state: ClusterState,
    candidates: readonly Candidate[],
  ) {
    const { cluster, prices } = state;
    const candidateCosts = new Map(candidates.map(({ node: { name }, rescheduleCost }) => [name, rescheduleCost]));
    for (const [pool, table] of prices) {
      const nodes = cluster.nodes.filter(({ labels }) => labels[Label.NODE_POOL] === pool);
      const price = nodes.filter(({ claim }) => claim).reduce((sum, node) => sum + nodePrice(node, table), 0);
      const disruption = nodes.reduce(
        (sum, node) => sum + (candidateCosts.get(node.name) ?? trackedRescheduleCost(node)),
        0,
      );
      this.totals.set(pool, { price, disruption });
    }
  }

  /** Whether deleting the candidate would be approved. No replacement saves more than that. */
  public canPassThreshold({ nodePool, price, rescheduleCost }: Candidate): boolean {
    const totals = this.totals.get(nodePool)!;
    return !this.isBalanced(nodePool) || totals.price <= 0 || scoreMove(price, rescheduleCost, totals) >= THRESHOLD;
  }

  /** The lowest score of a command among NodePools with the policy; infinite without such a NodePool. */
  public scoreOf({ candidates, savings }: Command): number {
    const pools = [...new Set(candidates.map(({ nodePool }) => nodePool))];
    const price = totalPrice(candidates);
    const scores = pools
      .filter((pool) => this.isBalanced(pool))
      .map((pool) => {
        const poolCandidates = candidates.filter(({ nodePool }) => nodePool === pool);
        const poolSavings = price > 0 && pools.length > 1 ? savings * (totalPrice(poolCandidates) / price) : savings;
        const disruption = poolCandidates.reduce((sum, { rescheduleCost }) => sum + rescheduleCost, 0);
        return scoreMove(poolSavings, disruption, this.totals.get(pool)!);
      });
    return Math.min(...scores);
  }

  /**
   * Every NodePool must approve. The savings of a command over several NodePools are split by the price of their
   * candidates.
   */
  public approves(command: Command): boolean {
    return this.scoreOf(command) >= THRESHOLD;
  }

  private isBalanced(pool: string): boolean {
    return this.state.cluster.pools.get(pool)?.consolidationPolicy === 'Balanced';
  }
}

export const NOT_WORTH_DISRUPTION = 'the policy Balanced rejects it: it saves too little for the pods that it disrupts';
