import { DaemonSetDoesNotFitSmallTypes } from './daemonset-does-not-fit-small-types';
import { LimitsBelowSmallestNode } from './limits-below-smallest-node';
import { MissingRequests } from './missing-requests';
import { PodLargerThanLargestAllowedNode } from './pod-larger-than-largest-allowed-node';
import { PodsBeyondBound } from './pods-beyond-bound';
import { PodsWithoutNode } from './pods-without-node';
import { StaticReplicasAboveLimit } from './static-replicas-above-limit';
import { Rule } from '../rule';

/** In the order of their ids. */
export const CAPACITY_RULES: readonly Rule[] = [
  new PodLargerThanLargestAllowedNode(),
  new DaemonSetDoesNotFitSmallTypes(),
  new MissingRequests(),
  new LimitsBelowSmallestNode(),
  new PodsWithoutNode(),
  new PodsBeyondBound(),
  new StaticReplicasAboveLimit(),
];
