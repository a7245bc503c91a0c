/** The role of AWS Node Termination Handler in queue mode. It allows only the API calls that the handler makes. */
import { Stack } from 'aws-cdk-lib';
import { IAutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { CfnPodIdentityAssociation } from 'aws-cdk-lib/aws-eks';
import {
  CfnRole,
  FederatedPrincipal,
  IManagedPolicy,
  IPrincipal,
  PolicyStatement,
  Role,
  ServicePrincipal,
  SessionTagsPrincipal,
} from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import {
  HANDLER_HEARTBEAT_ACTIONS,
  HANDLER_HEARTBEAT_READ_ACTIONS,
  HANDLER_INSTANCE_ACTIONS,
  HANDLER_LIFECYCLE_ACTIONS,
  HANDLER_QUEUE_ACTIONS,
  queueKeyStatements,
} from '../../contract';
import { HandlerIdentity } from '../handler-mode';
import { InterruptionQueue } from '../interruption-queue';

export interface HandlerRoleConfig {
  readonly clusterName: string;
  readonly namespace: string;
  readonly serviceAccountName: string;
  readonly identity: HandlerIdentity;
  readonly permissionsBoundary?: IManagedPolicy;
  readonly queue: InterruptionQueue;
  readonly autoScalingGroups: readonly IAutoScalingGroup[];
  readonly sendsHeartbeats: boolean;
}

export function newHandlerRole(scope: Construct, config: HandlerRoleConfig): Role {
  const role = config.identity.openIdConnectProvider ? newIrsaRole(scope, config) : newPodIdentityRole(scope, config);
  for (const statement of statements(scope, config)) role.addToPolicy(statement);
  return role;
}

function newPodIdentityRole(scope: Construct, config: HandlerRoleConfig): Role {
  const { clusterName, namespace, serviceAccountName: serviceAccount } = config;
  const role = newRole(
    scope,
    config,
    new SessionTagsPrincipal(
      new ServicePrincipal('pods.eks.amazonaws.com').withConditions({
        StringEquals: {
          'aws:RequestTag/eks-cluster-arn': Stack.of(scope).formatArn({
            service: 'eks',
            resource: 'cluster',
            resourceName: clusterName,
          }),
          'aws:RequestTag/kubernetes-namespace': namespace,
          'aws:RequestTag/kubernetes-service-account': serviceAccount,
        },
      }),
    ),
  );
  new CfnPodIdentityAssociation(scope, 'PodIdentityAssociation', {
    clusterName,
    namespace,
    serviceAccount,
    roleArn: role.roleArn,
  });
  return role;
}

/** The trust policy is a JSON string, because its keys contain the issuer, which may be known only at deployment. */
function newIrsaRole(scope: Construct, config: HandlerRoleConfig): Role {
  const { openIdConnectProviderArn: arn, openIdConnectProviderIssuer: issuer } = config.identity.openIdConnectProvider!;
  const action = 'sts:AssumeRoleWithWebIdentity';
  const role = newRole(scope, config, new FederatedPrincipal(arn, {}, action));
  (role.node.defaultChild as CfnRole).addPropertyOverride(
    'AssumeRolePolicyDocument',
    Stack.of(scope).toJsonString({
      Version: '2012-10-17',
      Statement: [
        {
          Effect: 'Allow',
          Principal: { Federated: arn },
          Action: action,
          Condition: {
            StringEquals: {
              [`${issuer}:aud`]: 'sts.amazonaws.com',
              [`${issuer}:sub`]: `system:serviceaccount:${config.namespace}:${config.serviceAccountName}`,
            },
          },
        },
      ],
    }),
  );
  return role;
}

function newRole(scope: Construct, { permissionsBoundary }: HandlerRoleConfig, assumedBy: IPrincipal): Role {
  return new Role(scope, 'Role', { assumedBy, permissionsBoundary, description: 'AWS Node Termination Handler' });
}

function statements(
  scope: Construct,
  { queue, autoScalingGroups, sendsHeartbeats }: HandlerRoleConfig,
): PolicyStatement[] {
  const allow = (sid: string, actions: readonly string[], resources: string[], conditions?: Record<string, unknown>) =>
    new PolicyStatement({
      sid,
      actions: [...actions],
      resources,
      conditions: conditions as PolicyStatement['conditions'],
    });
  const { partition, region, account } = Stack.of(scope);
  const inRegion = { StringEquals: { 'aws:RequestedRegion': region } };
  const keyStatements = queue.encryptionKey
    ? queueKeyStatements(queue.encryptionKey.keyArn, { partition, region, account })
    : [];
  const groups = autoScalingGroups.map((group) => group.autoScalingGroupArn);
  return [
    allow('ReadInterruptions', HANDLER_QUEUE_ACTIONS, [queue.queueArn]),
    allow('FindNodes', HANDLER_INSTANCE_ACTIONS, ['*'], inRegion),
    ...keyStatements.map(({ Action, Resource, Condition }) =>
      allow('DecryptInterruptions', Action, [...Resource], Condition),
    ),
    ...(groups.length > 0
      ? [
          allow(
            'FinishTerminations',
            [...HANDLER_LIFECYCLE_ACTIONS, ...(sendsHeartbeats ? HANDLER_HEARTBEAT_ACTIONS : [])],
            groups,
          ),
        ]
      : []),
    ...(groups.length > 0 && sendsHeartbeats
      ? [allow('ReadLifecycleHooks', HANDLER_HEARTBEAT_READ_ACTIONS, ['*'], inRegion)]
      : []),
  ];
}
