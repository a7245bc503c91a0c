/** How a resource type of Terraform corresponds to one of CloudFormation. */
export interface ResourceType {
  /** The type of CloudFormation. */
  readonly type: string;
  /** Attributes by the property of CloudFormation that has the same meaning. */
  readonly attributes: Readonly<Record<string, string>>;
  /** Properties whose attribute is JSON text. */
  readonly json?: readonly string[];
  /** The attribute with the name or id that other resources refer to, if no property has it. */
  readonly id?: string;
}

export const MANIFEST = 'Custom::AWSCDK-EKS-KubernetesResource';
export const CHART = 'Custom::AWSCDK-EKS-HelmChart';

/**
 * @see https://registry.terraform.io/providers/hashicorp/aws/latest/docs
 */
export const RESOURCE_TYPES: ReadonlyMap<string, ResourceType> = new Map<string, ResourceType>([
  [
    'aws_iam_role',
    {
      type: 'AWS::IAM::Role',
      attributes: { RoleName: 'name', Path: 'path', AssumeRolePolicyDocument: 'assume_role_policy' },
      json: ['AssumeRolePolicyDocument'],
    },
  ],
  [
    'aws_iam_policy',
    {
      type: 'AWS::IAM::ManagedPolicy',
      attributes: { ManagedPolicyName: 'name', Path: 'path', PolicyDocument: 'policy' },
      json: ['PolicyDocument'],
    },
  ],
  [
    'aws_iam_role_policy',
    {
      type: 'AWS::IAM::RolePolicy',
      attributes: { PolicyName: 'name', RoleName: 'role', PolicyDocument: 'policy' },
      json: ['PolicyDocument'],
    },
  ],
  [
    'aws_iam_instance_profile',
    { type: 'AWS::IAM::InstanceProfile', attributes: { InstanceProfileName: 'name', Path: 'path', Roles: 'role' } },
  ],
  [
    'aws_iam_service_linked_role',
    { type: 'AWS::IAM::ServiceLinkedRole', attributes: { AWSServiceName: 'aws_service_name' } },
  ],
  [
    'aws_sqs_queue',
    {
      type: 'AWS::SQS::Queue',
      attributes: {
        QueueName: 'name',
        KmsMasterKeyId: 'kms_master_key_id',
        FifoQueue: 'fifo_queue',
        MessageRetentionPeriod: 'message_retention_seconds',
        RedrivePolicy: 'redrive_policy',
        Policy: 'policy',
      },
      json: ['RedrivePolicy', 'Policy'],
    },
  ],
  [
    'aws_sqs_queue_policy',
    {
      type: 'AWS::SQS::QueuePolicy',
      attributes: { Queues: 'queue_url', PolicyDocument: 'policy' },
      json: ['PolicyDocument'],
    },
  ],
  [
    'aws_cloudwatch_event_rule',
    {
      type: 'AWS::Events::Rule',
      attributes: { Name: 'name', EventPattern: 'event_pattern', State: 'state', EventBusName: 'event_bus_name' },
      json: ['EventPattern'],
    },
  ],
  ['aws_cloudwatch_event_target', { type: 'AWS::Events::Target', attributes: { Rule: 'rule', Arn: 'arn' } }],
  [
    'aws_kms_key',
    {
      type: 'AWS::KMS::Key',
      attributes: { KeyPolicy: 'policy', Enabled: 'is_enabled' },
      json: ['KeyPolicy'],
      id: 'key_id',
    },
  ],
  ['aws_kms_alias', { type: 'AWS::KMS::Alias', attributes: { AliasName: 'name', TargetKeyId: 'target_key_id' } }],
  [
    'aws_eks_cluster',
    {
      type: 'AWS::EKS::Cluster',
      attributes: {
        Name: 'name',
        Version: 'version',
        AccessConfig: 'access_config',
        ComputeConfig: 'compute_config',
        KubernetesNetworkConfig: 'kubernetes_network_config',
      },
    },
  ],
  [
    'aws_eks_access_entry',
    {
      type: 'AWS::EKS::AccessEntry',
      attributes: { ClusterName: 'cluster_name', PrincipalArn: 'principal_arn', Type: 'type' },
    },
  ],
  [
    'aws_eks_pod_identity_association',
    {
      type: 'AWS::EKS::PodIdentityAssociation',
      attributes: {
        ClusterName: 'cluster_name',
        Namespace: 'namespace',
        ServiceAccount: 'service_account',
        RoleArn: 'role_arn',
      },
    },
  ],
  [
    'aws_eks_node_group',
    {
      type: 'AWS::EKS::Nodegroup',
      attributes: {
        ClusterName: 'cluster_name',
        NodeRole: 'node_role_arn',
        AmiType: 'ami_type',
        ScalingConfig: 'scaling_config',
        Subnets: 'subnet_ids',
        Labels: 'labels',
        Taints: 'taint',
        Version: 'version',
        LaunchTemplate: 'launch_template',
      },
    },
  ],
  [
    'aws_eks_fargate_profile',
    { type: 'AWS::EKS::FargateProfile', attributes: { ClusterName: 'cluster_name', Selectors: 'selector' } },
  ],
  [
    'aws_eks_addon',
    {
      type: 'AWS::EKS::Addon',
      attributes: {
        ClusterName: 'cluster_name',
        AddonName: 'addon_name',
        ConfigurationValues: 'configuration_values',
        ServiceAccountRoleArn: 'service_account_role_arn',
        PodIdentityAssociations: 'pod_identity_association',
      },
    },
  ],
  ['aws_autoscaling_group', { type: 'AWS::AutoScaling::AutoScalingGroup', attributes: {} }],
  ['aws_launch_template', { type: 'AWS::EC2::LaunchTemplate', attributes: { LaunchTemplateData: 'image_id' } }],
  [
    'terraform_karpenter_module',
    {
      type: 'Terraform::KarpenterModule',
      attributes: {
        ModuleName: 'name',
        NodeRole: 'node_role',
        IsPrefix: 'is_prefix',
        QueueName: 'queue',
        HasQueue: 'enable_spot_termination',
        HasInstanceProfile: 'has_instance_profile',
        HasEntry: 'create_access_entry',
      },
    },
  ],
  ['terraform_crd_manifest', { type: 'Terraform::CrdManifest', attributes: { Name: 'name', Kind: 'kind' } }],
  ['terraform_crd_release', { type: 'Terraform::CrdRelease', attributes: { Name: 'name' } }],
  [
    'terraform_ecr_public_token',
    { type: 'Terraform::EcrPublicToken', attributes: { Name: 'name', Alias: 'alias', Region: 'region' } },
  ],
  ['terraform_role_mapping', { type: 'Terraform::RoleMapping', attributes: {} }],
  ['terraform_tags', { type: 'Terraform::Tags', attributes: { Name: 'name', Kind: 'kind', Keys: 'keys' } }],
  ['terraform_aws_provider', { type: 'Terraform::AwsProvider', attributes: { Alias: 'alias', Region: 'region' } }],
  ['aws_vpc', { type: 'AWS::EC2::VPC', attributes: { CidrBlock: 'cidr_block' }, id: 'id' }],
  [
    'aws_route_table',
    {
      type: 'AWS::EC2::RouteTable',
      attributes: { Routes: 'route', PropagatingGateways: 'propagating_vgws' },
      id: 'id',
    },
  ],
  [
    'aws_route',
    {
      type: 'AWS::EC2::Route',
      attributes: {
        RouteTableId: 'route_table_id',
        DestinationCidrBlock: 'destination_cidr_block',
        DestinationIpv6CidrBlock: 'destination_ipv6_cidr_block',
        GatewayId: 'gateway_id',
        NatGatewayId: 'nat_gateway_id',
      },
    },
  ],
  [
    'aws_route_table_association',
    {
      type: 'AWS::EC2::SubnetRouteTableAssociation',
      attributes: { SubnetId: 'subnet_id', RouteTableId: 'route_table_id' },
    },
  ],
  ['aws_vpc_endpoint', { type: 'AWS::EC2::VPCEndpoint', attributes: {} }],
  [
    'aws_nat_gateway',
    {
      type: 'AWS::EC2::NatGateway',
      attributes: { SubnetId: 'subnet_id', ConnectivityType: 'connectivity_type' },
      id: 'id',
    },
  ],
  [
    'aws_subnet',
    {
      type: 'AWS::EC2::Subnet',
      attributes: {
        AvailabilityZone: 'availability_zone',
        Zones: 'zones',
        CidrBlock: 'cidr_block',
        Ipv6CidrBlock: 'ipv6_cidr_block',
        AssignIpv6AddressOnCreation: 'assign_ipv6_address_on_creation',
        PrefixLengths: 'prefix_lengths',
        MapPublicIpOnLaunch: 'map_public_ip_on_launch',
        IsIsolated: 'is_isolated',
        VpcId: 'vpc_id',
        Tags: 'tags_all',
      },
      id: 'id',
    },
  ],
  [
    'aws_security_group',
    {
      type: 'AWS::EC2::SecurityGroup',
      attributes: { GroupName: 'name', VpcId: 'vpc_id', Egress: 'egress', Tags: 'tags_all' },
      id: 'id',
    },
  ],
  [
    'aws_security_group_rule',
    { type: 'Terraform::SecurityGroupRule', attributes: { Type: 'type', GroupId: 'security_group_id' } },
  ],
  [
    'aws_vpc_security_group_egress_rule',
    { type: 'AWS::EC2::SecurityGroupEgress', attributes: { GroupId: 'security_group_id' } },
  ],
  ['kubectl_manifest', { type: MANIFEST, attributes: { Manifest: 'yaml_body' } }],
  ['kubernetes_manifest', { type: MANIFEST, attributes: { Manifest: 'manifest' } }],
  [
    'helm_release',
    {
      type: CHART,
      attributes: {
        Release: 'name',
        Chart: 'chart',
        Repository: 'repository',
        Version: 'version',
        Namespace: 'namespace',
        Values: 'values',
      },
    },
  ],
]);

/** Attributes that have the name, ARN or URL of one other resource, with the types that it may have. */
export const REFERENCES: Readonly<
  Record<string, { readonly types: readonly string[]; readonly is: 'name' | 'arn' | 'ref' }>
> = {
  role: { types: ['aws_iam_role'], is: 'name' },
  role_arn: { types: ['aws_iam_role'], is: 'arn' },
  node_role_arn: { types: ['aws_iam_role'], is: 'arn' },
  principal_arn: { types: ['aws_iam_role'], is: 'arn' },
  service_account_role_arn: { types: ['aws_iam_role'], is: 'arn' },
  policy_arn: { types: ['aws_iam_policy'], is: 'arn' },
  queue_url: { types: ['aws_sqs_queue'], is: 'ref' },
  rule: { types: ['aws_cloudwatch_event_rule'], is: 'name' },
  arn: { types: ['aws_sqs_queue'], is: 'arn' },
  cluster_name: { types: ['aws_eks_cluster'], is: 'name' },
  kms_master_key_id: { types: ['aws_kms_key'], is: 'arn' },
  target_key_id: { types: ['aws_kms_key'], is: 'name' },
  vpc_id: { types: ['aws_vpc'], is: 'name' },
  subnet_id: { types: ['aws_subnet'], is: 'name' },
  route_table_id: { types: ['aws_route_table'], is: 'name' },
  security_group_id: { types: ['aws_security_group'], is: 'name' },
  nat_gateway_id: { types: ['aws_nat_gateway'], is: 'name' },
};
