import { daemonSetDoesNotFitSmallTypes } from './daemonset-does-not-fit-small-types';
import { daemonsetWithoutPriority } from './daemonset-without-priority';
import { jobDeadlineBeforeNode } from './deadlines/job-deadline-before-node';
import { rolloutDeadlineBeforeNode } from './deadlines/rollout-deadline-before-node';
import { fleetOnFewNodes } from './fleet-on-few-nodes';
import { gangPartlyScheduled } from './gang-partly-scheduled';
import { hostPortTakesNodes } from './host-port-takes-nodes';
import { limitRangeRefuses } from './limit-range-refuses';
import { limitsBelowSmallestNode } from './limits-below-smallest-node';
import { limitsExhausted } from './limits-exhausted';
import { missingRequests } from './missing-requests';
import { peakReplicasExceedLimits } from './peak-replicas-exceed-limits';
import { placeholderOutranksPods } from './placeholder-outranks-pods';
import { podLargerThanLargestAllowedNode } from './pod-larger-than-largest-allowed-node';
import { podsBeyondBound } from './pods-beyond-bound';
import { podsWithoutNode } from './pods-without-node';
import { quotaRefusesPods } from './quota-refuses-pods';
import { staticReplicasAboveLimit } from './static-replicas-above-limit';
import { verticalAutoscalerBeyondNodes } from './vertical-autoscaler-beyond-nodes';
import { Rule } from '../rule';

/** In the order of their ids. */
export const CAPACITY_RULES: readonly Rule[] = [
  podLargerThanLargestAllowedNode,
  daemonSetDoesNotFitSmallTypes,
  daemonsetWithoutPriority,
  missingRequests,
  limitsBelowSmallestNode,
  peakReplicasExceedLimits,
  podsWithoutNode,
  podsBeyondBound,
  staticReplicasAboveLimit,
  limitsExhausted,
  gangPartlyScheduled,
  fleetOnFewNodes,
  placeholderOutranksPods,
  jobDeadlineBeforeNode,
  rolloutDeadlineBeforeNode,
  quotaRefusesPods,
  hostPortTakesNodes,
  verticalAutoscalerBeyondNodes,
  limitRangeRefuses,
];
