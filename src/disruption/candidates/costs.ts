import { memoizeByIdentity } from '../../model';
import { ClaimFacts, ClusterNode, ClusterPod, Instant } from '../cluster';
import { reschedulablePods } from '../pods';

/**
 * Disruption costs, in Karpenter's unit: a pod with default priority and no annotation costs 1.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/disruption/disruption.go
 */

/** The cost of any node, even an empty one. */
export const NODE_DISRUPTION_COST = 1;
/** Karpenter's own annotation takes precedence over that of Kubernetes. */
const COST_ANNOTATIONS = ['karpenter.sh/disruption-cost', 'controller.kubernetes.io/pod-deletion-cost'] as const;
const DELETION_COST_PER_UNIT = 2 ** 27;
const PRIORITY_PER_UNIT = 2 ** 25;
const MAX_EVICTION_COST = 10;

/** From -10 to 10. */
export function evictionCost({ annotations = {}, priority = 0 }: ClusterPod): number {
  const key = COST_ANNOTATIONS.find((annotation) => annotation in annotations);
  const deletionCost = (key === undefined ? undefined : parseInt32(annotations[key])) ?? 0;
  const cost = 1 + deletionCost / DELETION_COST_PER_UNIT + priority / PRIORITY_PER_UNIT;
  return Math.min(MAX_EVICTION_COST, Math.max(-MAX_EVICTION_COST, cost));
}

/** The cost of moving the pods of a node. A pod with a negative cost does not offset the cost of others. */
export function rescheduleCost({ pods }: Pick<ClusterNode, 'pods'>): number {
  return reschedulablePodsCost(pods);
}

const reschedulablePodsCost = memoizeByIdentity((pods: ClusterNode['pods']) =>
  reschedulablePods(pods).reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), NODE_DISRUPTION_COST),
);

/**
 * The cost that Karpenter tracks for a node that is not a candidate, in which mirror pods and terminating pods count
 * like others.
 */
export function trackedRescheduleCost({ pods }: Pick<ClusterNode, 'pods'>): number {
  return pods
    .filter(({ daemon, ended }) => !daemon && !ended)
    .reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), NODE_DISRUPTION_COST);
}

/**
 * The cost of all pods, scaled by the node's remaining lifetime. Karpenter uses it to choose among the nodes of a
 * static pool.
 */
export function disruptionCost({ pods, claim }: Pick<ClusterNode, 'pods' | 'claim'>, now: Instant): number {
  return pods.reduce((sum, pod) => sum + evictionCost(pod), 0) * (claim ? lifetimeRemaining(claim, now) : 1);
}

/** From 1 for a new node to 0 for one that expires now. */
export function lifetimeRemaining({ createdAt, expireAfter }: ClaimFacts, now: Instant): number {
  if (expireAfter === undefined) return 1;
  return Math.min(1, Math.max(0, (expireAfter - (now - createdAt)) / expireAfter));
}

function parseInt32(text: string): number | undefined {
  if (!/^[+-]?\d{1,20}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
}
