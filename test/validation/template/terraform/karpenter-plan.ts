import { plan } from './plan';

/**
 * The first plan of the example `karpenter` of terraform-aws-modules/terraform-aws-eks: a cluster, the module
 * `karpenter`, the chart, and a NodePool with its node class. ARNs are known only after the apply.
 */
export function karpenterPlan({ without = [], extra = [], change = {} }: PlanChange = {}): object {
  const all = [...RESOURCES, ...extra]
    .filter(({ address }) => !without.includes(address))
    .map((resource) => ({ ...resource, ...change[resource.address] }));
  return plan({
    resources: all,
    calls: {
      'module.eks': {
        outputs: {
          cluster_name: ['aws_eks_cluster.this[0].name', 'aws_eks_cluster.this[0]', 'aws_eks_cluster.this'],
          cluster_endpoint: ['aws_eks_cluster.this[0].endpoint', 'aws_eks_cluster.this[0]', 'aws_eks_cluster.this'],
        },
      },
      'module.karpenter': {
        arguments: { cluster_name: ['module.eks.cluster_name', 'module.eks'] },
        outputs: {
          queue_name: ['aws_sqs_queue.this[0].name', 'aws_sqs_queue.this[0]', 'aws_sqs_queue.this'],
          node_iam_role_name: ['aws_iam_role.node[0].name', 'aws_iam_role.node[0]', 'aws_iam_role.node'],
        },
      },
    },
    providers: {
      aws: { name: 'aws', expressions: { region: { constant_value: 'eu-west-1' } } },
      helm: {
        name: 'helm',
        expressions: { kubernetes: [{ host: { references: ['module.eks.cluster_endpoint', 'module.eks'] } }] },
      },
      kubectl: {
        name: 'kubectl',
        expressions: { host: { references: ['module.eks.cluster_endpoint', 'module.eks'] } },
      },
    },
    others: {
      prior_state: {
        format_version: '1.0',
        values: {
          root_module: {
            child_modules: [
              {
                address: 'module.karpenter',
                resources: [
                  {
                    address: 'module.karpenter.data.aws_caller_identity.current[0]',
                    mode: 'data',
                    type: 'aws_caller_identity',
                    name: 'current',
                    index: 0,
                    values: { account_id: '111122223333' },
                  },
                ],
              },
            ],
          },
        },
      },
    },
  });
}

interface PlanChange {
  /** Addresses that are left out. */
  readonly without?: readonly string[];
  readonly extra?: Parameters<typeof plan>[0]['resources'];
  /** Other values, unknowns or references, by address. */
  readonly change?: Readonly<Record<string, object>>;
}

const service = (name: string, ...actions: string[]) =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: actions, Principal: { Service: name } }],
  });

const EVENTS: Readonly<Record<string, readonly [source: string, type: string]>> = {
  capacity_reservation_interruption: ['aws.ec2', 'EC2 Capacity Reservation Instance Interruption Warning'],
  health_event: ['aws.health', 'AWS Health Event'],
  instance_rebalance: ['aws.ec2', 'EC2 Instance Rebalance Recommendation'],
  instance_state_change: ['aws.ec2', 'EC2 Instance State-change Notification'],
  spot_interrupt: ['aws.ec2', 'EC2 Spot Instance Interruption Warning'],
};

/** A wide policy, so that tests are about how it reaches the role. */
export const CONTROLLER_POLICY = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: ['ec2:*', 'ssm:*', 'pricing:*', 'eks:*', 'iam:*', 'sqs:*'], Resource: '*' }],
});

export const NODE_CLASS = {
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: {
    role: 'shop',
    amiSelectorTerms: [{ alias: 'al2023@v20251120' }],
    subnetSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
    securityGroupSelectorTerms: [{ tags: { 'karpenter.sh/discovery': 'shop' } }],
  },
};

export const NODE_POOL = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata:
  name: default
spec:
  template:
    spec:
      nodeClassRef: { group: karpenter.k8s.aws, kind: EC2NodeClass, name: default }
      requirements:
        - { key: kubernetes.io/arch, operator: In, values: [amd64] }
        - { key: karpenter.sh/capacity-type, operator: In, values: [on-demand] }
`;

export const VALUES = `nodeSelector:
  karpenter.sh/controller: 'true'
settings:
  clusterName: shop
  interruptionQueue: Karpenter-shop
webhook:
  enabled: false
`;

const RESOURCES: Parameters<typeof plan>[0]['resources'] = [
  {
    address: 'module.eks.aws_eks_cluster.this[0]',
    values: {
      name: 'shop',
      version: '1.33',
      access_config: [
        { authentication_mode: 'API_AND_CONFIG_MAP', bootstrap_cluster_creator_admin_permissions: false },
      ],
      compute_config: [{ enabled: null, node_pools: null }],
    },
    unknown: ['arn', 'endpoint', 'certificate_authority'],
  },
  {
    address: 'module.eks.aws_eks_addon.before_compute["eks-pod-identity-agent"]',
    values: { addon_name: 'eks-pod-identity-agent', cluster_name: 'shop' },
    unknown: ['arn'],
  },
  {
    address: 'module.eks.module.eks_managed_node_group["karpenter"].aws_eks_node_group.this[0]',
    values: {
      ami_type: 'BOTTLEROCKET_x86_64',
      cluster_name: 'shop',
      labels: { 'karpenter.sh/controller': 'true' },
      launch_template: [{}],
      scaling_config: [{ desired_size: 2, max_size: 3, min_size: 2 }],
      taint: [],
      version: '1.33',
    },
    unknown: { node_role_arn: true, arn: true, subnet_ids: true, launch_template: [{ id: true, version: true }] },
    references: { node_role_arn: ['aws_iam_role.this[0].arn', 'aws_iam_role.this[0]', 'aws_iam_role.this'] },
  },
  {
    address: 'module.eks.module.eks_managed_node_group["karpenter"].aws_iam_role.this[0]',
    values: {
      name_prefix: 'karpenter-eks-node-group-',
      path: '/',
      assume_role_policy: service('ec2.amazonaws.com', 'sts:AssumeRole'),
    },
    unknown: ['arn', 'name'],
    references: { name: ['local.iam_role_name'], name_prefix: ['local.iam_role_name'] },
  },
  {
    address: 'module.karpenter.aws_iam_role.controller[0]',
    values: {
      name: null,
      name_prefix: 'KarpenterController-',
      path: '/',
      assume_role_policy: service('pods.eks.amazonaws.com', 'sts:AssumeRole', 'sts:TagSession'),
    },
    unknown: ['arn', 'name', 'id'],
    references: { name: ['var.iam_role_use_name_prefix', 'var.iam_role_name'] },
  },
  {
    address: 'module.karpenter.aws_iam_policy.controller[0]',
    values: { name_prefix: 'KarpenterController-', path: '/', policy: CONTROLLER_POLICY },
    unknown: ['arn', 'name', 'id'],
  },
  {
    address: 'module.karpenter.aws_iam_role_policy_attachment.controller[0]',
    values: {},
    unknown: ['role', 'policy_arn', 'id'],
    references: {
      role: ['aws_iam_role.controller[0].name', 'aws_iam_role.controller[0]', 'aws_iam_role.controller'],
      policy_arn: ['aws_iam_policy.controller[0].arn', 'aws_iam_policy.controller[0]', 'aws_iam_policy.controller'],
    },
  },
  {
    address: 'module.karpenter.aws_eks_pod_identity_association.karpenter[0]',
    values: { cluster_name: 'shop', namespace: 'kube-system', service_account: 'karpenter' },
    unknown: ['role_arn', 'association_id'],
    references: {
      role_arn: ['aws_iam_role.controller[0].arn', 'aws_iam_role.controller[0]', 'aws_iam_role.controller'],
    },
  },
  {
    address: 'module.karpenter.aws_sqs_queue.this[0]',
    values: {
      name: 'Karpenter-shop',
      message_retention_seconds: 300,
      sqs_managed_sse_enabled: true,
      fifo_queue: false,
    },
    unknown: ['arn', 'url', 'policy', 'redrive_policy'],
    references: { name: ['local.queue_name'] },
  },
  {
    address: 'module.karpenter.data.aws_iam_policy_document.queue[0]',
    values: {
      statement: [
        {
          sid: 'SqsWrite',
          actions: ['sqs:SendMessage'],
          condition: [],
          not_actions: null,
          principals: [{ type: 'Service', identifiers: ['events.amazonaws.com', 'sqs.amazonaws.com'] }],
        },
      ],
      source_policy_documents: null,
      override_policy_documents: null,
    },
    unknown: { id: true, json: true, minified_json: true, statement: [{ resources: true }] },
    references: {
      statement: [
        {
          actions: { constant_value: ['sqs:SendMessage'] },
          resources: { references: ['aws_sqs_queue.this[0].arn', 'aws_sqs_queue.this[0]', 'aws_sqs_queue.this'] },
        },
      ],
    },
  },
  {
    address: 'module.karpenter.aws_sqs_queue_policy.this[0]',
    values: {},
    unknown: ['queue_url', 'policy', 'id'],
    references: {
      queue_url: ['aws_sqs_queue.this[0].url', 'aws_sqs_queue.this[0]', 'aws_sqs_queue.this'],
      policy: [
        'data.aws_iam_policy_document.queue[0].json',
        'data.aws_iam_policy_document.queue[0]',
        'data.aws_iam_policy_document.queue',
      ],
    },
  },
  ...Object.entries(EVENTS).flatMap(([key, [source, type]]) => [
    {
      address: `module.karpenter.aws_cloudwatch_event_rule.this["${key}"]`,
      values: {
        name_prefix: 'Karpenter-',
        event_bus_name: 'default',
        event_pattern: JSON.stringify({ 'detail-type': [type], source: [source] }),
        is_enabled: null,
        state: 'ENABLED',
      },
      unknown: ['arn', 'name', 'id'],
      references: { event_pattern: ['each.value.event_pattern', 'each.value'] },
    },
    {
      address: `module.karpenter.aws_cloudwatch_event_target.this["${key}"]`,
      values: { target_id: 'KarpenterInterruptionQueueTarget' },
      unknown: ['arn', 'rule'],
      references: {
        rule: ['aws_cloudwatch_event_rule.this', 'each.key'],
        arn: ['aws_sqs_queue.this[0].arn', 'aws_sqs_queue.this[0]', 'aws_sqs_queue.this'],
      },
    },
  ]),
  {
    address: 'module.karpenter.aws_iam_role.node[0]',
    values: { name: 'shop', path: '/', assume_role_policy: service('ec2.amazonaws.com', 'sts:AssumeRole') },
    unknown: ['arn', 'id'],
    references: { name: ['var.node_iam_role_use_name_prefix', 'local.node_iam_role_name'] },
  },
  ...['AmazonEKSWorkerNodePolicy', 'AmazonEC2ContainerRegistryPullOnly', 'AmazonEKS_CNI_Policy'].map((policy) => ({
    address: `module.karpenter.aws_iam_role_policy_attachment.node["${policy}"]`,
    values: { role: 'shop', policy_arn: `arn:aws:iam::aws:policy/${policy}` },
    unknown: ['id'],
  })),
  {
    address: 'module.karpenter.aws_eks_access_entry.node[0]',
    values: { cluster_name: 'shop', type: 'EC2_LINUX' },
    unknown: ['principal_arn', 'access_entry_arn'],
    references: {
      principal_arn: [
        'var.create_node_iam_role',
        'aws_iam_role.node[0].arn',
        'aws_iam_role.node[0]',
        'aws_iam_role.node',
        'var.node_iam_role_arn',
      ],
    },
  },
  {
    address: 'helm_release.karpenter',
    values: {
      name: 'karpenter',
      namespace: 'kube-system',
      repository: 'oci://public.ecr.aws/karpenter',
      chart: 'karpenter',
      version: '1.6.0',
      values: [VALUES],
      set: null,
    },
    unknown: ['id', 'metadata'],
    references: {
      values: ['module.eks.cluster_name', 'module.eks', 'module.karpenter.queue_name', 'module.karpenter'],
    },
    dependsOn: ['module.karpenter'],
  },
  {
    address: 'kubectl_manifest.node_pool',
    values: { yaml_body: NODE_POOL, server_side_apply: false },
    unknown: ['id', 'uid'],
    references: { yaml_body: {} },
    dependsOn: ['kubectl_manifest.node_class'],
  },
  {
    address: 'kubectl_manifest.node_class',
    values: { yaml_body: JSON.stringify(NODE_CLASS) },
    unknown: ['id', 'uid'],
    references: { yaml_body: ['module.karpenter.node_iam_role_name', 'module.karpenter'] },
    dependsOn: ['helm_release.karpenter'],
  },
];
