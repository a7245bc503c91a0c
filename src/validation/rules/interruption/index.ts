import { Rule } from '../rule';
import { nthOnSpotOrSingle } from './node-termination-handler/nth-on-spot-or-single';
import { nthPermissionsOrAccount } from './node-termination-handler/nth-permissions-or-account';
import { nthTagCheckIgnoresKarpenterNodes } from './node-termination-handler/nth-tag-check-ignores-karpenter-nodes';
import { nthWithKarpenterInterruption } from './node-termination-handler/nth-with-karpenter-interruption';
import { rebalanceDrainLoop } from './node-termination-handler/rebalance-drain-loop';
import { eventRuleMissing } from './queue/event-rule-missing';
import { queuePolicyOrEncryptionBlocksEvents } from './queue/queue-policy-or-encryption-blocks-events';
import { queueRetentionOrDlq } from './queue/queue-retention-or-dlq';
import { queueSetButMissingOrUnpermitted } from './queue/queue-set-but-missing-or-unpermitted';
import { queueShared } from './queue/queue-shared';
import { spotWithoutInterruptionQueue } from './queue/spot-without-interruption-queue';
import { fallbackDefeatedByPin } from './spot/fallback-defeated-by-pin';
import { graceExceedsTwoMinutesOnSpot } from './spot/grace-exceeds-two-minutes-on-spot';
import { spotFlexibilityLow } from './spot/spot-flexibility-low';
import { spotNoFallback } from './spot/spot-no-fallback';
import { spotToSpotCannotHappen } from './spot/spot-to-spot-cannot-happen';
import { statefulOrSingletonOnSpot } from './spot/stateful-or-singleton-on-spot';
import { systemCriticalOnSpot } from './spot/system-critical-on-spot';

/** In the order of their ids. */
export const INTERRUPTION_RULES: readonly Rule[] = [
  spotWithoutInterruptionQueue,
  queueSetButMissingOrUnpermitted,
  eventRuleMissing,
  queuePolicyOrEncryptionBlocksEvents,
  queueShared,
  queueRetentionOrDlq,
  nthWithKarpenterInterruption,
  rebalanceDrainLoop,
  nthOnSpotOrSingle,
  nthTagCheckIgnoresKarpenterNodes,
  spotFlexibilityLow,
  spotToSpotCannotHappen,
  graceExceedsTwoMinutesOnSpot,
  statefulOrSingletonOnSpot,
  systemCriticalOnSpot,
  spotNoFallback,
  nthPermissionsOrAccount,
  fallbackDefeatedByPin,
];
