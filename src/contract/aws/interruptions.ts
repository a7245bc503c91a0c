/**
 * Karpenter's reaction to each interruption of an instance.
 *
 * Sources: pkg/controllers/interruption (controller.go, parser.go, utils.go, messages, instancestatus_controller.go),
 * pkg/controllers/capacityreservation/expiration, pkg/providers/instancestatus and pkg/cache of Karpenter for AWS
 * 1.15.1; `since` by these folders in the releases from 1.0.8 on, and by the release notes of 1.6.0.
 */
import { EventPatternFields, matchesEventPattern } from './event-pattern';
import {
  CAPACITY_RESERVATION_INTERRUPTION,
  CAPACITY_RESERVATION_INTERRUPTION_SINCE,
  InterruptionEvent,
  REBALANCE,
  SCHEDULED_CHANGE,
  SPOT_INTERRUPTION,
  STATE_CHANGE,
} from './events';
import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from '../karpenter-version';

/**
 * Karpenter's names. `CordonAndDrain` deletes the NodeClaim: its node drains, and PodDisruptionBudgets are respected
 * until the terminationGracePeriod ends or EC2 terminates the instance. `ForcefulTermination` also ends the
 * terminationGracePeriod at once.
 */
export type InterruptionAction = 'CordonAndDrain' | 'ForcefulTermination' | 'NoAction';

/** An EC2 API call that Karpenter repeats, with or without a queue. */
export interface InterruptionPoll {
  readonly call: string;
  /** The condition that it detects. */
  readonly condition: string;
  readonly everySeconds: number;
}

export interface Interruption {
  /**
   * Karpenter's name in logs and in the metric of disrupted NodeClaims. Karpenter has no name for expiring capacity
   * blocks, so that name is ours.
   */
  readonly kind: string;
  /** Absent if Karpenter polls EC2 instead. */
  readonly event?: InterruptionEvent;
  /** Fields that the event must also match. The comparison ignores case. */
  readonly additionalPattern?: EventPatternFields;
  /** Absent if an event reports the interruption. */
  readonly poll?: InterruptionPoll;
  readonly action: InterruptionAction;
  /**
   * The offering into which Karpenter then launches nothing: for UNAVAILABLE_SECONDS, the spot offering of this type in
   * this zone, or the capacity reservation; for ever, the capacity block.
   */
  readonly unavailableOffering?: 'spot-offering' | 'capacity-reservation' | 'capacity-block';
  /** The first release with this reaction. */
  readonly since: string;
}

/** Seconds for which Karpenter does not retry an offering that EC2 refused or interrupted. */
export const UNAVAILABLE_SECONDS = 180;
/**
 * Time before the end of a capacity block at which Karpenter drains its nodes: ten minutes before EC2 begins to
 * terminate the instances.
 */
export const CAPACITY_BLOCK_NOTICE_SECONDS = 2_400;
/** Karpenter reacts to a status check after it has failed for this time. */
export const IMPAIRED_SECONDS = 120;

const POLL_SECONDS = 60;

export const INTERRUPTIONS: readonly Interruption[] = [
  {
    kind: 'spot_interrupted',
    event: SPOT_INTERRUPTION,
    action: 'CordonAndDrain',
    unavailableOffering: 'spot-offering',
    since: '1.0.0',
  },
  { kind: 'rebalance_recommendation', event: REBALANCE, action: 'NoAction', since: '1.0.0' },
  {
    kind: 'instance_stopped',
    event: STATE_CHANGE,
    additionalPattern: states('stopping', 'stopped'),
    action: 'CordonAndDrain',
    since: '1.0.0',
  },
  {
    kind: 'instance_terminated',
    event: STATE_CHANGE,
    additionalPattern: states('shutting-down', 'terminated'),
    action: 'CordonAndDrain',
    since: '1.0.0',
  },
  { kind: 'scheduled_change', event: SCHEDULED_CHANGE, action: 'CordonAndDrain', since: '1.0.0' },
  {
    kind: 'capacity_reservation_interrupted',
    event: CAPACITY_RESERVATION_INTERRUPTION,
    action: 'CordonAndDrain',
    unavailableOffering: 'capacity-reservation',
    since: CAPACITY_RESERVATION_INTERRUPTION_SINCE,
  },
  statusCheck(
    'instance_status',
    `a status check of the instance that has failed for ${IMPAIRED_SECONDS} seconds`,
    'ForcefulTermination',
  ),
  statusCheck(
    'system_status',
    `a status check of its host that has failed for ${IMPAIRED_SECONDS} seconds`,
    'ForcefulTermination',
  ),
  statusCheck('event_status', 'a scheduled reboot, maintenance, retirement or stop', 'CordonAndDrain'),
  {
    kind: 'capacity_block_expiring',
    poll: {
      call: 'ec2:DescribeCapacityReservations',
      condition: `a capacity block that ends in ${CAPACITY_BLOCK_NOTICE_SECONDS / 60} minutes or less`,
      everySeconds: POLL_SECONDS,
    },
    action: 'CordonAndDrain',
    unavailableOffering: 'capacity-block',
    since: '1.6.0',
  },
];

/**
 * Karpenter's reaction to a message in its queue. Undefined if Karpenter drops the message.
 *
 * @param event as EventBridge delivers it
 * @param version of Karpenter; the newest known version by default
 * @throws Error if `version` is not a version
 */
export function interruptionOf(event: unknown, version: string = NEWEST_KARPENTER_VERSION): Interruption | undefined {
  return INTERRUPTIONS.find(
    ({ event: expected, additionalPattern = {}, since }) =>
      expected !== undefined &&
      compareKarpenterVersions(version, since) >= 0 &&
      matchesEventPattern({ version: ['0'], ...expected.pattern }, event) &&
      matchesEventPattern(additionalPattern, withLowerCaseState(event)),
  );
}

/** @throws Error if `kind` is unknown */
export function interruptionOfKind(kind: string): Interruption {
  const interruption = INTERRUPTIONS.find((candidate) => candidate.kind === kind);
  if (!interruption)
    throw new Error(
      `kind: must be one of Karpenter's interruption kinds, got ${JSON.stringify(kind)}; write ${INTERRUPTIONS.map((known) => known.kind).join(', ')}`,
    );
  return interruption;
}

function states(...state: readonly string[]): EventPatternFields {
  return { detail: { state } };
}

function statusCheck(kind: string, condition: string, action: InterruptionAction): Interruption {
  return {
    kind,
    poll: { call: 'ec2:DescribeInstanceStatus', condition, everySeconds: POLL_SECONDS },
    action,
    since: '1.12.0',
  };
}

/** Only the state is compared without case. */
function withLowerCaseState(event: unknown): unknown {
  const { detail } = event as { readonly detail?: { readonly state?: unknown } };
  return { detail: { state: typeof detail?.state === 'string' ? detail.state.toLowerCase() : undefined } };
}
