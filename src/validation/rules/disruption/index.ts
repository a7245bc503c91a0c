import { Rule } from '../rule';
import { AntiAffinityNodePerPod } from './availability/anti-affinity-node-per-pod';
import { NoTopologySpread } from './availability/no-topology-spread';
import { SingleReplica } from './availability/single-replica';
import { SpreadMissesOwnPods } from './availability/spread-misses-own-pods';
import { SpreadWithoutMinDomains } from './availability/spread-without-mindomains';
import { ZoneLossSurvival } from './availability/zone-loss-survival';
import { BudgetAllowsEverything } from './budgets/budget-allows-everything';
import { BudgetCronTimezone } from './budgets/budget-cron-timezone';
import { BudgetNeverAllows } from './budgets/budget-never-allows';
import { BudgetTooSmallToRoll } from './budgets/budget-too-small-to-roll';
import { BudgetWindowAssumedToCoverExpiry } from './budgets/budget-window-assumed-to-cover-expiry';
import { BudgetWithoutReasons } from './budgets/budget-without-reasons';
import { ConsolidateAfterNeverReached } from './consolidation/consolidate-after-never-reached';
import { ConsolidateAfterTooShort } from './consolidation/consolidate-after-too-short';
import { SoftPreferenceBlocksConsolidation } from './consolidation/soft-preference-blocks-consolidation';
import { BatchJobUnprotected } from './eviction/batch-job-unprotected';
import { DoNotDisruptIsNotSpotProof } from './eviction/do-not-disrupt-is-not-spot-proof';
import { DoNotDisruptPermanent } from './eviction/do-not-disrupt-permanent';
import { ToleratesDisruptedTaint } from './eviction/tolerates-disrupted-taint';
import { ExpireAfterTooShort } from './expiration/expire-after-too-short';
import { ExpireWithoutTerminationGrace } from './expiration/expire-without-termination-grace';
import { TerminationGraceOverridesProtection } from './expiration/termination-grace-overrides-protection';
import { TerminationGraceShorterThanPod } from './expiration/termination-grace-shorter-than-pod';
import { MultiplePdbsOnAPod } from './pdb/multiple-pdbs-on-a-pod';
import { NoPdb } from './pdb/no-pdb';
import { PdbBlocksEverything } from './pdb/pdb-blocks-everything';
import { PdbBlocksOnUnhealthy } from './pdb/pdb-blocks-on-unhealthy';
import { PdbSelectorMatchesNothingOrJobs } from './pdb/pdb-selector-matches-nothing-or-jobs';

/** In the order of their ids. */
export const DISRUPTION_RULES: readonly Rule[] = [
  new SingleReplica(),
  new NoPdb(),
  new PdbBlocksEverything(),
  new BudgetWindowAssumedToCoverExpiry(),
  new ExpireWithoutTerminationGrace(),
  new TerminationGraceShorterThanPod(),
  new TerminationGraceOverridesProtection(),
  new DoNotDisruptPermanent(),
  new DoNotDisruptIsNotSpotProof(),
  new MultiplePdbsOnAPod(),
  new PdbSelectorMatchesNothingOrJobs(),
  new PdbBlocksOnUnhealthy(),
  new NoTopologySpread(),
  new SpreadWithoutMinDomains(),
  new SoftPreferenceBlocksConsolidation(),
  new BudgetNeverAllows(),
  new BudgetTooSmallToRoll(),
  new BudgetAllowsEverything(),
  new BudgetCronTimezone(),
  new ConsolidateAfterTooShort(),
  new ConsolidateAfterNeverReached(),
  new ToleratesDisruptedTaint(),
  new BatchJobUnprotected(),
  new ZoneLossSurvival(),
  new AntiAffinityNodePerPod(),
  new ExpireAfterTooShort(),
  new SpreadMissesOwnPods(),
  new BudgetWithoutReasons(),
];
