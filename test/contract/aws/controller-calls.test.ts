import { controllerPolicies } from '../../../src/contract';

/**
 * The calls to AWS in the Go code of Karpenter for AWS 1.15.1, in pkg/, without tests and fakes: calls of the methods
 * of pkg/aws/sdk.go and paginators of the AWS SDK. `SendMessage`, `GetRole`, `TagInstanceProfile` and `WriteRecords`
 * are methods there, too, but no controller calls them.
 */
const CALLS: Readonly<Record<string, string>> = {
  'arc-zonal-shift:GetManagedResource': 'providers/arczonalshift/arczonalshift.go, operator/operator.go',
  'ec2:CreateFleet': 'batcher/createfleet.go, controllers/nodeclass/validation.go',
  'ec2:CreateLaunchTemplate': 'providers/launchtemplate/launchtemplate.go',
  'ec2:CreateTags': 'providers/instance/instance.go',
  'ec2:DeleteLaunchTemplate': 'providers/launchtemplate/launchtemplate.go',
  'ec2:DescribeCapacityReservations': 'providers/capacityreservation/provider.go',
  'ec2:DescribeImages': 'providers/amifamily/ami.go',
  'ec2:DescribeInstances': 'batcher/describeinstances.go, providers/instance/instance.go',
  'ec2:DescribeInstanceStatus': 'providers/instancestatus/instancestatus.go',
  'ec2:DescribeInstanceTypeOfferings': 'providers/instancetype/instancetype.go',
  'ec2:DescribeInstanceTypes': 'providers/instancetype/instancetype.go, operator/operator.go',
  'ec2:DescribeLaunchTemplates': 'providers/launchtemplate/launchtemplate.go',
  'ec2:DescribePlacementGroups': 'providers/placementgroup/provider.go',
  'ec2:DescribeSecurityGroups': 'providers/securitygroup/securitygroup.go',
  'ec2:DescribeSpotPriceHistory': 'providers/pricing/pricing.go',
  'ec2:DescribeSubnets': 'providers/subnet/subnet.go',
  'ec2:RebootInstances': 'providers/instance/instance.go',
  'ec2:RunInstances': 'controllers/nodeclass/validation.go',
  'ec2:TerminateInstances': 'batcher/terminateinstances.go',
  'eks:DescribeCluster': 'providers/launchtemplate/launchtemplate.go, providers/version/version.go',
  'iam:AddRoleToInstanceProfile': 'providers/instanceprofile/instanceprofile.go',
  'iam:CreateInstanceProfile': 'providers/instanceprofile/instanceprofile.go',
  'iam:DeleteInstanceProfile': 'providers/instanceprofile/instanceprofile.go',
  'iam:GetInstanceProfile': 'providers/instanceprofile/instanceprofile.go',
  'iam:ListInstanceProfiles': 'providers/instanceprofile/instanceprofile.go',
  'iam:RemoveRoleFromInstanceProfile': 'providers/instanceprofile/instanceprofile.go',
  'pricing:GetProducts': 'providers/pricing/pricing.go',
  'sqs:DeleteMessage': 'providers/sqs/sqs.go',
  'sqs:GetQueueUrl': 'providers/sqs/sqs.go',
  'sqs:ReceiveMessage': 'providers/sqs/sqs.go',
  'ssm:GetParameter': 'providers/ssm/provider.go',
};

/** IAM checks these actions in other calls: for instances that get a role, and for profiles with tags. */
const IMPLIED = ['iam:PassRole', 'iam:TagInstanceProfile'];

test('the policies of 1.15.1 allow exactly the calls in the Go code of that release', () => {
  const target = {
    partition: 'aws',
    region: 'eu-west-1',
    account: '111122223333',
    clusterName: 'shop',
    nodeRoles: ['role'],
    interruptionQueue: 'queue',
  };
  const allowed = controllerPolicies(target, { karpenterVersion: '1.15.1' })
    .flatMap(({ statements }) => statements)
    .flatMap(({ Action }) => Action);
  expect([...new Set(allowed)].sort()).toEqual([...Object.keys(CALLS), ...IMPLIED].sort());
});

/**
 * Source: `Reboot` in providers/instance/instance.go reboots the instance of one NodeClaim. utils/utils.go tags each
 * instance with the cluster and its NodePool, which is what the conditions of the statement compare.
 */
test('reboots are limited to instances of the cluster that a NodePool owns', () => {
  const target = {
    partition: 'aws',
    region: 'eu-west-1',
    account: '111122223333',
    clusterName: 'shop',
    nodeRoles: ['role'],
  };
  const statements = controllerPolicies(target, { karpenterVersion: '1.15.1' })
    .flatMap((policy) => policy.statements)
    .filter(({ Action }) => Action.includes('ec2:RebootInstances'));
  expect(statements).toEqual([
    expect.objectContaining({
      Resource: expect.arrayContaining(['arn:aws:ec2:eu-west-1:*:instance/*']),
      Condition: {
        StringEquals: { 'aws:ResourceTag/kubernetes.io/cluster/shop': 'owned' },
        StringLike: { 'aws:ResourceTag/karpenter.sh/nodepool': '*' },
      },
    }),
  ]);
});
