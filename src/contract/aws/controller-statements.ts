import { IamCondition } from './iam-statement';

/** Upstream's policies. Together they exceed the size of one managed policy, but each of them fits. */
export type ControllerPolicyName =
  | 'NodeLifecycle'
  | 'IAMIntegration'
  | 'EKSIntegration'
  | 'Interruption'
  | 'ZonalShift'
  | 'ResourceDiscovery';

/** An action or resource that depends on the release or on a feature. */
export interface ConditionalPart {
  readonly value: string;
  /** The first release that has it. @default - 1.0.0 */
  readonly since?: string;
  readonly feature?: ControllerFeature;
}

/** A statement with `${Placeholder}`s that covers all releases and features. */
export interface StatementTemplate {
  readonly policy: ControllerPolicyName;
  readonly sid: string;
  readonly since?: string;
  readonly feature?: ControllerFeature;
  readonly actions: ReadonlyArray<string | ConditionalPart>;
  readonly resources: ReadonlyArray<string | ConditionalPart>;
  readonly condition?: IamCondition;
}

const OWNED = 'kubernetes.io/cluster/${ClusterName}';
const REGION_TAG = 'topology.kubernetes.io/region';
const NODE_CLASS_TAG = 'karpenter.k8s.aws/ec2nodeclass';
const CLUSTER_ARN = 'arn:${Partition}:eks:${Region}:${Account}:cluster/${ClusterName}';
const INSTANCE_PROFILES = ['arn:${Partition}:iam::${Account}:instance-profile/*'];
const LAUNCHED = ['fleet', 'instance', 'volume', 'network-interface', 'launch-template', 'spot-instances-request'].map(
  ec2,
);

const OWNED_BY_CLUSTER: IamCondition = {
  StringEquals: { [`aws:ResourceTag/${OWNED}`]: 'owned' },
  StringLike: { 'aws:ResourceTag/karpenter.sh/nodepool': '*' },
};
const TAGGED_FOR_CLUSTER = {
  [`aws:RequestTag/${OWNED}`]: 'owned',
  'aws:RequestTag/eks:eks-cluster-name': '${ClusterName}',
};
const TAGGED_FOR_POOL = { 'aws:RequestTag/karpenter.sh/nodepool': '*' };
const PROFILE_OF_CLUSTER = { [`aws:ResourceTag/${OWNED}`]: 'owned', [`aws:ResourceTag/${REGION_TAG}`]: '${Region}' };

/**
 * The statements of upstream's controller policies, in upstream's order.
 *
 * @see https://karpenter.sh/docs/reference/cloudformation/
 */
export const CONTROLLER_STATEMENTS: readonly StatementTemplate[] = [
  {
    policy: 'NodeLifecycle',
    sid: 'AllowScopedEC2InstanceAccessActions',
    actions: ['ec2:RunInstances', 'ec2:CreateFleet'],
    resources: [
      ec2WithoutAccount('image'),
      ec2WithoutAccount('snapshot'),
      ec2('security-group'),
      ec2('subnet'),
      { value: ec2('capacity-reservation'), since: '1.3.0', feature: 'capacityReservations' },
      { value: ec2('placement-group'), since: '1.11.0', feature: 'placementGroups' },
    ],
  },
  {
    policy: 'NodeLifecycle',
    sid: 'AllowScopedEC2LaunchTemplateAccessActions',
    actions: ['ec2:RunInstances', 'ec2:CreateFleet'],
    resources: [ec2('launch-template')],
    condition: OWNED_BY_CLUSTER,
  },
  {
    policy: 'NodeLifecycle',
    sid: 'AllowScopedEC2InstanceActionsWithTags',
    actions: ['ec2:RunInstances', 'ec2:CreateFleet', 'ec2:CreateLaunchTemplate'],
    resources: LAUNCHED,
    condition: { StringEquals: TAGGED_FOR_CLUSTER, StringLike: TAGGED_FOR_POOL },
  },
  {
    policy: 'NodeLifecycle',
    sid: 'AllowScopedResourceCreationTagging',
    actions: ['ec2:CreateTags'],
    resources: LAUNCHED,
    condition: {
      StringEquals: {
        ...TAGGED_FOR_CLUSTER,
        'ec2:CreateAction': ['RunInstances', 'CreateFleet', 'CreateLaunchTemplate'],
      },
      StringLike: TAGGED_FOR_POOL,
    },
  },
  {
    policy: 'NodeLifecycle',
    sid: 'AllowScopedResourceTagging',
    actions: ['ec2:CreateTags'],
    resources: [ec2('instance')],
    condition: {
      ...OWNED_BY_CLUSTER,
      StringEqualsIfExists: { 'aws:RequestTag/eks:eks-cluster-name': '${ClusterName}' },
      'ForAllValues:StringEquals': { 'aws:TagKeys': ['eks:eks-cluster-name', 'karpenter.sh/nodeclaim', 'Name'] },
    },
  },
  {
    policy: 'NodeLifecycle',
    sid: 'AllowScopedDeletion',
    actions: [
      'ec2:TerminateInstances',
      { value: 'ec2:RebootInstances', since: '1.15.0', feature: 'nodeReboot' },
      'ec2:DeleteLaunchTemplate',
    ],
    resources: [ec2('instance'), ec2('launch-template')],
    condition: OWNED_BY_CLUSTER,
  },
  {
    policy: 'IAMIntegration',
    sid: 'AllowPassingInstanceRole',
    actions: ['iam:PassRole'],
    resources: ['${NodeRoles}'],
    condition: { StringEquals: { 'iam:PassedToService': ['ec2.amazonaws.com', 'ec2.amazonaws.com.cn'] } },
  },
  {
    policy: 'IAMIntegration',
    sid: 'AllowScopedInstanceProfileCreationActions',
    feature: 'instanceProfiles',
    actions: ['iam:CreateInstanceProfile'],
    resources: INSTANCE_PROFILES,
    condition: {
      StringEquals: { ...TAGGED_FOR_CLUSTER, [`aws:RequestTag/${REGION_TAG}`]: '${Region}' },
      StringLike: { [`aws:RequestTag/${NODE_CLASS_TAG}`]: '*' },
    },
  },
  {
    policy: 'IAMIntegration',
    sid: 'AllowScopedInstanceProfileTagActions',
    feature: 'instanceProfiles',
    actions: ['iam:TagInstanceProfile'],
    resources: INSTANCE_PROFILES,
    condition: {
      StringEquals: { ...PROFILE_OF_CLUSTER, ...TAGGED_FOR_CLUSTER, [`aws:RequestTag/${REGION_TAG}`]: '${Region}' },
      StringLike: { [`aws:ResourceTag/${NODE_CLASS_TAG}`]: '*', [`aws:RequestTag/${NODE_CLASS_TAG}`]: '*' },
    },
  },
  {
    policy: 'IAMIntegration',
    sid: 'AllowScopedInstanceProfileActions',
    feature: 'instanceProfiles',
    actions: ['iam:AddRoleToInstanceProfile', 'iam:RemoveRoleFromInstanceProfile', 'iam:DeleteInstanceProfile'],
    resources: INSTANCE_PROFILES,
    condition: { StringEquals: PROFILE_OF_CLUSTER, StringLike: { [`aws:ResourceTag/${NODE_CLASS_TAG}`]: '*' } },
  },
  {
    policy: 'EKSIntegration',
    sid: 'AllowAPIServerEndpointDiscovery',
    actions: ['eks:DescribeCluster'],
    resources: [CLUSTER_ARN],
  },
  {
    policy: 'Interruption',
    sid: 'AllowInterruptionQueueActions',
    feature: 'interruptionQueue',
    actions: ['sqs:DeleteMessage', 'sqs:GetQueueUrl', 'sqs:ReceiveMessage'],
    resources: ['${InterruptionQueue}'],
  },
  {
    policy: 'ZonalShift',
    sid: 'AllowZonalShiftStatusReadOnly',
    since: '1.12.0',
    feature: 'zonalShift',
    actions: ['arc-zonal-shift:GetManagedResource'],
    resources: ['*'],
    condition: { StringEquals: { 'arc-zonal-shift:ResourceIdentifier': CLUSTER_ARN } },
  },
  {
    policy: 'ResourceDiscovery',
    sid: 'AllowRegionalReadActions',
    actions: [
      { value: 'ec2:DescribeCapacityReservations', since: '1.3.0', feature: 'capacityReservations' },
      'ec2:DescribeImages',
      'ec2:DescribeInstances',
      { value: 'ec2:DescribeInstanceStatus', since: '1.12.0', feature: 'instanceStatus' },
      'ec2:DescribeInstanceTypeOfferings',
      'ec2:DescribeInstanceTypes',
      'ec2:DescribeLaunchTemplates',
      { value: 'ec2:DescribePlacementGroups', since: '1.11.0', feature: 'placementGroups' },
      'ec2:DescribeSecurityGroups',
      'ec2:DescribeSpotPriceHistory',
      'ec2:DescribeSubnets',
    ],
    resources: ['*'],
    condition: { StringEquals: { 'aws:RequestedRegion': '${Region}' } },
  },
  {
    policy: 'ResourceDiscovery',
    sid: 'AllowSSMReadActions',
    actions: ['ssm:GetParameter'],
    resources: ['arn:${Partition}:ssm:${Region}::parameter/aws/service/*'],
  },
  {
    policy: 'ResourceDiscovery',
    sid: 'AllowPricingReadActions',
    feature: 'priceList',
    actions: ['pricing:GetProducts'],
    resources: ['*'],
  },
  {
    policy: 'ResourceDiscovery',
    sid: 'AllowUnscopedInstanceProfileListAction',
    since: '1.7.0',
    feature: 'instanceProfileReads',
    actions: ['iam:ListInstanceProfiles'],
    resources: ['*'],
  },
  {
    policy: 'ResourceDiscovery',
    sid: 'AllowInstanceProfileReadActions',
    feature: 'instanceProfileReads',
    actions: ['iam:GetInstanceProfile'],
    resources: INSTANCE_PROFILES,
  },
];

function ec2(type: string): string {
  return `arn:\${Partition}:ec2:\${Region}:*:${type}/*`;
}

/** ARNs of images and snapshots contain no account. */
function ec2WithoutAccount(type: string): string {
  return `arn:\${Partition}:ec2:\${Region}::${type}/*`;
}

/** A feature of Karpenter that needs permissions of its own. */
export type ControllerFeature =
  | 'instanceProfiles'
  | 'instanceProfileReads'
  | 'capacityReservations'
  | 'placementGroups'
  | 'interruptionQueue'
  | 'zonalShift'
  | 'instanceStatus'
  | 'priceList'
  | 'nodeReboot';

/** When a feature exists and is used. */
export interface ControllerFeatureFacts {
  readonly since: string;
  /** What enables the feature, in a few words. */
  readonly enabledBy: string;
}

/** In the order of the policies. */
export const CONTROLLER_FEATURES: Readonly<Record<ControllerFeature, ControllerFeatureFacts>> = {
  instanceProfiles: { since: '1.0.0', enabledBy: 'an EC2NodeClass with `role`' },
  instanceProfileReads: { since: '1.0.0', enabledBy: 'anything but `isolatedVPC`' },
  capacityReservations: { since: '1.3.0', enabledBy: 'an EC2NodeClass with `capacityReservationSelectorTerms`' },
  placementGroups: { since: '1.11.0', enabledBy: 'an EC2NodeClass with `placementGroupSelector`' },
  interruptionQueue: { since: '1.0.0', enabledBy: 'the setting `interruptionQueue`' },
  zonalShift: { since: '1.12.0', enabledBy: 'the setting `enableZonalShift`' },
  instanceStatus: { since: '1.12.0', enabledBy: 'always: Karpenter polls the status checks of instances' },
  priceList: { since: '1.0.0', enabledBy: 'anything but `isolatedVPC`' },
  nodeReboot: { since: '1.15.0', enabledBy: 'the feature gates `nodeRepair` and `rebootForRepair`' },
};

/** The features that upstream's published policies allow: all of them. */
export const ALL_CONTROLLER_FEATURES: ReadonlySet<ControllerFeature> = new Set(
  Object.keys(CONTROLLER_FEATURES) as ControllerFeature[],
);
