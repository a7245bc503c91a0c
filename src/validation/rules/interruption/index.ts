import { Rule } from '../rule';
import { NthOnSpotOrSingle } from './node-termination-handler/nth-on-spot-or-single';
import { NthPermissionsOrAccount } from './node-termination-handler/nth-permissions-or-account';
import { NthTagCheckIgnoresKarpenterNodes } from './node-termination-handler/nth-tag-check-ignores-karpenter-nodes';
import { NthWithKarpenterInterruption } from './node-termination-handler/nth-with-karpenter-interruption';
import { RebalanceDrainLoop } from './node-termination-handler/rebalance-drain-loop';
import { EventRuleMissing } from './queue/event-rule-missing';
import { QueuePolicyOrEncryptionBlocksEvents } from './queue/queue-policy-or-encryption-blocks-events';
import { QueueRetentionOrDlq } from './queue/queue-retention-or-dlq';
import { QueueSetButMissingOrUnpermitted } from './queue/queue-set-but-missing-or-unpermitted';
import { QueueShared } from './queue/queue-shared';
import { SpotWithoutInterruptionQueue } from './queue/spot-without-interruption-queue';
import { GraceExceedsTwoMinutesOnSpot } from './spot/grace-exceeds-two-minutes-on-spot';
import { SpotFlexibilityLow } from './spot/spot-flexibility-low';
import { SpotNoFallback } from './spot/spot-no-fallback';
import { SpotToSpotCannotHappen } from './spot/spot-to-spot-cannot-happen';
import { StatefulOrSingletonOnSpot } from './spot/stateful-or-singleton-on-spot';
import { SystemCriticalOnSpot } from './spot/system-critical-on-spot';

/** In the order of their ids. */
export const INTERRUPTION_RULES: readonly Rule[] = [
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
];
