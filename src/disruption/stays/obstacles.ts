import { Label } from '../../model';
import { PlannedNodeClaim } from '../../scheduling';
import { nextAllowedDisruption, remainingDisruptions, budgetNodeCounts } from '../budgets/disruption-budgets';
import { PdbLimit } from '../budgets/pdb-limit';
import { blockingPdbs } from '../budgets/pdb-limits';
import { isEmpty } from '../candidates/candidates';
import { isConsolidatable } from '../candidates/consolidatable';
import { ClusterNode, ClusterPod, DisruptionReason, Instant } from '../cluster';
import { computeConsolidation, consolidationBlock, isStaticPool } from '../methods/consolidation';
import { emptinessBlock } from '../methods/emptiness';
import { isDisruptable, protectedUntil } from '../pods';
import { exceededLimit } from '../scenario/controllers/disruption/replacements';
import { Candidate } from '../types';
import { EndState } from './end-state';
import { StayReason } from './node-stay';
import { DO_NOT_DISRUPT } from '../../contract';

/** What keeps a node, with the facts that its description and the changes need. */
export interface Obstacle {
  readonly reason: StayReason;
  /** Karpenter's own words. @default - Karpenter has no sentence for the obstacle */
  readonly why?: string;
  /** Whether Karpenter does not come to say `why`, because budgets or the policy Balanced stop it before. */
  readonly isSilent?: boolean;
  /** When it ends by itself. */
  readonly until?: Instant;
  /** The pod that blocks, if one does. */
  readonly pod?: ClusterPod;
  /** PodDisruptionBudgets that block. */
  readonly pdbs?: readonly PdbLimit[];
  /** The reason that the disruption budgets do not allow. */
  readonly budgetReason?: DisruptionReason;
  /** The score of the policy Balanced. */
  readonly score?: number;
  /** The new nodes that the pods would need. */
  readonly claims?: readonly PlannedNodeClaim[];
}

/** What keeps a node at the end of a consolidation. */
export function obstacleOf(node: ClusterNode, end: EndState): Obstacle {
  const candidate = end.candidates.get(node.name);
  if (candidate === undefined) return blockedNode(node, end);
  return isEmpty(candidate) ? emptyNode(candidate, end) : usedNode(candidate, end);
}

function blockedNode(node: ClusterNode, { blocked, context, cluster }: EndState): Obstacle {
  const why = blocked.get(node.name);
  if (!node.claim) return { reason: 'not-managed' };
  if (node.deleting || node.claim.instanceTerminating) return { reason: 'deleting', why };
  const pool = node.labels[Label.NODE_POOL];
  if (pool !== undefined && isStaticPool(pool, cluster.scheduling)) return { reason: 'static-pool' };
  if (!node.initialized || (node.nominatedUntil ?? 0) > context.now) return { reason: 'not-ready-for-disruption', why };
  if (node.annotations?.[DO_NOT_DISRUPT] === 'true') return { reason: 'node-annotation', why };
  const { now, limits } = context;
  const protectedPod = node.pods.find((pod) => !isDisruptable(pod, now));
  if (protectedPod) {
    const until = protectedUntil(protectedPod)!;
    return { reason: 'protected-pod', why, pod: protectedPod, ...(until < Infinity ? { until } : {}) };
  }
  const pod = node.pods.find((candidate) => blockingPdbs(limits, candidate, now).length > 0);
  return pod
    ? { reason: 'pod-disruption-budget', why, pod, pdbs: limits.limitsOf(pod) }
    : { reason: 'pool-unknown', why };
}

/** What keeps a node because of the settings of its NodePool; undefined if nothing does. */
function poolObstacle(candidate: Candidate, end: EndState, why: string | undefined): Obstacle | undefined {
  const { node, nodePool } = candidate;
  const { context, cluster } = end;
  if (isStaticPool(nodePool, cluster.scheduling)) return { reason: 'static-pool' };
  const { consolidateAfter, consolidationPolicy } = cluster.pools.get(nodePool)!;
  if (consolidateAfter === undefined) return { reason: 'consolidation-disabled', why };
  if (isEmpty(candidate)) return node.hasBufferPods ? { reason: 'buffer-pods', why } : settling();
  if (consolidationPolicy === 'WhenEmpty') return { reason: 'when-empty', why };
  return why !== undefined && isConsolidatable(node, cluster, context.now)
    ? { reason: 'pool-unknown', why }
    : settling();

  function settling(): Obstacle | undefined {
    if (isConsolidatable(node, cluster, context.now)) return undefined;
    const { lastPodEventAt, initializedAt, createdAt } = node.claim!;
    const since = lastPodEventAt ?? initializedAt ?? createdAt;
    return { reason: 'consolidate-after', until: since + consolidateAfter! };
  }
}

function emptyNode(candidate: Candidate, end: EndState): Obstacle {
  const obstacle = poolObstacle(candidate, end, emptinessBlock(candidate, end.context));
  return obstacle ?? budgetObstacle(candidate, end, 'Empty') ?? { reason: 'unfinished' };
}

function usedNode(candidate: Candidate, end: EndState): Obstacle {
  const { context, evaluator, simulated } = end;
  const obstacle = poolObstacle(candidate, end, consolidationBlock(candidate, context));
  if (obstacle) return obstacle;
  const budget = budgetObstacle(candidate, end, 'Underutilized');
  const decision = computeConsolidation('SingleNodeConsolidation', [candidate], context);
  if (decision.command === undefined) {
    const isSilent = budget !== undefined || !evaluator.canPassThreshold(candidate);
    const { why, newNodeClaims: claims } = decision;
    return { ...refused(why), why, ...(isSilent ? { isSilent } : {}), ...(claims ? { claims } : {}) };
  }
  if (budget) return budget;
  if (!evaluator.approves(decision.command))
    return { reason: 'balanced-score', score: evaluator.scoreOf(decision.command) };
  const exceeded = exceededLimit(simulated, decision.command);
  return exceeded ? { reason: 'pool-limit', why: exceeded.why } : { reason: 'unfinished' };
}

/** By Karpenter's own words. */
function refused(why: string): Pick<Obstacle, 'reason'> {
  if (why.startsWith("Can't remove without creating")) return { reason: 'several-nodes' };
  if (why.startsWith("Can't replace with a cheaper node")) return { reason: 'not-cheaper' };
  if (why.startsWith('SpotToSpotConsolidation is disabled')) return { reason: 'spot-to-spot-disabled' };
  if (why.startsWith('SpotToSpotConsolidation requires')) return { reason: 'too-few-spot-types' };
  if (why.startsWith('Filtering by price')) return { reason: 'min-values' };
  return { reason: why.startsWith('not all pods can be evaluated') ? 'not-evaluated' : 'unschedulable-pod' };
}

function budgetObstacle(
  { nodePool }: Candidate,
  { context, cluster }: EndState,
  reason: DisruptionReason,
): Obstacle | undefined {
  if ((remainingDisruptions(context, reason).get(nodePool) ?? 0) > 0) return undefined;
  const { now, session } = context;
  const { budgets } = cluster.pools.get(nodePool)!;
  const counts = budgetNodeCounts(cluster, nodePool, reason);
  const opensAt = nextAllowedDisruption(budgets, counts, reason, now, session.budgetWindows);
  return { reason: 'budget', budgetReason: reason, ...(opensAt < Infinity ? { until: opensAt } : {}) };
}
