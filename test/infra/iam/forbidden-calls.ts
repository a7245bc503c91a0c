import {
  CallPlace,
  Context,
  creationTags,
  ec2Arn,
  ownTags,
  profileTags,
  requestTags,
  resourceTags,
} from '../../support/iam/karpenter-calls';

/** An API call that a compromised controller must not be able to make. */
export type ForbiddenCall = readonly [what: string, action: string, resource: string, context?: Context];

const OTHER_ACCOUNT = '999988887777';

export function forbiddenCallsIn(place: CallPlace): ForbiddenCall[] {
  return [
    ...instanceCalls(place),
    ...launchCalls(place),
    ...tagCalls(place),
    ...roleAndProfileCalls(place),
    ...otherCalls(place),
  ];
}

function instanceCalls(place: CallPlace): ForbiddenCall[] {
  const instance = ec2Arn(place, 'instance', 'i-1');
  const template = ec2Arn(place, 'launch-template', 'lt-1');
  const own = ownTags(place.clusterName);
  const withoutPool = resourceTags({ [`kubernetes.io/cluster/${place.clusterName}`]: 'owned' });
  return [
    ['terminate an instance of another cluster', 'ec2:TerminateInstances', instance, ownTags('other')],
    ['terminate an instance that is not a node', 'ec2:TerminateInstances', instance],
    ['terminate a node of a node group', 'ec2:TerminateInstances', instance, withoutPool],
    [
      'terminate an instance that only shares the cluster',
      'ec2:TerminateInstances',
      instance,
      { ...own, [`aws:ResourceTag/kubernetes.io/cluster/${place.clusterName}`]: 'shared' },
    ],
    ['reboot an instance of another cluster', 'ec2:RebootInstances', instance, ownTags('other')],
    ['reboot an instance that is not a node', 'ec2:RebootInstances', instance],
    ['delete a launch template of another cluster', 'ec2:DeleteLaunchTemplate', template, ownTags('other')],
    ['delete a launch template that it did not create', 'ec2:DeleteLaunchTemplate', template],
    ['stop a node of its own', 'ec2:StopInstances', instance, own],
    ['change the attributes of its own node', 'ec2:ModifyInstanceAttribute', instance, own],
    ['give a node of its own another profile', 'ec2:ReplaceIamInstanceProfileAssociation', instance, own],
    ['read the password of a node of its own', 'ec2:GetPasswordData', instance, own],
    ['detach a volume', 'ec2:DetachVolume', ec2Arn(place, 'volume', 'vol-1'), own],
  ];
}

function launchCalls(place: CallPlace): ForbiddenCall[] {
  const instance = ec2Arn(place, 'instance', '*');
  const template = ec2Arn(place, 'launch-template', 'lt-1');
  const elsewhere: CallPlace = {
    ...place,
    region: place.partition === 'aws-cn' ? 'cn-northwest-1' : `${place.region.slice(0, -1)}2`,
  };
  const tags = creationTags(place.clusterName);
  const without = (key: string) => Object.fromEntries(Object.entries(tags).filter(([name]) => name !== key));
  return [
    ['launch an instance without tags', 'ec2:RunInstances', instance],
    ['launch an instance for another cluster', 'ec2:RunInstances', instance, creationTags('other')],
    [
      'launch an instance without a NodePool',
      'ec2:RunInstances',
      instance,
      without('aws:RequestTag/karpenter.sh/nodepool'),
    ],
    [
      'launch an instance without the tag of EKS',
      'ec2:RunInstances',
      instance,
      without('aws:RequestTag/eks:eks-cluster-name'),
    ],
    ['launch an instance in another region', 'ec2:RunInstances', ec2Arn(elsewhere, 'instance', '*'), tags],
    ['launch with a launch template of another cluster', 'ec2:RunInstances', template, ownTags('other')],
    ['launch with a launch template that it did not create', 'ec2:CreateFleet', template],
    ['start a fleet for another cluster', 'ec2:CreateFleet', ec2Arn(place, 'fleet', '*'), creationTags('other')],
    ['make a launch template for another cluster', 'ec2:CreateLaunchTemplate', template, creationTags('other')],
    ['make a launch template without tags', 'ec2:CreateLaunchTemplate', template],
    ['ask for spot instances without tags', 'ec2:RunInstances', ec2Arn(place, 'spot-instances-request', '*')],
    ['read resources in another region', 'ec2:DescribeInstances', '*', { 'aws:RequestedRegion': elsewhere.region }],
    ['make an image', 'ec2:CreateImage', ec2Arn(place, 'instance', 'i-1'), ownTags(place.clusterName)],
  ];
}

function tagCalls(place: CallPlace): ForbiddenCall[] {
  const { clusterName } = place;
  const instance = ec2Arn(place, 'instance', 'i-1');
  const created = { ...creationTags(clusterName), 'ec2:CreateAction': 'RunInstances' };
  const tag = (tags: Record<string, string>, owner: Context = ownTags(clusterName)): Context => ({
    ...owner,
    ...requestTags(tags),
  });
  return [
    [
      'adopt an instance with a tag',
      'ec2:CreateTags',
      instance,
      requestTags({ [`kubernetes.io/cluster/${clusterName}`]: 'owned' }),
    ],
    ['tag an instance of another cluster', 'ec2:CreateTags', instance, tag({ Name: 'x' }, ownTags('other'))],
    ['tag a node of its own beyond its name', 'ec2:CreateTags', instance, tag({ team: 'x' })],
    ['move a node of its own to another cluster', 'ec2:CreateTags', instance, tag({ 'eks:eks-cluster-name': 'other' })],
    ['take a node of its own out of its NodePool', 'ec2:CreateTags', instance, tag({ 'karpenter.sh/nodepool': 'x' })],
    ['tag an existing resource', 'ec2:CreateTags', ec2Arn(place, 'volume', 'vol-1'), creationTags(clusterName)],
    [
      'tag a resource of another API call',
      'ec2:CreateTags',
      ec2Arn(place, 'volume', 'vol-1'),
      { ...created, 'ec2:CreateAction': 'CreateVolume' },
    ],
    [
      'tag a subnet',
      'ec2:CreateTags',
      ec2Arn(place, 'subnet', 'subnet-1'),
      requestTags({ 'karpenter.sh/discovery': clusterName }),
    ],
    [
      'tag a security group',
      'ec2:CreateTags',
      ec2Arn(place, 'security-group', 'sg-1'),
      requestTags({ 'karpenter.sh/discovery': clusterName }),
    ],
    ['remove tags', 'ec2:DeleteTags', instance, ownTags(clusterName)],
  ];
}

function roleAndProfileCalls(place: CallPlace): ForbiddenCall[] {
  const { partition, account, clusterName, region } = place;
  const role = (name: string, owner: string = account) => `arn:${partition}:iam::${owner}:role/${name}`;
  const profile = `arn:${partition}:iam::${account}:instance-profile/x`;
  const toEc2 = { 'iam:PassedToService': 'ec2.amazonaws.com' };
  const ofOther = resourceTags(profileTags('other', region));
  return [
    ['give instances another role', 'iam:PassRole', role('administrator'), toEc2],
    ['give instances its own role', 'iam:PassRole', role('controller'), toEc2],
    ['give instances a role of another account', 'iam:PassRole', role('shop-nodes', OTHER_ACCOUNT), toEc2],
    [
      'give the node role to a function',
      'iam:PassRole',
      place.nodeRole,
      { 'iam:PassedToService': 'lambda.amazonaws.com' },
    ],
    ['give the node role to any service', 'iam:PassRole', place.nodeRole],
    ['make an instance profile without tags', 'iam:CreateInstanceProfile', profile],
    [
      'make an instance profile for another cluster',
      'iam:CreateInstanceProfile',
      profile,
      requestTags(profileTags('other', region)),
    ],
    [
      'make an instance profile for another region',
      'iam:CreateInstanceProfile',
      profile,
      requestTags(profileTags(clusterName, 'eu-north-1')),
    ],
    ["give another cluster's profile a role", 'iam:AddRoleToInstanceProfile', profile, ofOther],
    ['give a profile that it did not make a role', 'iam:AddRoleToInstanceProfile', profile],
    ["take the role from another cluster's profile", 'iam:RemoveRoleFromInstanceProfile', profile, ofOther],
    ["delete another cluster's profile", 'iam:DeleteInstanceProfile', profile, ofOther],
    ['delete a profile that it did not make', 'iam:DeleteInstanceProfile', profile],
    [
      "make another cluster's profile its own",
      'iam:TagInstanceProfile',
      profile,
      { ...ofOther, ...requestTags(profileTags(clusterName, region)) },
    ],
    ['give itself more permissions', 'iam:AttachRolePolicy', role('controller')],
    ['make a role', 'iam:CreateRole', role('new')],
    ['change the trust policy of a role', 'iam:UpdateAssumeRolePolicy', role('shop-nodes')],
    ['assume another role', 'sts:AssumeRole', role('administrator')],
  ];
}

function otherCalls(place: CallPlace): ForbiddenCall[] {
  const { partition, region, account, queue } = place;
  const cluster = (name: string) => `arn:${partition}:eks:${region}:${account}:cluster/${name}`;
  const otherQueue = `arn:${partition}:sqs:${region}:${account}:other`;
  return [
    ["delete a message of another cluster's queue", 'sqs:DeleteMessage', otherQueue],
    ["read another cluster's queue", 'sqs:ReceiveMessage', otherQueue],
    ['read a queue of another account', 'sqs:ReceiveMessage', `arn:${partition}:sqs:${region}:${OTHER_ACCOUNT}:shop`],
    ['send interruption events', 'sqs:SendMessage', queue],
    ['empty its queue', 'sqs:PurgeQueue', queue],
    ['open its queue to others', 'sqs:SetQueueAttributes', queue],
    ['describe another cluster', 'eks:DescribeCluster', cluster('other')],
    ['change its cluster', 'eks:UpdateClusterConfig', cluster('shop')],
    ['create an access entry in its cluster', 'eks:CreateAccessEntry', cluster('shop')],
    [
      'read the zonal shift of another cluster',
      'arc-zonal-shift:GetManagedResource',
      cluster('other'),
      { 'arc-zonal-shift:ResourceIdentifier': cluster('other') },
    ],
    ['shift a zone away', 'arc-zonal-shift:StartZonalShift', cluster('shop')],
    [
      'read a secret parameter',
      'ssm:GetParameter',
      `arn:${partition}:ssm:${region}:${account}:parameter/database/password`,
    ],
    ['open a shell on a node', 'ssm:StartSession', ec2Arn(place, 'instance', 'i-1'), ownTags('shop')],
    ['use a key', 'kms:Decrypt', `arn:${partition}:kms:${region}:${account}:key/6f29df3a-fb94-48e4-b359-a88fb74ce78d`],
    ['read a bucket', 's3:GetObject', `arn:${partition}:s3:::secrets/x`],
  ];
}
