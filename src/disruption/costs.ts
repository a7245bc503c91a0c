import { oncePer } from '../model';
import { ClaimFacts, ClusterNode, ClusterPod, Instant } from './cluster';
import { reschedulable } from './pod-eviction';

/**
 * What disrupting costs, in Karpenter's own unit: one pod of no importance.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/utils/disruption/disruption.go
 */

/** Of any node, an empty one too. */
export const NODE_DISRUPTION_COST = 1;
/** Annotations, Karpenter's own before that of Kubernetes. */
const COST_ANNOTATIONS = ['karpenter.sh/disruption-cost', 'controller.kubernetes.io/pod-deletion-cost'] as const;
const ANNOTATED_PER_POD = 2 ** 27;
const PRIORITY_PER_POD = 2 ** 25;
const MOST_PER_POD = 10;

/** From -10 to 10. */
export function evictionCost({ annotations = {}, priority = 0 }: ClusterPod): number {
  const key = COST_ANNOTATIONS.find((annotation) => annotation in annotations);
  const annotated = (key === undefined ? undefined : parseInt32(annotations[key])) ?? 0;
  const cost = 1 + annotated / ANNOTATED_PER_POD + priority / PRIORITY_PER_POD;
  return Math.min(MOST_PER_POD, Math.max(-MOST_PER_POD, cost));
}

/** Of moving the pods of a node; a pod whose cost is negative makes none of the others cheaper. */
export function rescheduleCost({ pods }: Pick<ClusterNode, 'pods'>): number {
  return costOfMoving(pods);
}

const costOfMoving = oncePer((pods: ClusterNode['pods']) =>
  reschedulable(pods).reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), NODE_DISRUPTION_COST));

/** As Karpenter counts for nodes that are not candidates: mirror pods and pods that end are pods like others. */
export function trackedCost({ pods }: Pick<ClusterNode, 'pods'>): number {
  return pods.filter(({ daemon, ended }) => !daemon && !ended).reduce((sum, pod) => sum + Math.max(0, evictionCost(pod)), NODE_DISRUPTION_COST);
}

/** Of all pods, less the older the node is: by it Karpenter chooses among the nodes of a static pool. */
export function disruptionCost({ pods, claim }: Pick<ClusterNode, 'pods' | 'claim'>, now: Instant): number {
  return pods.reduce((sum, pod) => sum + evictionCost(pod), 0) * (claim ? lifetimeRemaining(claim, now) : 1);
}

/** From 1 for a new node to 0 for one that expires. */
export function lifetimeRemaining({ createdAt, expireAfter }: ClaimFacts, now: Instant): number {
  if (expireAfter === undefined) return 1;
  return Math.min(1, Math.max(0, (expireAfter - (now - createdAt)) / expireAfter));
}

function parseInt32(text: string): number | undefined {
  if (!/^[+-]?\d{1,20}$/.test(text)) return undefined;
  const value = Number(text);
  return value >= -(2 ** 31) && value < 2 ** 31 ? value : undefined;
}
