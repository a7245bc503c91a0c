/**
 * What Karpenter makes of each sign that an instance ends.
 *
 * Sources: pkg/controllers/interruption (controller.go, parser.go, utils.go, messages, instancestatus_controller.go),
 * pkg/controllers/capacityreservation/expiration, pkg/providers/instancestatus and pkg/cache of Karpenter for AWS
 * 1.15.1; `since` by these folders in the releases from 1.0.8 on, and by the release notes of 1.6.0.
 */
import { EventPatternFields, matchesEventPattern } from './event-pattern';
import {
  CAPACITY_RESERVATION_INTERRUPTION, CAPACITY_RESERVATION_INTERRUPTION_SINCE, InterruptionEvent, REBALANCE, SCHEDULED_CHANGE,
  SPOT_INTERRUPTION, STATE_CHANGE,
} from './events';
import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from '../karpenter-version';

/**
 * In Karpenter's words. `CordonAndDrain` deletes the NodeClaim: its node drains, and PodDisruptionBudgets hold until
 * the terminationGracePeriod is over, or EC2 takes the instance. `ForcefulTermination` sets the end of that period to
 * now as well.
 */
export type InterruptionAction = 'CordonAndDrain' | 'ForcefulTermination' | 'NoAction';

/** A look at EC2 that Karpenter takes by itself, with or without a queue. */
export interface InterruptionPoll {
  readonly call: string;
  /** What it looks for. */
  readonly finds: string;
  readonly everySeconds: number;
}

export interface Interruption {
  /**
   * As Karpenter calls it in logs and in the metric of disrupted NodeClaims; of capacity blocks our own word, since it
   * has none.
   */
  readonly kind: string;
  /** Absent where Karpenter looks by itself. */
  readonly event?: InterruptionEvent;
  /** Of the event, what it must hold besides; letters are compared as if they were small. */
  readonly accepted?: EventPatternFields;
  /** Absent where an event tells. */
  readonly poll?: InterruptionPoll;
  readonly action: InterruptionAction;
  /**
   * Where Karpenter launches nothing then: into spot of its type in its zone, or into its capacity reservation, for
   * UNAVAILABLE_SECONDS; into its capacity block never again.
   */
  readonly unavailable?: 'spot-offering' | 'capacity-reservation' | 'capacity-block';
  /** The first release that does so. */
  readonly since: string;
}

/** Seconds for which Karpenter does not retry an offering that EC2 refused or interrupted. */
export const UNAVAILABLE_SECONDS = 180;
/** Before its end, a capacity block is given up: ten minutes before EC2 begins to take its instances back. */
export const CAPACITY_BLOCK_NOTICE_SECONDS = 2_400;
/** Status checks of an instance have to fail for as long. */
export const IMPAIRED_SECONDS = 120;

const POLL_SECONDS = 60;

export const INTERRUPTIONS: readonly Interruption[] = [
  { kind: 'spot_interrupted', event: SPOT_INTERRUPTION, action: 'CordonAndDrain', unavailable: 'spot-offering', since: '1.0.0' },
  { kind: 'rebalance_recommendation', event: REBALANCE, action: 'NoAction', since: '1.0.0' },
  { kind: 'instance_stopped', event: STATE_CHANGE, accepted: states('stopping', 'stopped'), action: 'CordonAndDrain', since: '1.0.0' },
  { kind: 'instance_terminated', event: STATE_CHANGE, accepted: states('shutting-down', 'terminated'), action: 'CordonAndDrain', since: '1.0.0' },
  { kind: 'scheduled_change', event: SCHEDULED_CHANGE, action: 'CordonAndDrain', since: '1.0.0' },
  {
    kind: 'capacity_reservation_interrupted',
    event: CAPACITY_RESERVATION_INTERRUPTION,
    action: 'CordonAndDrain',
    unavailable: 'capacity-reservation',
    since: CAPACITY_RESERVATION_INTERRUPTION_SINCE,
  },
  statusCheck('instance_status', `a status check of the instance that has failed for ${IMPAIRED_SECONDS} seconds`, 'ForcefulTermination'),
  statusCheck('system_status', `a status check of its host that has failed for ${IMPAIRED_SECONDS} seconds`, 'ForcefulTermination'),
  statusCheck('event_status', 'a scheduled reboot, maintenance, retirement or stop', 'CordonAndDrain'),
  {
    kind: 'capacity_block_expiring',
    poll: {
      call: 'ec2:DescribeCapacityReservations',
      finds: `a capacity block that ends in ${CAPACITY_BLOCK_NOTICE_SECONDS / 60} minutes or less`,
      everySeconds: POLL_SECONDS,
    },
    action: 'CordonAndDrain',
    unavailable: 'capacity-block',
    since: '1.6.0',
  },
];

/**
 * What Karpenter makes of a message in its queue; undefined where it drops it.
 *
 * @param event as EventBridge delivers it
 * @param version of Karpenter, the newest known unless given
 * @throws Error if it is no version
 */
export function interruptionOf(event: unknown, version: string = NEWEST_KARPENTER_VERSION): Interruption | undefined {
  return INTERRUPTIONS.find(({ event: known, accepted = {}, since }) => known !== undefined
    && compareKarpenterVersions(version, since) >= 0
    && matchesEventPattern({ version: ['0'], ...known.pattern }, event)
    && matchesEventPattern(accepted, inSmallLetters(event)));
}

/** @throws Error for a kind that there is none of */
export function interruptionOfKind(kind: string): Interruption {
  const found = INTERRUPTIONS.find((each) => each.kind === kind);
  if (!found) throw new Error(`kind: not one of Karpenter's, got ${JSON.stringify(kind)}; write ${INTERRUPTIONS.map((each) => each.kind).join(', ')}`);
  return found;
}

function states(...state: readonly string[]): EventPatternFields {
  return { detail: { state } };
}

function statusCheck(kind: string, finds: string, action: InterruptionAction): Interruption {
  return { kind, poll: { call: 'ec2:DescribeInstanceStatus', finds, everySeconds: POLL_SECONDS }, action, since: '1.12.0' };
}

/** Of the state alone: nothing else is compared so. */
function inSmallLetters(event: unknown): unknown {
  const { detail } = event as { readonly detail?: { readonly state?: unknown } };
  return { detail: { state: typeof detail?.state === 'string' ? detail.state.toLowerCase() : undefined } };
}
