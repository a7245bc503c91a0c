import { Cluster, ClusterNode, Instant } from './cluster';
import { Label } from '../model';

/**
 * Whether no pod has come or gone for as long as the pool's consolidateAfter: only such a node is consolidated.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeclaim/disruption/consolidation.go
 */
export function isConsolidatable(node: ClusterNode, { pools }: Pick<Cluster, 'pools'>, now: Instant): boolean {
  const since = quietSince(node);
  const after = pools.get(node.labels[Label.NODE_POOL] ?? '')?.consolidateAfter;
  return after !== undefined && since !== undefined && now - since >= after;
}

/** Whether consolidation puts no pods on it as yet. Nodes of a pool that never consolidates are always open to them. */
export function isSettling(node: ClusterNode, { pools }: Pick<Cluster, 'pools'>, now: Instant): boolean {
  const since = quietSince(node);
  const after = pools.get(node.labels[Label.NODE_POOL] ?? '')?.consolidateAfter;
  return after !== undefined && since !== undefined && now - since < after;
}

function quietSince({ claim, initialized }: ClusterNode): Instant | undefined {
  return initialized && claim ? claim.lastPodEventAt ?? claim.initializedAt ?? claim.createdAt : undefined;
}
