import { formatAmount, Label } from '../../model';
import { Command } from '../command';
import { World } from './world';

const NODES = 'nodes';

/** Of what a NodePool uses more than its limits let it. */
export interface ExceededLimit {
  readonly nodePool: string;
  /** In a sentence. */
  readonly why: string;
}

/**
 * The limit for which Karpenter can launch nothing in the place of other nodes: it simulates without these, and launches with them. Where a
 * NodePool uses more than it may already, as after its limits went down, no node of it is replaced.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go
 */
export function exceededLimit(world: World, { replacements }: Pick<Command, 'replacements'>): ExceededLimit | undefined {
  const pools = [...new Set(replacements.map(({ nodePool }) => nodePool))];
  return pools.map((nodePool) => exceededBy(world, nodePool)).find((each) => each !== undefined);
}

/** Nodes that are to go count no more. */
export function exceededBy({ nodes, cluster }: World, nodePool: string): ExceededLimit | undefined {
  const { limits } = cluster.scheduling.nodePools.find(({ name }) => name === nodePool) ?? {};
  if (limits === undefined || limits.size === 0) return undefined;
  const own = [...nodes.values()].filter(({ node: { labels, claim }, phase }) => labels[Label.NODE_POOL] === nodePool && claim && (phase === 'up' || phase === 'launching'));
  for (const [resource, limit] of limits) {
    const used = resource === NODES ? BigInt(own.length) : own.reduce((sum, { node: { capacity } }) => sum + (capacity.get(resource) ?? 0n), 0n);
    if (used > limit) {
      const of = `limits.${resource} of NodePool "${nodePool}"`;
      return { nodePool, why: `${of} is ${formatAmount(resource, limit)}, and ${formatAmount(resource, used)} are used: Karpenter launches nothing in the place of its nodes` };
    }
  }
  return undefined;
}
