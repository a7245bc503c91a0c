/** What cdk-nag (AwsSolutions) finds in Karpenter's roles and policies, and why it stays. */
import { Acknowledgment, Validations } from 'aws-cdk-lib';
import { ExampleEnvironment } from './cdk-example';
import { Karpenter } from '../src/infra';

/** What EKS asks of every node, https://docs.aws.amazon.com/eks/latest/userguide/create-node-role.html. */
const NODE_POLICIES = [
  'AmazonEKS_CNI_Policy',
  'AmazonEKSWorkerNodePolicy',
  'AmazonEC2ContainerRegistryPullOnly',
  'AmazonSSMManagedInstanceCore',
];

const CHOSEN_BY_SELECTORS = [
  'image',
  'snapshot',
  'security-group',
  'subnet',
  'capacity-reservation',
  'placement-group',
];
const TAGGED_BY_KARPENTER = [
  'launch-template',
  'fleet',
  'instance',
  'volume',
  'network-interface',
  'spot-instances-request',
];
/** EC2 gives the ARNs of these without an account. */
const WITHOUT_ACCOUNT = ['image', 'snapshot'];

export function acknowledgeKarpenter(
  { nodeRole, controllerPolicies }: Karpenter,
  { account, region }: ExampleEnvironment,
): void {
  Validations.of(nodeRole).acknowledge(
    ...NODE_POLICIES.map((policy) => ({
      id: `AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/${policy}]`,
      reason: 'EKS asks for this policy, and AWS keeps it up to date with what nodes call',
    })),
  );
  const ec2 = (resource: string) => `ec2:${region}:${WITHOUT_ACCOUNT.includes(resource) ? '' : '*'}:${resource}/*`;
  Validations.of(controllerPolicies).acknowledge(
    ...CHOSEN_BY_SELECTORS.map((resource) =>
      wildcard(ec2(resource), 'which ones are used is decided at run time, by the selectors of an EC2NodeClass'),
    ),
    ...TAGGED_BY_KARPENTER.map((resource) =>
      wildcard(ec2(resource), 'Karpenter makes them; conditions allow those alone that carry the tags of this cluster'),
    ),
    wildcard(
      `iam::${account}:instance-profile/*`,
      'Karpenter makes them; conditions allow those alone that carry the tags of this cluster',
    ),
    wildcard(`ssm:${region}::parameter/aws/service/*`, 'public parameters, in which AWS publishes machine images'),
    {
      id: 'AwsSolutions-IAM5[Resource::*]',
      reason: 'calls that only read, and take no resource: IAM offers nothing narrower',
    },
  );
}

/** A resource with an asterisk, as cdk-nag writes it in the id of a finding. */
export function wildcard(resource: string, reason: string): Acknowledgment {
  return { id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:${resource}]`, reason };
}
