/**
 * What AWS Fault Injection Service accepts for `aws:ec2:send-spot-instance-interruptions`.
 *
 * Sources: https://docs.aws.amazon.com/fis/latest/userguide/fis-actions-reference.html, the quotas of the service, and
 * https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/initiate-a-spot-instance-interruption.html (regions)
 */
export const SPOT_EXPERIMENT_MAX_INSTANCES = 5;

/** EC2 gives the same notice that it gives when it takes a spot instance back. */
export const SPOT_EXPERIMENT_NOTICE_MINUTES = { min: 2, max: 15 } as const;

/** Regions where spot interruptions cannot be sent. */
export const REGIONS_WITHOUT_SPOT_EXPERIMENTS: ReadonlySet<string> = new Set([
  'ap-northeast-3', 'ap-southeast-3', 'cn-north-1', 'cn-northwest-1', 'me-central-1',
]);
