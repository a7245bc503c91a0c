/**
 * The events of AWS that announce the end of an instance, and who listens to which.
 *
 * Sources: the parsers in pkg/controllers/interruption/messages of Karpenter for AWS 1.0.8 to 1.15.1 (a message of
 * another source, detail type or, for health, another service or category is dropped), and the rules of the
 * CloudFormation template in its getting started guide; processEventBridgeEvent in pkg/monitor/sqsevent of AWS Node
 * Termination Handler 1.25.1.
 */
import { EventPattern } from './event-pattern';
import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from '../karpenter-version';

export interface InterruptionEvent {
  /** Name of the rule in upstream's template, and of ours. */
  readonly rule: string;
  readonly says: string;
  readonly pattern: EventPattern;
}

export const SCHEDULED_CHANGE: InterruptionEvent = {
  rule: 'ScheduledChangeRule',
  says: 'AWS has scheduled maintenance or the retirement of an instance',
  // Upstream's rule takes every health event of the account; Karpenter throws the others away after reading.
  pattern: {
    'source': ['aws.health'],
    'detail-type': ['AWS Health Event'],
    'detail': { service: ['EC2'], eventTypeCategory: ['scheduledChange'] },
  },
};

export const SPOT_INTERRUPTION = ec2Event('SpotInterruptionRule', 'EC2 Spot Instance Interruption Warning',
  'EC2 takes a spot instance back in two minutes');

export const REBALANCE = ec2Event('RebalanceRule', 'EC2 Instance Rebalance Recommendation',
  'a spot instance is more likely than others to be interrupted soon');

export const STATE_CHANGE = ec2Event('InstanceStateChangeRule', 'EC2 Instance State-change Notification',
  'an instance starts, stops or is terminated');

export const CAPACITY_RESERVATION_INTERRUPTION = ec2Event('CapacityReservationInterruptionRule',
  'EC2 Capacity Reservation Instance Interruption Warning', 'the owner of an interruptible capacity reservation wants its instance back');

/** The first release that reads interruptions of capacity reservations. */
export const CAPACITY_RESERVATION_INTERRUPTION_SINCE = '1.10.0';

/** Only AWS Node Termination Handler acts on it: Karpenter's instances are in no Auto Scaling group. */
export const AUTO_SCALING_TERMINATION: InterruptionEvent = {
  rule: 'AutoScalingTerminationRule',
  says: 'an Auto Scaling group waits for its lifecycle hook before it terminates an instance',
  pattern: { 'source': ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] },
};

/**
 * What must reach the queue of Karpenter, in the order of upstream's template.
 *
 * @param version of Karpenter, the newest known unless given
 * @throws Error if it is no version
 */
export function karpenterEvents(version: string = NEWEST_KARPENTER_VERSION): readonly InterruptionEvent[] {
  const listensToReservations = compareKarpenterVersions(version, CAPACITY_RESERVATION_INTERRUPTION_SINCE) >= 0;
  return [
    SCHEDULED_CHANGE, SPOT_INTERRUPTION, REBALANCE, STATE_CHANGE,
    ...listensToReservations ? [CAPACITY_RESERVATION_INTERRUPTION] : [],
  ];
}

/**
 * What AWS Node Termination Handler can do something about, in queue mode; without the lifecycle hooks, see
 * AUTO_SCALING_TERMINATION.
 */
export const NODE_TERMINATION_HANDLER_EVENTS: readonly InterruptionEvent[] = [SCHEDULED_CHANGE, SPOT_INTERRUPTION, REBALANCE, STATE_CHANGE];

function ec2Event(rule: string, detailType: string, says: string): InterruptionEvent {
  return { rule, says, pattern: { 'source': ['aws.ec2'], 'detail-type': [detailType] } };
}
