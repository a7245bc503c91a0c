export { amountText } from '../model';
export { ClaimPrices } from './launch/claim-prices';
export { bestFleet } from './best-fleet/best-fleet';
export type { BestFleet, BestNode } from './best-fleet/best-fleet';
export { costLowerBound, explainedBound } from './cost/cost-bound';
export type { CostGap } from './cost/cost-gap';
export { MIXED_PODS, WHOLE_NODES, WHOLE_PODS } from './cost/covering-rows';
export { runsOnNode } from './nodes/existing-nodes';
export * from './input/pod-shape';
export * from './input/schedule-input';
export * from './schedule-plan';
export { podTallies } from './nodes/node-facts';
export { podName } from './pods/pod-name';
export { poolTables } from './launch/overlays/node-overlays';
export { nodeClassesAfter, fullReservations, reservedInstances, withReservationChange } from './launch/reservations';
export { explainPod } from './explain/pods/explain-pod';
export * from './explain/pods/pod-explanation';
export { planOfPasses } from './provisioning/plan-of-passes';
export { deferredPods, defersPods } from './provisioning/deferred-pods';
export { passesWithoutReasons, provisioningPasses } from './provisioning/passes';
export type { ProvisioningPass } from './provisioning/passes';
export {
  claimsOf,
  podCountsOnFilledNodes,
  podGroupsOnNodes,
  planOf,
  plannedPlacements,
  schedule,
} from './provisioning/schedule';
export { templateOf } from './launch/pool-template';
export { windowsPools } from './launch/windows-pools';
export { MAX_PODS, NOT_ON_KARPENTER_NODES } from './pods/admission';
export { leftBehind, solveInput } from './provisioning/solve';
export type { SolvedInput } from './provisioning/solve';
export { nodeChanges } from './incremental/node-table';
export type { RemovedNode } from './incremental/what-if-queries';
export { SchedulingSession } from './incremental/session';
export { withValue as poolWithValue } from './explain/changes/pool-edits';
export { smallestChanges } from './explain/changes/smallest-change';
export type { SmallestChange } from './explain/changes/smallest-change';
export { launchedNode } from './nodes/launched-node';
export { cheapestPrice, compatibleOfferings, compatibleTypes, isOffered, matchingTypes } from './launch/type-filter';
export { planOfFleet } from './settling/settled-plan';
export { settledPlan } from './settling/settled-plan';
export { settledFleets } from './settling/settled-fleets';
export type { SettledFleetsOptions } from './settling/settled-fleets';
export type { SettledFleet } from './settling/settle';
export { ONLY_PENDING_PODS } from './refusals/topology-diagnosis';
