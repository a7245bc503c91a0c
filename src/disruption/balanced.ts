import { Label } from '../model';
import { Candidate, Scene } from './candidates';
import { Command, totalPrice } from './command';
import { trackedCost } from './costs';
import { nodePrice } from './prices';

/** A move must save at least this share of what it disrupts. */
const THRESHOLD = 1 / 2;

/** What all nodes of a NodePool cost, and what moving all their pods would. */
interface PoolTotals {
  readonly price: number;
  readonly disruption: number;
}

/** How much a move saves for what it disrupts, both as shares of the whole pool; 1 is the average node given up. */
export function scoreOf(savings: number, disruption: number, totals: PoolTotals): number {
  if (totals.price <= 0 || totals.disruption <= 0 || savings <= 0) return 0;
  return disruption === 0 ? Infinity : (savings / totals.price) / (disruption / totals.disruption);
}

/**
 * What pools of the policy `Balanced` let pass; pools of other policies let everything pass.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/balanced.go
 */
export class BalancedScoring {
  private readonly totals = new Map<string, PoolTotals>();

  /** @param candidates all that may be disrupted, whatever the method takes of them */
  public constructor(private readonly scene: Scene, candidates: readonly Candidate[]) {
    const { cluster, prices } = scene;
    const costs = new Map(candidates.map(({ node: { name }, rescheduleCost }) => [name, rescheduleCost]));
    for (const [pool, table] of prices) {
      const nodes = cluster.nodes.filter(({ labels }) => labels[Label.NODE_POOL] === pool);
      const price = nodes.filter(({ claim }) => claim).reduce((sum, node) => sum + nodePrice(node, table), 0);
      this.totals.set(pool, { price, disruption: nodes.reduce((sum, node) => sum + (costs.get(node.name) ?? trackedCost(node)), 0) });
    }
  }

  /** Whether deleting it, which saves more than any replacement, would pass. */
  public mayPass({ nodePool, price, rescheduleCost: cost }: Candidate): boolean {
    const totals = this.totals.get(nodePool)!;
    return !this.isBalanced(nodePool) || totals.price <= 0 || scoreOf(price, cost, totals) >= THRESHOLD;
  }

  /** Every pool has to agree; what a command over several pools saves is shared out by what their nodes cost. */
  public approves({ candidates, savings }: Command): boolean {
    const pools = [...new Set(candidates.map(({ nodePool }) => nodePool))];
    const whole = totalPrice(candidates);
    return pools.filter((pool) => this.isBalanced(pool)).every((pool) => {
      const own = candidates.filter(({ nodePool }) => nodePool === pool);
      const share = whole > 0 && pools.length > 1 ? savings * (totalPrice(own) / whole) : savings;
      const disruption = own.reduce((sum, { rescheduleCost: cost }) => sum + cost, 0);
      return scoreOf(share, disruption, this.totals.get(pool)!) >= THRESHOLD;
    });
  }

  private isBalanced(pool: string): boolean {
    return this.scene.cluster.pools.get(pool)?.consolidationPolicy === 'Balanced';
  }
}
