/** Resources of a template as CDK writes them. */

export function get(id: string, attribute: string): object {
  return { 'Fn::GetAtt': [id, attribute] };
}

/** JSON text as a Fn::Join, in which objects such as `{ Ref: … }` stay references. */
function jsonText(value: unknown): object {
  const references: object[] = [];
  const text = JSON.stringify(value, (_, item) => {
    const [key, ...others] = item && typeof item === 'object' ? Object.keys(item) : [];
    if (others.length > 0 || !(key === 'Ref' || key?.startsWith('Fn::'))) return item;
    return `<<${references.push(item) - 1}>>`;
  });
  const parts = text.split(/<<(\d+)>>/).map((part, i) => (i % 2 === 0 ? part : references[Number(part)]));
  return { 'Fn::Join': ['', parts] };
}

export interface ChartFields {
  readonly chart?: string;
  /** @default - the name of the chart */
  readonly release?: unknown;
  readonly cluster?: unknown;
  readonly version?: string;
  readonly namespace?: string;
  readonly dependsOn?: readonly string[];
}

export function chart(
  values: unknown = {},
  {
    chart: name = 'karpenter',
    release = name,
    cluster = 'prod',
    version = '1.12.0',
    namespace = 'kube-system',
    dependsOn = [],
  }: ChartFields = {},
): object {
  const properties = {
    ClusterName: cluster,
    Release: release,
    Chart: name,
    Version: version,
    Namespace: namespace,
    Values: jsonText(values),
  };
  return { Type: 'Custom::AWSCDK-EKS-HelmChart', Properties: properties, DependsOn: dependsOn };
}

export function applied(
  objects: readonly unknown[],
  { cluster = 'prod' as unknown, dependsOn = [] as readonly string[] } = {},
): object {
  return {
    Type: 'Custom::AWSCDK-EKS-KubernetesResource',
    Properties: { ClusterName: cluster, Manifest: jsonText(objects) },
    DependsOn: dependsOn,
  };
}

export function queue(properties: object = {}): object {
  return { Type: 'AWS::SQS::Queue', Properties: properties };
}

export interface StatementFields {
  readonly effect?: string;
  readonly principal?: unknown;
  readonly condition?: object;
}

export function statement(
  actions: string | readonly string[],
  resource: unknown = '*',
  { effect = 'Allow', principal, condition }: StatementFields = {},
): object {
  return { Effect: effect, Action: actions, Resource: resource, Principal: principal, Condition: condition };
}

export const EVENTBRIDGE = { Service: 'events.amazonaws.com' };

export function queuePolicy(id: string, ...statements: readonly object[]): object {
  return {
    Type: 'AWS::SQS::QueuePolicy',
    Properties: { Queues: [{ Ref: id }], PolicyDocument: { Statement: statements } },
  };
}

export function eventRule(id: string, pattern: unknown, fields: object = {}): object {
  return {
    Type: 'AWS::Events::Rule',
    Properties: { EventPattern: pattern, Targets: [{ Id: 'queue', Arn: get(id, 'Arn') }], ...fields },
  };
}

/** A role with an inline policy of these statements. */
export function role(service: string | undefined, statements: readonly object[] = [], properties: object = {}): object {
  const trust = {
    Statement: [{ Effect: 'Allow', Action: ['sts:AssumeRole', 'sts:TagSession'], Principal: { Service: service } }],
  };
  const policies =
    statements.length === 0
      ? undefined
      : [{ PolicyName: 'own', PolicyDocument: { Version: '2012-10-17', Statement: statements } }];
  return { Type: 'AWS::IAM::Role', Properties: { AssumeRolePolicyDocument: trust, Policies: policies, ...properties } };
}

export const CONTROLLER_SERVICE = 'pods.eks.amazonaws.com';

export function association(roleId: string, serviceAccount = 'karpenter', namespace = 'kube-system'): object {
  return {
    Type: 'AWS::EKS::PodIdentityAssociation',
    Properties: {
      ClusterName: 'prod',
      Namespace: namespace,
      ServiceAccount: serviceAccount,
      RoleArn: get(roleId, 'Arn'),
    },
  };
}

export const OPEN = { Ref: 'Parameter' };

/** Karpenter's chart with this interruption queue. */
export function listensTo(name: unknown): object {
  return chart({ settings: { clusterName: 'prod', interruptionQueue: name } });
}

export const LISTENS = { Karpenter: listensTo(get('Queue', 'QueueName')), Queue: queue() };

/** The chart of AWS Node Termination Handler. */
export function handler(values: unknown, version = '0.27.1'): object {
  return chart(values, { chart: 'aws-node-termination-handler', version });
}

/** A chart whose values are known only at deployment. */
export function openChart(name: string, cluster = 'prod'): object {
  return { Type: 'Custom::AWSCDK-EKS-HelmChart', Properties: { ClusterName: cluster, Chart: name, Values: OPEN } };
}

/** An affinity that excludes Karpenter's nodes. */
export const NOT_ON_KARPENTER = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' }] }],
    },
  },
};
