/**
 * The types of EC2 resources for which IAM checks an action of Karpenter. Left out are types that EC2 checks only in
 * some requests, such as snapshots.
 *
 * @see https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazonec2.html
 */
export const CHECKED_RESOURCES: Readonly<Record<string, readonly string[]>> = {
  'ec2:RunInstances': [
    'image',
    'security-group',
    'subnet',
    'capacity-reservation',
    'placement-group',
    'launch-template',
    'instance',
    'volume',
    'network-interface',
    'spot-instances-request',
  ],
  'ec2:CreateFleet': [
    'image',
    'subnet',
    'capacity-reservation',
    'placement-group',
    'launch-template',
    'fleet',
    'instance',
    'volume',
  ],
  'ec2:CreateLaunchTemplate': ['launch-template'],
  'ec2:CreateTags': ['fleet', 'instance', 'volume', 'network-interface', 'launch-template', 'spot-instances-request'],
  'ec2:TerminateInstances': ['instance'],
  'ec2:RebootInstances': ['instance'],
  'ec2:DeleteLaunchTemplate': ['launch-template'],
};
/** Types of resources that exist before a launch: requests have no tags for them. */
export const EXISTING_RESOURCES: ReadonlySet<string> = new Set([
  'image',
  'security-group',
  'subnet',
  'capacity-reservation',
  'placement-group',
  'launch-template',
]);
