import { Duration, Lazy } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { ManagedPolicy, OpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { newGroup, newHandler, newStack, templateOf } from './handlers';
import {
  HandledNodes, HandlerIdentity, InterruptionConsumer, InterruptionQueue, NodeTerminationHandler, NodeTerminationHandlerProps,
} from '../../src/interruption';

function statementsOf(handler: NodeTerminationHandler): Array<{ Sid: string; Action: unknown; Resource: unknown; Condition?: unknown }> {
  const [policy] = Object.values(templateOf(handler).findResources('AWS::IAM::Policy'));
  return policy.Properties.PolicyDocument.Statement;
}

describe('NodeTerminationHandler in queue mode', () => {
  test('hears of spot interruptions, state changes and health, and not of recommendations or Auto Scaling groups', () => {
    const rules = Object.values(templateOf(newHandler()).findResources('AWS::Events::Rule'));
    expect(rules.map((rule) => rule.Properties.EventPattern['detail-type'][0]).sort())
      .toEqual(['AWS Health Event', 'EC2 Instance State-change Notification', 'EC2 Spot Instance Interruption Warning']);
  });

  test('may read its queue and look at instances, and nothing else', () => {
    expect(statementsOf(newHandler())).toEqual([
      { Sid: 'ReadInterruptions', Effect: 'Allow', Action: ['sqs:DeleteMessage', 'sqs:ReceiveMessage'], Resource: { 'Fn::GetAtt': [expect.stringMatching(/^NTHQueue/), 'Arn'] } },
      { Sid: 'FindNodes', Effect: 'Allow', Action: 'ec2:DescribeInstances', Resource: '*', Condition: { StringEquals: { 'aws:RequestedRegion': 'eu-west-1' } } },
    ]);
  });

  test('gives its role to one service account of one cluster through EKS Pod Identity', () => {
    const template = templateOf(newHandler());
    template.hasResourceProperties('AWS::EKS::PodIdentityAssociation', { ClusterName: 'shop', Namespace: 'kube-system', ServiceAccount: 'aws-node-termination-handler' });
    const trust = JSON.stringify(Object.values(template.findResources('AWS::IAM::Role'))[0].Properties.AssumeRolePolicyDocument.Statement);
    expect(trust).toContain('"Service":"pods.eks.amazonaws.com"');
    expect(trust).toContain(':eks:eu-west-1:111122223333:cluster/shop');
    expect(trust).toContain('"aws:RequestTag/kubernetes-namespace":"kube-system"');
    expect(trust).toContain('"aws:RequestTag/kubernetes-service-account":"aws-node-termination-handler"');
  });

  test('gives its role to the service account through IRSA, whose annotation the chart writes', () => {
    const stack = newStack();
    const identity = HandlerIdentity.irsa(OpenIdConnectProvider.fromOpenIdConnectProviderArn(stack, 'Provider', 'arn:aws:iam::111122223333:oidc-provider/oidc.example/id/1'));
    const handler = newHandler({ identity, namespace: 'ops', serviceAccountName: 'nth' }, stack);
    const [role] = Object.values(templateOf(handler).findResources('AWS::IAM::Role'));
    expect(JSON.parse(role.Properties.AssumeRolePolicyDocument).Statement).toEqual([{
      Effect: 'Allow',
      Principal: { Federated: 'arn:aws:iam::111122223333:oidc-provider/oidc.example/id/1' },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: { StringEquals: { 'oidc.example/id/1:aud': 'sts.amazonaws.com', 'oidc.example/id/1:sub': 'system:serviceaccount:ops:nth' } },
    }]);
    expect(stack.resolve(handler.values.serviceAccount)).toEqual({
      create: true, name: 'nth', annotations: { 'eks.amazonaws.com/role-arn': { 'Fn::GetAtt': [expect.stringMatching(/^NTHRole/), 'Arn'] } },
    });
    templateOf(handler).resourceCountIs('AWS::EKS::PodIdentityAssociation', 0);
  });

  test('bounds its role', () => {
    const stack = newStack();
    const permissionsBoundary = ManagedPolicy.fromManagedPolicyName(stack, 'Boundary', 'Limits');
    templateOf(newHandler({ permissionsBoundary }, stack)).hasResourceProperties('AWS::IAM::Role', { PermissionsBoundary: Match.anyValue() });
  });

  test('may decrypt with the key of its queue', () => {
    const stack = newStack();
    const queue = new InterruptionQueue(stack, 'Queue', {
      clusterName: 'shop', consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER, encryptionKey: new Key(stack, 'Key'),
    });
    expect(statementsOf(newHandler({ queue }, stack))).toContainEqual({
      Sid: 'DecryptInterruptions',
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Key/), 'Arn'] },
      Condition: { StringEquals: { 'kms:ViaService': expect.arrayContaining(['sqs.eu-west-1.amazonaws.com']) } },
    });
  });

  describe('with an Auto Scaling group', () => {
    test('holds back the termination of its instances until they are drained', () => {
      const stack = newStack();
      const template = templateOf(newHandler({ autoScalingGroups: [newGroup(stack)], drainTimeout: Duration.minutes(10) }, stack));
      template.hasResourceProperties('AWS::AutoScaling::LifecycleHook', {
        LifecycleTransition: 'autoscaling:EC2_INSTANCE_TERMINATING', DefaultResult: 'CONTINUE', HeartbeatTimeout: 600, NotificationTargetARN: Match.absent(),
      });
      template.hasResourceProperties('AWS::Events::Rule', { EventPattern: { 'source': ['aws.autoscaling'], 'detail-type': ['EC2 Instance-terminate Lifecycle Action'] } });
      template.hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
        Tags: Match.arrayWith([{ Key: 'kubernetes.io/cluster/shop', Value: 'owned', PropagateAtLaunch: true }]),
      });
    });

    test('may finish lifecycle hooks of that group alone, and send heartbeats if it does so', () => {
      const stack = newStack();
      const autoScalingGroups = [newGroup(stack)];
      const [, , finish] = statementsOf(newHandler({ autoScalingGroups }, stack));
      expect(finish).toMatchObject({ Sid: 'FinishTerminations', Action: 'autoscaling:CompleteLifecycleAction' });
      expect(JSON.stringify(finish.Resource)).toMatch(/autoScalingGroupName\/.*Workers/);
      const beating = newStack();
      const actions = statementsOf(newHandler({ autoScalingGroups: [newGroup(beating)], values: { heartbeatInterval: 60 } }, beating));
      expect(actions.flatMap(({ Action }) => Action))
        .toEqual(expect.arrayContaining(['autoscaling:RecordLifecycleActionHeartbeat', 'autoscaling:DescribeLifecycleHooks']));
    });

    test('warns that an imported one has to be tagged elsewhere', () => {
      const stack = newStack();
      newHandler({ autoScalingGroups: [AutoScalingGroup.fromAutoScalingGroupName(stack, 'Old', 'old')] }, stack);
      Annotations.fromStack(stack).hasWarning('/Test/NTH', Match.stringLikeRegexp('group old cannot be tagged.*unless they carry the tag kubernetes.io/cluster/shop'));
    });

    test('rejects a queue that does not hear of it', () => {
      const stack = newStack();
      const queue = new InterruptionQueue(stack, 'Queue', {
        clusterName: 'shop', consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER, autoScalingEvents: false,
      });
      expect(() => newHandler({ queue, autoScalingGroups: [newGroup(stack)] }, stack)).toThrow('Test/NTH/queue: must hear of Auto Scaling groups, got Test/Queue');
    });
  });

  test('has as many pods as is known only at deployment', () => {
    const replicas = Lazy.number({ produce: () => 3 });
    expect(newHandler({ replicas }).values.replicas).toBe(replicas);
  });

  test.each<[string, Partial<NodeTerminationHandlerProps>, string]>([
    ['a single pod', { replicas: 1 }, 'replicas: must be 2 or more, got 1; write 2, so that one pod listens while the node of the other is drained'],
    ['an older chart', { chartVersion: '0.15.0' }, 'chartVersion: must be 0.18.0 or later, got 0.15.0; write for example 0.27.1'],
    ['what is no version', { chartVersion: 'latest' }, 'chartVersion: must be <major>.<minor>.<patch>, got "latest"; write for example 0.27.1'],
    ['EKS Pod Identity for a chart that does not know it', { chartVersion: '0.23.0' }, 'identity: chart 0.24.0 is the first that may use EKS Pod Identity, got chart 0.23.0'],
    ['to leave nodes out by a tag that the chart does not look at', { chartVersion: '0.18.5', nodes: HandledNodes.OUTSIDE_KARPENTER },
      'nodes: chart 0.19.0 is the first that tells instances apart by their tags, got HandledNodes.OUTSIDE_KARPENTER with chart 0.18.5; write a newer chartVersion'],
  ])('rejects %s', (_, props, message) => {
    expect(() => newHandler(props)).toThrow(`Test/NTH/${message}`);
  });
});
