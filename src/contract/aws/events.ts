/**
 * AWS events about instance interruptions, and which controller handles which event.
 *
 * Sources: the parsers in pkg/controllers/interruption/messages of Karpenter for AWS 1.0.8 to 1.15.1 (they drop
 * messages of another source or detail type, and health events of another service or category), and the rules of the
 * CloudFormation template in its getting started guide; processEventBridgeEvent in pkg/monitor/sqsevent of AWS Node
 * Termination Handler 1.25.1.
 */
import { EventPattern } from './event-pattern';
import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from '../karpenter-version';

export interface InterruptionEvent {
  /** The rule's name in upstream's template and in this library. */
  readonly rule: string;
  /** The event in words, for messages and for the EventBridge rule. */
  readonly description: string;
  readonly pattern: EventPattern;
}

export const SCHEDULED_CHANGE: InterruptionEvent = {
  rule: 'ScheduledChangeRule',
  description: 'AWS has scheduled maintenance or the retirement of an instance',
  // Upstream's rule matches every health event of the account. Karpenter then drops all other events.
  pattern: {
    source: ['aws.health'],
    'detail-type': ['AWS Health Event'],
    detail: { service: ['EC2'], eventTypeCategory: ['scheduledChange'] },
  },
};

export const SPOT_INTERRUPTION = ec2Event(
  'SpotInterruptionRule',
  'EC2 Spot Instance Interruption Warning',
  'EC2 takes a spot instance back in two minutes',
);

export const REBALANCE = ec2Event(
  'RebalanceRule',
  'EC2 Instance Rebalance Recommendation',
  'a spot instance is more likely than others to be interrupted soon',
);

export const STATE_CHANGE = ec2Event(
  'InstanceStateChangeRule',
  'EC2 Instance State-change Notification',
  'an instance starts, stops or is terminated',
);

export const CAPACITY_RESERVATION_INTERRUPTION = ec2Event(
  'CapacityReservationInterruptionRule',
  'EC2 Capacity Reservation Instance Interruption Warning',
  'the owner of an interruptible capacity reservation wants its instance back',
);

/** The first release that handles interruptions of capacity reservations. */
export const CAPACITY_RESERVATION_INTERRUPTION_SINCE = '1.10.0';

/** Only AWS Node Termination Handler handles it. Karpenter's instances do not belong to an Auto Scaling group. */
export const AUTO_SCALING_TERMINATION: InterruptionEvent = {
  rule: 'AutoScalingTerminationRule',
  description: 'an Auto Scaling group waits for its lifecycle hook before it terminates an instance',
  pattern: { source: ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] },
};

/**
 * The events that must reach Karpenter's queue, in the order of upstream's template.
 *
 * @param version of Karpenter; the newest known version by default
 * @throws Error if `version` is not a version
 */
export function karpenterEvents(version: string = NEWEST_KARPENTER_VERSION): readonly InterruptionEvent[] {
  const handlesReservations = compareKarpenterVersions(version, CAPACITY_RESERVATION_INTERRUPTION_SINCE) >= 0;
  return [
    SCHEDULED_CHANGE,
    SPOT_INTERRUPTION,
    REBALANCE,
    STATE_CHANGE,
    ...(handlesReservations ? [CAPACITY_RESERVATION_INTERRUPTION] : []),
  ];
}

/**
 * The events that AWS Node Termination Handler handles in queue mode, without lifecycle hooks (see
 * AUTO_SCALING_TERMINATION).
 */
export const NODE_TERMINATION_HANDLER_EVENTS: readonly InterruptionEvent[] = [
  SCHEDULED_CHANGE,
  SPOT_INTERRUPTION,
  REBALANCE,
  STATE_CHANGE,
];

function ec2Event(rule: string, detailType: string, description: string): InterruptionEvent {
  return { rule, description, pattern: { source: ['aws.ec2'], 'detail-type': [detailType] } };
}
