import { requireOfNode } from '../node-affinity';
import { Subject } from '../subject';

/** What Karpenter drains last, and the scheduler never leaves out for want of room. */
const NODE_CRITICAL = 'system-node-critical';
const COMPUTE_TYPE = 'eks.amazonaws.com/compute-type';

export function priorityClass({ pod }: Subject): undefined {
  if (pod.priority === undefined) pod.priorityClassName ??= NODE_CRITICAL;
}

export function notOnFargate({ pod }: Subject): undefined {
  requireOfNode(pod, COMPUTE_TYPE, 'NotIn', ['fargate']);
}
