import { AffinityUnsatisfiableByAnyPool } from './affinity-unsatisfiable-by-any-pool';
import { Al2Eol } from './al2-eol';
import { AmiLatestInProd } from './ami-latest-in-prod';
import { AmiPinStaleOrMismatched } from './ami-pin-stale-or-mismatched';
import { AntiAffinityNodePerPod } from './anti-affinity-node-per-pod';
import { BatchJobUnprotected } from './batch-job-unprotected';
import { BottlerocketDataVolume } from './bottlerocket-data-volume';
import { BudgetAllowsEverything } from './budget-allows-everything';
import { BudgetCronTimezone } from './budget-cron-timezone';
import { BudgetNeverAllows } from './budget-never-allows';
import { BudgetTooSmallToRoll } from './budget-too-small-to-roll';
import { BudgetWindowAssumedToCoverExpiry } from './budget-window-assumed-to-cover-expiry';
import { CapacityTypeUnsetMeansSpot } from './capacity-type-unset-means-spot';
import { ConsolidateAfterNeverReached } from './consolidate-after-never-reached';
import { ConsolidateAfterTooShort } from './consolidate-after-too-short';
import { ControllerCannotBeHa } from './controller-cannot-be-ha';
import { ControllerOnManagedNodes } from './controller-on-managed-nodes';
import { ControllerPolicyMissingAction } from './controller-policy-missing-action';
import { ControllerPolicyTooBroad } from './controller-policy-too-broad';
import { ControllerResourcesUnsetOrSmall } from './controller-resources-unset-or-small';
import { ControllerRoleUsedAsNodeRole } from './controller-role-used-as-node-role';
import { ControllerSettingsShape } from './controller-settings-shape';
import { ControllerUnprotected } from './controller-unprotected';
import { CrdsNotManaged } from './crds-not-managed';
import { CustomLabelUnknownToAnyNodePool } from './custom-label-unknown-to-any-nodepool';
import { DaemonSetDoesNotFitSmallTypes } from './daemonset-does-not-fit-small-types';
import { DiscoveryTagAmbiguous } from './discovery-tag-ambiguous';
import { DoNotDisruptIsNotSpotProof } from './do-not-disrupt-is-not-spot-proof';
import { DoNotDisruptPermanent } from './do-not-disrupt-permanent';
import { DuplicateObject } from './duplicate-object';
import { DuplicateYamlKey } from './duplicate-yaml-key';
import { EventRuleMissing } from './event-rule-missing';
import { ExcludedPartitionLaunched } from './excluded-partition-launched';
import { ExpireAfterTooShort } from './expire-after-too-short';
import { ExpireWithoutTerminationGrace } from './expire-without-termination-grace';
import { ExpiryIsForcefulAndImplicit } from './expiry-is-forceful-and-implicit';
import { FeatureGateOff } from './feature-gate-off';
import { GraceExceedsTwoMinutesOnSpot } from './grace-exceeds-two-minutes-on-spot';
import { ImdsV1OrHopLimit } from './imds-v1-or-hop-limit';
import { KubernetesKarpenterCompatibility } from './k8s-karpenter-compat';
import { KmsKeyDeniesLaunch } from './kms-key-denies-launch';
import { LegacyApiVersion } from './legacy-api-version';
import { LimitsBelowSmallestNode } from './limits-below-smallest-node';
import { MissingRequests } from './missing-requests';
import { MultiplePdbsOnAPod } from './multiple-pdbs-on-a-pod';
import { NoPdb } from './no-pdb';
import { NoTopologySpread } from './no-topology-spread';
import { NodeOverlayConflict } from './node-overlay-conflict';
import { NodeRoleNotAuthorisedToJoin } from './node-role-not-authorised-to-join';
import { NodeRoleSharedWithNodeGroup } from './node-role-shared-with-node-group';
import { NodeClassRefIncompleteOrDangling } from './nodeclassref-incomplete-or-dangling';
import { NodePoolMatchesZeroInstanceTypes } from './nodepool-matches-zero-instance-types';
import { NthOnSpotOrSingle } from './nth-on-spot-or-single';
import { NthPermissionsOrAccount } from './nth-permissions-or-account';
import { NthTagCheckIgnoresKarpenterNodes } from './nth-tag-check-ignores-karpenter-nodes';
import { NthWithKarpenterInterruption } from './nth-with-karpenter-interruption';
import { PassRoleWrongRole } from './pass-role-wrong-role';
import { PdbBlocksEverything } from './pdb-blocks-everything';
import { PdbBlocksOnUnhealthy } from './pdb-blocks-on-unhealthy';
import { PdbSelectorMatchesNothingOrJobs } from './pdb-selector-matches-nothing-or-jobs';
import { PodLargerThanLargestAllowedNode } from './pod-larger-than-largest-allowed-node';
import { PodsWithoutNode } from './pods-without-node';
import { QueuePolicyOrEncryptionBlocksEvents } from './queue-policy-or-encryption-blocks-events';
import { QueueRetentionOrDlq } from './queue-retention-or-dlq';
import { QueueSetButMissingOrUnpermitted } from './queue-set-but-missing-or-unpermitted';
import { QueueShared } from './queue-shared';
import { RebalanceDrainLoop } from './rebalance-drain-loop';
import { RejectedByKarpenter } from './rejected-by-karpenter';
import { RequirementKeyNotWellKnown } from './requirement-key-not-well-known';
import { RequirementsContradictThemselves } from './requirements-contradict-themselves';
import { RoleNameOrPolicyTooLong } from './role-name-or-policy-too-long';
import { RoleVsInstanceProfile } from './role-vs-instance-profile';
import { RootDeviceMismatch } from './root-device-mismatch';
import { Rule } from './rule';
import { SecurityGroupSelectorWide } from './security-group-selector-wide';
import { ServiceAccountTrustMismatch } from './service-account-trust-mismatch';
import { SingleReplica } from './single-replica';
import { SoftPreferenceBlocksConsolidation } from './soft-preference-blocks-consolidation';
import { SpotFlexibilityLow } from './spot-flexibility-low';
import { SpotNoFallback } from './spot-no-fallback';
import { SpotToSpotCannotHappen } from './spot-to-spot-cannot-happen';
import { SpotWithoutInterruptionQueue } from './spot-without-interruption-queue';
import { SpreadMissesOwnPods } from './spread-misses-own-pods';
import { SpreadWithoutMinDomains } from './spread-without-mindomains';
import { StatefulOrSingletonOnSpot } from './stateful-or-singleton-on-spot';
import { SystemCriticalOnSpot } from './system-critical-on-spot';
import { TaintWithoutToleration } from './taint-without-toleration';
import { TeardownOrder } from './teardown-order';
import { TerminationGraceOverridesProtection } from './termination-grace-overrides-protection';
import { TerminationGraceShorterThanPod } from './termination-grace-shorter-than-pod';
import { ToleratesDisruptedTaint } from './tolerates-disrupted-taint';
import { UnreadableInput } from './unreadable-input';
import { UpgradeSkipsWaypoint } from './upgrade-skips-waypoint';
import { ZoneLossSurvival } from './zone-loss-survival';

export * from './rule';

/** In the order of their ids. */
export const RULES: readonly Rule[] = [
  new UnreadableInput(),
  new DuplicateObject(),
  new RejectedByKarpenter(),
  new LegacyApiVersion(),
  new NodeClassRefIncompleteOrDangling(),
  new RequirementKeyNotWellKnown(),
  new CustomLabelUnknownToAnyNodePool(),
  new RequirementsContradictThemselves(),
  new DuplicateYamlKey(),
  new FeatureGateOff(),
  new ControllerSettingsShape(),
  new NodeOverlayConflict(),
  new NodePoolMatchesZeroInstanceTypes(),
  new CapacityTypeUnsetMeansSpot(),
  new TaintWithoutToleration(),
  new AffinityUnsatisfiableByAnyPool(),
  new ExcludedPartitionLaunched(),
  new PodLargerThanLargestAllowedNode(),
  new DaemonSetDoesNotFitSmallTypes(),
  new MissingRequests(),
  new LimitsBelowSmallestNode(),
  new PodsWithoutNode(),
  new SingleReplica(),
  new NoPdb(),
  new PdbBlocksEverything(),
  new ExpiryIsForcefulAndImplicit(),
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
  new SpotWithoutInterruptionQueue(),
  new QueueSetButMissingOrUnpermitted(),
  new EventRuleMissing(),
  new QueuePolicyOrEncryptionBlocksEvents(),
  new QueueShared(),
  new QueueRetentionOrDlq(),
  new NthWithKarpenterInterruption(),
  new RebalanceDrainLoop(),
  new NthOnSpotOrSingle(),
  new NthTagCheckIgnoresKarpenterNodes(),
  new SpotFlexibilityLow(),
  new SpotToSpotCannotHappen(),
  new GraceExceedsTwoMinutesOnSpot(),
  new StatefulOrSingletonOnSpot(),
  new SystemCriticalOnSpot(),
  new SpotNoFallback(),
  new NthPermissionsOrAccount(),
  new ControllerPolicyMissingAction(),
  new PassRoleWrongRole(),
  new ControllerRoleUsedAsNodeRole(),
  new NodeRoleNotAuthorisedToJoin(),
  new NodeRoleSharedWithNodeGroup(),
  new ServiceAccountTrustMismatch(),
  new RoleNameOrPolicyTooLong(),
  new ControllerPolicyTooBroad(),
  new RoleVsInstanceProfile(),
  new ImdsV1OrHopLimit(),
  new SecurityGroupSelectorWide(),
  new DiscoveryTagAmbiguous(),
  new KmsKeyDeniesLaunch(),
  new RootDeviceMismatch(),
  new BottlerocketDataVolume(),
  new ControllerOnManagedNodes(),
  new ControllerCannotBeHa(),
  new ControllerResourcesUnsetOrSmall(),
  new ControllerUnprotected(),
  new AmiLatestInProd(),
  new AmiPinStaleOrMismatched(),
  new Al2Eol(),
  new KubernetesKarpenterCompatibility(),
  new CrdsNotManaged(),
  new UpgradeSkipsWaypoint(),
  new TeardownOrder(),
];
