import { autoscalerTargetOutOfReach } from './availability/autoscaler-target-out-of-reach';
import { autoscalerWithoutTarget } from './availability/autoscaler-without-target';
import { limitsBelowUse } from './limits-below-use';
import { Rule } from '../rule';
import { antiAffinityNodePerPod } from './availability/anti-affinity-node-per-pod';
import { autoscalerAgainstReplicas } from './availability/autoscaler-against-replicas';
import { autoscalerWithoutMetrics } from './availability/autoscaler-without-metrics';
import { autoscalerWithoutRequest } from './availability/autoscaler-without-request';
import { autoscalersInConflict } from './availability/autoscalers-in-conflict';
import { noTopologySpread } from './availability/no-topology-spread';
import { rolloutWithoutFreeZone } from './availability/rollout-without-free-zone';
import { singleReplica } from './availability/single-replica';
import { spreadMissesOwnPods } from './availability/spread-misses-own-pods';
import { spreadWithoutMinDomains } from './availability/spread-without-mindomains';
import { trafficMissesPods } from './availability/traffic-misses-pods';
import { zoneLossSurvival } from './availability/zone-loss-survival';
import { budgetAllowsEverything } from './budgets/budget-allows-everything';
import { budgetCronTimezone } from './budgets/budget-cron-timezone';
import { budgetLeavesReasonOpen } from './budgets/budget-leaves-reason-open';
import { budgetNeverAllows } from './budgets/budget-never-allows';
import { budgetTooSmallToRoll } from './budgets/budget-too-small-to-roll';
import { budgetWindowAssumedToCoverExpiry } from './budgets/budget-window-assumed-to-cover-expiry';
import { budgetWindowsOverlap } from './budgets/budget-windows-overlap';
import { budgetWithoutReasons } from './budgets/budget-without-reasons';
import { consolidateAfterNeverReached } from './consolidation/consolidate-after-never-reached';
import { consolidateAfterTooShort } from './consolidation/consolidate-after-too-short';
import { deschedulerUndoesConsolidation } from './consolidation/descheduler-undoes-consolidation';
import { softPreferenceBlocksConsolidation } from './consolidation/soft-preference-blocks-consolidation';
import { batchJobUnprotected } from './eviction/batch-job-unprotected';
import { doNotDisruptForAll } from './eviction/do-not-disrupt-for-all';
import { doNotDisruptIsNotSpotProof } from './eviction/do-not-disrupt-is-not-spot-proof';
import { doNotDisruptPermanent } from './eviction/do-not-disrupt-permanent';
import { preStopOutlastsGracePeriod } from './eviction/pre-stop-outlasts-grace-period';
import { toleratesDisruptedTaint } from './eviction/tolerates-disrupted-taint';
import { tolerationEnds } from './eviction/toleration-ends';
import { expireAfterTooShort } from './expiration/expire-after-too-short';
import { expireWithoutTerminationGrace } from './expiration/expire-without-termination-grace';
import { terminationGraceOverridesProtection } from './expiration/termination-grace-overrides-protection';
import { terminationGraceShorterThanPod } from './expiration/termination-grace-shorter-than-pod';
import { nodeLimitOverrun } from './node-limit-overrun';
import { multiplePdbsOnAPod } from './pdb/multiple-pdbs-on-a-pod';
import { noPdb } from './pdb/no-pdb';
import { pdbBlocksEverything } from './pdb/pdb-blocks-everything';
import { pdbBlocksOnUnhealthy } from './pdb/pdb-blocks-on-unhealthy';
import { pdbSelectorMatchesNothingOrJobs } from './pdb/pdb-selector-matches-nothing-or-jobs';
import { requirementDriftsNodes } from './requirement-drifts-nodes';

/** In the order of their ids. */
export const DISRUPTION_RULES: readonly Rule[] = [
  singleReplica,
  noPdb,
  pdbBlocksEverything,
  budgetWindowAssumedToCoverExpiry,
  expireWithoutTerminationGrace,
  terminationGraceShorterThanPod,
  terminationGraceOverridesProtection,
  doNotDisruptPermanent,
  doNotDisruptIsNotSpotProof,
  multiplePdbsOnAPod,
  pdbSelectorMatchesNothingOrJobs,
  pdbBlocksOnUnhealthy,
  noTopologySpread,
  spreadWithoutMinDomains,
  softPreferenceBlocksConsolidation,
  budgetNeverAllows,
  budgetTooSmallToRoll,
  budgetAllowsEverything,
  budgetCronTimezone,
  consolidateAfterTooShort,
  consolidateAfterNeverReached,
  toleratesDisruptedTaint,
  batchJobUnprotected,
  zoneLossSurvival,
  antiAffinityNodePerPod,
  expireAfterTooShort,
  spreadMissesOwnPods,
  budgetWithoutReasons,
  budgetLeavesReasonOpen,
  limitsBelowUse,
  nodeLimitOverrun,
  requirementDriftsNodes,
  autoscalerWithoutTarget,
  autoscalerAgainstReplicas,
  autoscalerWithoutRequest,
  autoscalersInConflict,
  preStopOutlastsGracePeriod,
  tolerationEnds,
  doNotDisruptForAll,
  autoscalerTargetOutOfReach,
  trafficMissesPods,
  autoscalerWithoutMetrics,
  budgetWindowsOverlap,
  rolloutWithoutFreeZone,
  deschedulerUndoesConsolidation,
];
