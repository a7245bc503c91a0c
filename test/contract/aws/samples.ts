/**
 * Events as EventBridge delivers them, shaped after the samples in the documentation of AWS: monitoring spot
 * interruptions, rebalance recommendations and instance state changes (EC2 user guide), the schema
 * aws.ec2@EC2CapacityReservationInstanceInterruptionWarning, events of AWS Health (AWS Health user guide), and
 * lifecycle hooks (EC2 Auto Scaling user guide).
 */
type Event = Readonly<Record<string, unknown>>;

const INSTANCE = 'i-0123456789abcdef0';

function event(source: string, detailType: string, detail: Event): Event {
  return {
    version: '0',
    id: '12345678-1234-1234-1234-123456789012',
    'detail-type': detailType,
    source,
    account: '111122223333',
    time: '2026-02-03T04:05:06Z',
    region: 'us-east-1',
    resources: [`arn:aws:ec2:us-east-1:111122223333:instance/${INSTANCE}`],
    detail,
  };
}

const health = (service: string, eventTypeCategory: string, eventTypeCode: string) =>
  event('aws.health', 'AWS Health Event', {
    eventArn: `arn:aws:health:us-east-1::event/${service}/${eventTypeCode}/${eventTypeCode}_1`,
    service,
    eventScopeCode: 'ACCOUNT_SPECIFIC',
    communicationId: '1',
    lastUpdatedTime: 'Tue, 3 Feb 2026 04:05:06 GMT',
    statusCode: 'upcoming',
    eventRegion: 'us-east-1',
    eventTypeCode,
    eventTypeCategory,
    startTime: 'Tue, 17 Feb 2026 04:05:06 GMT',
    endTime: 'Tue, 17 Feb 2026 05:05:06 GMT',
    eventDescription: [{ language: 'en_US', latestDescription: 'One or more instances are scheduled for retirement.' }],
    affectedEntities: [{ entityValue: INSTANCE, tags: { environment: 'production' } }],
    affectedAccount: '111122223333',
  });

const stateChange = (state: string) =>
  event('aws.ec2', 'EC2 Instance State-change Notification', { 'instance-id': INSTANCE, state });

/** Sample events for each rule. */
export const SAMPLES: Readonly<Record<string, readonly Event[]>> = {
  ScheduledChangeRule: [
    health('EC2', 'scheduledChange', 'AWS_EC2_PERSISTENT_INSTANCE_RETIREMENT_SCHEDULED'),
    health('EC2', 'scheduledChange', 'AWS_EC2_INSTANCE_REBOOT_MAINTENANCE_SCHEDULED'),
  ],
  SpotInterruptionRule: [
    event('aws.ec2', 'EC2 Spot Instance Interruption Warning', {
      'instance-id': INSTANCE,
      'instance-action': 'terminate',
    }),
    event('aws.ec2', 'EC2 Spot Instance Interruption Warning', { 'instance-id': INSTANCE, 'instance-action': 'stop' }),
  ],
  RebalanceRule: [event('aws.ec2', 'EC2 Instance Rebalance Recommendation', { 'instance-id': INSTANCE })],
  InstanceStateChangeRule: ['pending', 'running', 'stopping', 'stopped', 'shutting-down', 'terminated'].map(
    stateChange,
  ),
  CapacityReservationInterruptionRule: [
    event('aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning', {
      'instance-id': INSTANCE,
      'instance-action': 'terminate',
    }),
  ],
  AutoScalingTerminationRule: [
    event('aws.autoscaling', 'EC2 Instance-terminate Lifecycle Action', {
      LifecycleActionToken: '87654321-4321-4321-4321-210987654321',
      AutoScalingGroupName: 'workers',
      LifecycleHookName: 'drain',
      EC2InstanceId: INSTANCE,
      LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
      Origin: 'AutoScalingGroup',
      Destination: 'EC2',
    }),
  ],
};

/** Events that look similar but that no rule may match. */
export const NEAR_MISSES: Readonly<Record<string, Event>> = {
  'a health issue of EC2': health('EC2', 'issue', 'AWS_EC2_OPERATIONAL_ISSUE'),
  'a notification of EC2 about the account': health(
    'EC2',
    'accountNotification',
    'AWS_EC2_PERSISTENT_INSTANCE_RETIREMENT_NOTICE',
  ),
  'scheduled maintenance of RDS': health('RDS', 'scheduledChange', 'AWS_RDS_MAINTENANCE_SCHEDULED'),
  'a health event of somebody else': { ...health('EC2', 'scheduledChange', 'X'), source: 'com.example.health' },
  'a health event without a detail': { ...health('EC2', 'scheduledChange', 'X'), detail: {} },
  'a spot warning of somebody else': event('com.example', 'EC2 Spot Instance Interruption Warning', {
    'instance-id': INSTANCE,
  }),
  'a spot request that was filled': event('aws.ec2', 'EC2 Spot Instance Request Fulfillment', {
    'instance-id': INSTANCE,
  }),
  'a spot warning in small letters': event('aws.ec2', 'ec2 spot instance interruption warning', {
    'instance-id': INSTANCE,
  }),
  'a spot warning whose first letter is missing': event('aws.ec2', 'C2 Spot Instance Interruption Warning', {
    'instance-id': INSTANCE,
  }),
  'a state change of a volume': event('aws.ec2', 'EBS Volume Notification', {
    event: 'createVolume',
    result: 'available',
  }),
  'a capacity reservation that is not used much': event('aws.ec2', 'AWS EC2 ODCR Underutilization Notification', {
    'capacity-reservation-id': 'cr-1',
  }),
  'a launch by an Auto Scaling group': event('aws.autoscaling', 'EC2 Instance-launch Lifecycle Action', {
    EC2InstanceId: INSTANCE,
    LifecycleTransition: 'autoscaling:EC2_INSTANCE_LAUNCHING',
  }),
  'a termination by an Auto Scaling group that waits for nobody': event(
    'aws.autoscaling',
    'EC2 Instance Terminate Successful',
    { EC2InstanceId: INSTANCE },
  ),
};

/** All events by name, and further events that can only reach the queue directly. */
export const QUEUE_EVENTS: Readonly<Record<string, Event>> = {
  ...Object.fromEntries(
    Object.entries(SAMPLES).flatMap(([rule, samples]) => samples.map((sample, at) => [`${rule} ${at}`, sample])),
  ),
  ...NEAR_MISSES,
  'a spot warning of another version': { ...SAMPLES.SpotInterruptionRule[0], version: '1' },
  'a spot warning without a version': { ...SAMPLES.SpotInterruptionRule[0], version: undefined },
  'a state in capitals': {
    ...SAMPLES.InstanceStateChangeRule[0],
    detail: { 'instance-id': INSTANCE, state: 'Shutting-Down' },
  },
};
