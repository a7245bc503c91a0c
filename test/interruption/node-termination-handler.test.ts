import { Duration, Lazy } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { ManagedPolicy, OpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { newGroup, newHandler, newStack, templateOf } from './fixtures';
import {
  HandledNodes,
  HandlerIdentity,
  HandlerMode,
  InterruptionConsumer,
  InterruptionQueue,
  NodeTerminationHandler,
  NodeTerminationHandlerProps,
} from '../../src/interruption';

function statementsOf(
  handler: NodeTerminationHandler,
): Array<{ Sid: string; Action: unknown; Resource: unknown; Condition?: unknown }> {
  const [policy] = Object.values(templateOf(handler).findResources('AWS::IAM::Policy'));
  return policy.Properties.PolicyDocument.Statement;
}

describe('NodeTerminationHandler in queue mode', () => {
  test('gets spot interruptions, state changes and health events, but no rebalance recommendations or Auto Scaling events', () => {
    const rules = Object.values(templateOf(newHandler()).findResources('AWS::Events::Rule'));
    expect(rules.map((rule) => rule.Properties.EventPattern['detail-type'][0]).sort()).toEqual([
      'AWS Health Event',
      'EC2 Instance State-change Notification',
      'EC2 Spot Instance Interruption Warning',
    ]);
  });

  test('may only read its queue and describe instances', () => {
    expect(statementsOf(newHandler())).toEqual([
      {
        Sid: 'ReadInterruptions',
        Effect: 'Allow',
        Action: ['sqs:DeleteMessage', 'sqs:ReceiveMessage'],
        Resource: { 'Fn::GetAtt': [expect.stringMatching(/^NTHQueue/), 'Arn'] },
      },
      {
        Sid: 'FindNodes',
        Effect: 'Allow',
        Action: 'ec2:DescribeInstances',
        Resource: '*',
        Condition: { StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } },
      },
    ]);
  });

  test('lets only one service account of one cluster assume its role through EKS Pod Identity', () => {
    const template = templateOf(newHandler());
    template.hasResourceProperties('AWS::EKS::PodIdentityAssociation', {
      ClusterName: 'shop',
      Namespace: 'kube-system',
      ServiceAccount: 'aws-node-termination-handler',
    });
    const trust = JSON.stringify(
      Object.values(template.findResources('AWS::IAM::Role'))[0].Properties.AssumeRolePolicyDocument.Statement,
    );
    expect(trust).toContain('"Service":"pods.eks.amazonaws.com"');
    expect(trust).toContain(':eks:eu-west-1:111122223333:cluster/shop');
    expect(trust).toContain('"aws:RequestTag/kubernetes-namespace":"kube-system"');
    expect(trust).toContain('"aws:RequestTag/kubernetes-service-account":"aws-node-termination-handler"');
  });

  test('lets the service account assume its role through IRSA, with an annotation in the chart values', () => {
    const stack = newStack();
    const identity = HandlerIdentity.irsa(
      OpenIdConnectProvider.fromOpenIdConnectProviderArn(
        stack,
        'Provider',
        'arn:aws:iam::111122223333:oidc-provider/oidc.example/id/1',
      ),
    );
    const handler = newHandler(
      { mode: HandlerMode.queue({ identity }), namespace: 'ops', serviceAccountName: 'nth' },
      stack,
    );
    const [role] = Object.values(templateOf(handler).findResources('AWS::IAM::Role'));
    expect(JSON.parse(role.Properties.AssumeRolePolicyDocument).Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { Federated: 'arn:aws:iam::111122223333:oidc-provider/oidc.example/id/1' },
        Action: 'sts:AssumeRoleWithWebIdentity',
        Condition: {
          StringEquals: {
            'oidc.example/id/1:aud': 'sts.amazonaws.com',
            'oidc.example/id/1:sub': 'system:serviceaccount:ops:nth',
          },
        },
      },
    ]);
    expect(stack.resolve(handler.helmValues.serviceAccount)).toEqual({
      create: true,
      name: 'nth',
      annotations: { 'eks.amazonaws.com/role-arn': { 'Fn::GetAtt': [expect.stringMatching(/^NTHRole/), 'Arn'] } },
    });
    templateOf(handler).resourceCountIs('AWS::EKS::PodIdentityAssociation', 0);
  });

  test('sets the permissions boundary of its role', () => {
    const stack = newStack();
    const permissionsBoundary = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'Limits');
    templateOf(newHandler({ mode: HandlerMode.queue({ permissionsBoundary }) }, stack)).hasResourceProperties(
      'AWS::IAM::Role',
      { PermissionsBoundary: Match.anyValue() },
    );
  });

  test('may decrypt with the key of its queue', () => {
    const stack = newStack();
    const queue = new InterruptionQueue(stack, 'Queue', {
      clusterName: 'shop',
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
      encryptionKey: new Key(stack, 'Key'),
    });
    expect(statementsOf(newHandler({ mode: HandlerMode.queue({ queue }) }, stack))).toContainEqual({
      Sid: 'DecryptInterruptions',
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Key/), 'Arn'] },
      Condition: { StringEquals: { 'kms:ViaService': expect.arrayContaining(['sqs.eu-west-1.amazonaws.com']) } },
    });
  });

  describe('with an Auto Scaling group', () => {
    test('delays the termination of its instances until they are drained', () => {
      const stack = newStack();
      const mode = HandlerMode.queue({ autoScalingGroups: [newGroup(stack)], drainTimeout: Duration.minutes(10) });
      const template = templateOf(newHandler({ mode }, stack));
      template.hasResourceProperties('AWS::AutoScaling::LifecycleHook', {
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING',
        DefaultResult: 'CONTINUE',
        HeartbeatTimeout: 600,
        NotificationTargetARN: Match.absent(),
      });
      template.hasResourceProperties('AWS::Events::Rule', {
        EventPattern: { source: ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] },
      });
      template.hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
        Tags: Match.arrayWith([{ Key: 'kubernetes.io/cluster/shop', Value: 'owned', PropagateAtLaunch: true }]),
      });
    });

    test('may complete lifecycle actions only of that group, and send heartbeats only if they are enabled', () => {
      const stack = newStack();
      const autoScalingGroups = [newGroup(stack)];
      const [, , finish] = statementsOf(newHandler({ mode: HandlerMode.queue({ autoScalingGroups }) }, stack));
      expect(finish).toMatchObject({ Sid: 'FinishTerminations', Action: 'autoscaling:CompleteLifecycleAction' });
      expect(JSON.stringify(finish.Resource)).toMatch(/autoScalingGroupName\/.*Workers/);
      const beating = newStack();
      const mode = HandlerMode.queue({ autoScalingGroups: [newGroup(beating)] });
      const actions = statementsOf(newHandler({ mode, helmValues: { heartbeatInterval: 60 } }, beating));
      expect(actions.flatMap(({ Action }) => Action)).toEqual(
        expect.arrayContaining(['autoscaling:RecordLifecycleActionHeartbeat', 'autoscaling:DescribeLifecycleHooks']),
      );
    });

    test('warns that an imported group must be tagged outside the app', () => {
      const stack = newStack();
      newHandler(
        {
          mode: HandlerMode.queue({
            autoScalingGroups: [AutoScalingGroup.fromAutoScalingGroupName(stack, 'Old', 'old')],
          }),
        },
        stack,
      );
      Annotations.fromStack(stack).hasWarning(
        '/Test/NTH',
        Match.stringLikeRegexp('group old cannot be tagged.*unless they have the tag kubernetes.io/cluster/shop'),
      );
    });

    test('rejects a queue without Auto Scaling events', () => {
      const stack = newStack();
      const queue = new InterruptionQueue(stack, 'Queue', {
        clusterName: 'shop',
        consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
        autoScalingEvents: false,
      });
      expect(() =>
        newHandler({ mode: HandlerMode.queue({ queue, autoScalingGroups: [newGroup(stack)] }) }, stack),
      ).toThrow('Test/NTH/mode.queue: must get the events of Auto Scaling groups, got Test/Queue');
    });
  });

  test('accepts a token as the number of replicas', () => {
    const replicas = Lazy.number({ produce: () => 3 });
    expect(newHandler({ mode: HandlerMode.queue({ replicas }) }).helmValues.replicas).toBe(replicas);
  });

  test.each<[string, Partial<NodeTerminationHandlerProps>, string]>([
    [
      'a single pod',
      { mode: HandlerMode.queue({ replicas: 1 }) },
      "mode.replicas: must be 2 or more, got 1; write 2, so that one pod handles events while the other one's node is drained",
    ],
    [
      'an older chart',
      { chartVersion: '0.15.0' },
      'chartVersion: must be 0.18.0 or later, got 0.15.0; write for example 0.27.1',
    ],
    [
      'an invalid version',
      { chartVersion: 'latest' },
      'chartVersion: must be <major>.<minor>.<patch>, got "latest"; write for example 0.27.1',
    ],
    [
      'EKS Pod Identity with a chart that does not support it',
      { chartVersion: '0.23.0' },
      'mode.identity: chart 0.24.0 is the first that supports EKS Pod Identity, got chart 0.23.0',
    ],
    [
      'HandledNodes.OUTSIDE_KARPENTER with a chart that does not select by tag',
      { chartVersion: '0.18.5', nodes: HandledNodes.OUTSIDE_KARPENTER },
      'nodes: chart 0.19.0 is the first that selects instances by tag, got HandledNodes.OUTSIDE_KARPENTER with chart 0.18.5; write a newer chartVersion',
    ],
  ])('rejects %s', (_, props, message) => {
    expect(() => newHandler(props)).toThrow(`Test/NTH/${message}`);
  });
});
