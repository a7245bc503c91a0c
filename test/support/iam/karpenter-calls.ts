/**
 * Every call of Karpenter to AWS, with the resources and conditions that IAM evaluates. Written from the Go code of
 * Karpenter for AWS 1.15.1. A call that names several resources is allowed only if it is allowed for each of them.
 */

/** The account, cluster and names that the calls refer to. */
export interface CallPlace {
  readonly partition: string;
  readonly region: string;
  readonly account: string;
  readonly clusterName: string;
  readonly nodeRole: string;
  readonly queue: string;
}

export type Context = Readonly<Record<string, string | string[]>>;

export interface Target {
  readonly resource: string;
  readonly context?: Context;
}

export interface KarpenterCall {
  /** A method of an interface in pkg/aws/sdk.go, or an action that AWS checks because of such a call. */
  readonly api: string;
  readonly action: string;
  /** File of Karpenter with the call. */
  readonly source: string;
  readonly targets: readonly Target[];
}

const INSTANCE = 'pkg/providers/instance/instance.go';
const LAUNCH_TEMPLATE = 'pkg/providers/launchtemplate/launchtemplate.go';
const PROFILE = 'pkg/providers/instanceprofile/instanceprofile.go';
const DRY_RUN = 'pkg/controllers/nodeclass/validation.go';

const READS: ReadonlyArray<readonly [method: string, source: string]> = [
  ['DescribeCapacityReservations', 'pkg/providers/capacityreservation/provider.go'],
  ['DescribeImages', 'pkg/providers/amifamily/ami.go'],
  ['DescribeInstances', INSTANCE],
  ['DescribeInstanceStatus', 'pkg/providers/instancestatus/instancestatus.go'],
  ['DescribeInstanceTypeOfferings', 'pkg/providers/instancetype/instancetype.go'],
  ['DescribeInstanceTypes', 'pkg/providers/instancetype/instancetype.go'],
  ['DescribeLaunchTemplates', LAUNCH_TEMPLATE],
  ['DescribePlacementGroups', 'pkg/providers/placementgroup/placementgroup.go'],
  ['DescribeSecurityGroups', 'pkg/providers/securitygroup/securitygroup.go'],
  ['DescribeSpotPriceHistory', 'pkg/providers/pricing/pricing.go'],
  ['DescribeSubnets', 'pkg/providers/subnet/subnet.go'],
];

/** Methods of pkg/aws/sdk.go that nothing in the controller calls. */
export const UNCALLED_METHODS: readonly string[] = ['GetRole', 'TagInstanceProfile', 'WriteRecords'];

/** Methods that pkg/providers/sqs calls only for a benchmark; no controller calls them. */
export const CALLED_BY_BENCHMARKS: readonly string[] = ['SendMessage'];

export function karpenterCalls(place: CallPlace): KarpenterCall[] {
  return [
    ...readCalls(place),
    ...launchCalls(place),
    ...nodeCalls(place),
    ...profileCalls(place),
    ...otherCalls(place),
  ];
}

/** Tags that Karpenter gives to the resources that it creates: `GetTags` of pkg/utils/utils.go. */
export function creationTags(clusterName: string, nodePool: string = 'general'): Context {
  return requestTags({
    [`kubernetes.io/cluster/${clusterName}`]: 'owned',
    'karpenter.sh/nodepool': nodePool,
    'eks:eks-cluster-name': clusterName,
    'karpenter.k8s.aws/ec2nodeclass': 'default',
  });
}

/** Tags of resources that Karpenter has created. */
export function ownTags(clusterName: string): Context {
  return {
    [`aws:ResourceTag/kubernetes.io/cluster/${clusterName}`]: 'owned',
    'aws:ResourceTag/karpenter.sh/nodepool': 'general',
  };
}

/** `InstanceProfileTags` of pkg/apis/v1/ec2nodeclass.go. */
export function profileTags(clusterName: string, region: string): Readonly<Record<string, string>> {
  return {
    [`kubernetes.io/cluster/${clusterName}`]: 'owned',
    'eks:eks-cluster-name': clusterName,
    'karpenter.k8s.aws/ec2nodeclass': 'default',
    'topology.kubernetes.io/region': region,
  };
}

export function requestTags(tags: Readonly<Record<string, string>>): Context {
  return {
    ...Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])),
    'aws:TagKeys': Object.keys(tags),
  };
}

export function resourceTags(tags: Readonly<Record<string, string>>): Context {
  return Object.fromEntries(Object.entries(tags).map(([key, value]) => [`aws:ResourceTag/${key}`, value]));
}

/** ARN of an EC2 resource in this account. */
export function ec2Arn({ partition, region, account }: CallPlace, type: string, id: string): string {
  return `arn:${partition}:ec2:${region}:${account}:${type}/${id}`;
}

function readCalls(place: CallPlace): KarpenterCall[] {
  return READS.map(([method, source]) => ({
    api: method,
    action: `ec2:${method}`,
    source,
    targets: [{ resource: '*', context: { 'aws:RequestedRegion': place.region } }],
  }));
}

function launchCalls(place: CallPlace): KarpenterCall[] {
  const { clusterName } = place;
  const template = ec2Arn(place, 'launch-template', 'lt-0123456789abcdef0');
  const ofAws = (id: string) => ({ resource: `arn:${place.partition}:ec2:${place.region}::${id}` });
  const given: Target[] = [
    ofAws('image/ami-0123456789abcdef0'),
    ...[
      ['subnet', 'subnet-1'],
      ['capacity-reservation', 'cr-1'],
      ['placement-group', 'near'],
    ].map(([type, id]) => ({ resource: ec2Arn(place, type, id) })),
    { resource: template, context: ownTags(clusterName) },
  ];
  // EC2 Fleet does not check these; the RunInstances call on its behalf does.
  const givenToInstances: Target[] = [
    ...given,
    ofAws('snapshot/snap-0123456789abcdef0'),
    { resource: ec2Arn(place, 'security-group', 'sg-1') },
  ];
  const made = (types: readonly string[], tags: Context) =>
    types.map((type) => ({ resource: ec2Arn(place, type, '*'), context: tags }));
  const tagged = (types: readonly string[], createAction: string, tags: Context = creationTags(clusterName)) =>
    made(types, { ...tags, 'ec2:CreateAction': createAction });
  const ofFleet = ['fleet', 'instance', 'volume'];
  const ofInstances = ['instance', 'volume', 'network-interface', 'spot-instances-request'];
  const dryRun = creationTags(clusterName, '');
  return [
    {
      api: 'CreateLaunchTemplate',
      action: 'ec2:CreateLaunchTemplate',
      source: LAUNCH_TEMPLATE,
      targets: made(['launch-template'], creationTags(clusterName)),
    },
    {
      api: 'CreateLaunchTemplate',
      action: 'ec2:CreateTags',
      source: LAUNCH_TEMPLATE,
      targets: tagged(['launch-template'], 'CreateLaunchTemplate'),
    },
    {
      api: 'CreateFleet',
      action: 'ec2:CreateFleet',
      source: INSTANCE,
      targets: [...given, ...made(ofFleet, creationTags(clusterName))],
    },
    { api: 'CreateFleet', action: 'ec2:CreateTags', source: INSTANCE, targets: tagged(ofFleet, 'CreateFleet') },
    // EC2 Fleet launches on behalf of the caller.
    {
      api: 'CreateFleet',
      action: 'ec2:RunInstances',
      source: INSTANCE,
      targets: [...givenToInstances, ...made(ofInstances, creationTags(clusterName))],
    },
    { api: 'CreateFleet', action: 'ec2:CreateTags', source: INSTANCE, targets: tagged(ofInstances, 'RunInstances') },
    { api: 'CreateFleet', action: 'iam:PassRole', source: INSTANCE, targets: passing(place) },
    { api: 'CreateFleet', action: 'ec2:CreateFleet', source: DRY_RUN, targets: made(ofFleet, dryRun) },
    {
      api: 'RunInstances',
      action: 'ec2:RunInstances',
      source: DRY_RUN,
      targets: [...givenToInstances, ...made(ofInstances, dryRun)],
    },
    {
      api: 'RunInstances',
      action: 'ec2:CreateTags',
      source: DRY_RUN,
      targets: tagged(ofInstances, 'RunInstances', dryRun),
    },
  ];
}

function nodeCalls(place: CallPlace): KarpenterCall[] {
  const { clusterName } = place;
  const instance = ec2Arn(place, 'instance', 'i-0123456789abcdef0');
  const own = ownTags(clusterName);
  const nodeTags = requestTags({
    Name: 'ip-10-0-0-1',
    'karpenter.sh/nodeclaim': 'general-x',
    'eks:eks-cluster-name': clusterName,
  });
  const lateTags = requestTags({ Name: 'ip-10-0-0-1' });
  const tagging = 'pkg/controllers/nodeclaim/tagging/controller.go';
  return [
    {
      api: 'CreateTags',
      action: 'ec2:CreateTags',
      source: tagging,
      targets: [{ resource: instance, context: { ...own, ...nodeTags } }],
    },
    {
      api: 'CreateTags',
      action: 'ec2:CreateTags',
      source: tagging,
      targets: [{ resource: instance, context: { ...own, ...lateTags } }],
    },
    {
      api: 'TerminateInstances',
      action: 'ec2:TerminateInstances',
      source: INSTANCE,
      targets: [{ resource: instance, context: own }],
    },
    {
      api: 'RebootInstances',
      action: 'ec2:RebootInstances',
      source: INSTANCE,
      targets: [{ resource: instance, context: own }],
    },
    {
      api: 'DeleteLaunchTemplate',
      action: 'ec2:DeleteLaunchTemplate',
      source: LAUNCH_TEMPLATE,
      targets: [{ resource: ec2Arn(place, 'launch-template', 'lt-0123456789abcdef0'), context: own }],
    },
  ];
}

function profileCalls(place: CallPlace): KarpenterCall[] {
  const { clusterName, region } = place;
  const tags = profileTags(clusterName, region);
  const profile = `arn:${place.partition}:iam::${place.account}:instance-profile/karpenter/${region}/${clusterName}/0b5/shop_1`;
  const own: Target[] = [{ resource: profile, context: resourceTags(tags) }];
  const changes = ['AddRoleToInstanceProfile', 'RemoveRoleFromInstanceProfile', 'DeleteInstanceProfile'];
  return [
    {
      api: 'CreateInstanceProfile',
      action: 'iam:CreateInstanceProfile',
      source: PROFILE,
      targets: [{ resource: profile, context: requestTags(tags) }],
    },
    ...changes.map((method) => ({ api: method, action: `iam:${method}`, source: PROFILE, targets: own })),
    { api: 'AddRoleToInstanceProfile', action: 'iam:PassRole', source: PROFILE, targets: passing(place) },
    { api: 'GetInstanceProfile', action: 'iam:GetInstanceProfile', source: PROFILE, targets: own },
    { api: 'ListInstanceProfiles', action: 'iam:ListInstanceProfiles', source: PROFILE, targets: [{ resource: '*' }] },
  ];
}

function otherCalls(place: CallPlace): KarpenterCall[] {
  const { partition, region, account, clusterName, queue } = place;
  const cluster = `arn:${partition}:eks:${region}:${account}:cluster/${clusterName}`;
  const parameter = `arn:${partition}:ssm:${region}::parameter/aws/service/eks/optimized-ami/1.34/amazon-linux-2023/x86_64/standard/recommended/image_id`;
  const ofQueue = (method: string) => ({
    api: method,
    action: `sqs:${method}`,
    source: 'pkg/providers/sqs/sqs.go',
    targets: [{ resource: queue }],
  });
  return [
    {
      api: 'DescribeCluster',
      action: 'eks:DescribeCluster',
      source: 'pkg/operator/operator.go',
      targets: [{ resource: cluster }],
    },
    {
      api: 'GetParameter',
      action: 'ssm:GetParameter',
      source: 'pkg/providers/ssm/provider.go',
      targets: [{ resource: parameter }],
    },
    {
      api: 'GetProducts',
      action: 'pricing:GetProducts',
      source: 'pkg/providers/pricing/pricing.go',
      targets: [{ resource: '*' }],
    },
    ofQueue('GetQueueUrl'),
    ofQueue('ReceiveMessage'),
    ofQueue('DeleteMessage'),
    {
      api: 'GetManagedResource',
      action: 'arc-zonal-shift:GetManagedResource',
      source: 'pkg/providers/arczonalshift/arczonalshift.go',
      targets: [{ resource: cluster, context: { 'arc-zonal-shift:ResourceIdentifier': cluster } }],
    },
  ];
}

function passing({ partition, nodeRole }: CallPlace): Target[] {
  const principals = ['ec2.amazonaws.com', ...(partition === 'aws-cn' ? ['ec2.amazonaws.com.cn'] : [])];
  return principals.map((principal) => ({ resource: nodeRole, context: { 'iam:PassedToService': principal } }));
}
