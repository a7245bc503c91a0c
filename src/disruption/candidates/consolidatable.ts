import { Label } from '../../model';
import { Cluster, ClusterNode, Instant } from '../cluster';

/**
 * Whether the node's condition Consolidatable is true: no pod has come or gone for the consolidateAfter of its
 * NodePool.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/nodeclaim/disruption/consolidation.go
 */
export function isConsolidatable(node: ClusterNode, { pools }: Pick<Cluster, 'pools'>, now: Instant): boolean {
  const since = lastPodEvent(node);
  const consolidateAfter = consolidateAfterOf(node, pools);
  return consolidateAfter !== undefined && since !== undefined && now - since >= consolidateAfter;
}

/**
 * Whether the node's consolidateAfter is not over: consolidation moves no running pods to such a node. Never true in a
 * NodePool that does not consolidate.
 */
export function isSettling(node: ClusterNode, { pools }: Pick<Cluster, 'pools'>, now: Instant): boolean {
  const since = lastPodEvent(node);
  const consolidateAfter = consolidateAfterOf(node, pools);
  return consolidateAfter !== undefined && since !== undefined && now - since < consolidateAfter;
}

function consolidateAfterOf({ labels }: ClusterNode, pools: Cluster['pools']): number | undefined {
  return pools.get(labels[Label.NODE_POOL] ?? '')?.consolidateAfter;
}

function lastPodEvent({ claim, initialized }: ClusterNode): Instant | undefined {
  return initialized && claim ? (claim.lastPodEventAt ?? claim.initializedAt ?? claim.createdAt) : undefined;
}
