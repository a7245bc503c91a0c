import { KubectlV34Layer } from '@aws-cdk/lambda-layer-kubectl-v34';
import { App, Duration, Stack, Token } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { InstanceType, LaunchTemplate, MachineImage, Vpc } from 'aws-cdk-lib/aws-ec2';
import * as eks from 'aws-cdk-lib/aws-eks';
import * as eksv2 from 'aws-cdk-lib/aws-eks-v2';
import { ManagedPolicy, OpenIdConnectProvider } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import {
  HandledNodes, HandlerIdentity, HandlerPlacement, InterruptionConsumer, InterruptionQueue, NodeTerminationHandler, NodeTerminationHandlerMode,
  NodeTerminationHandlerProps,
} from '../../src/interruption';

const newStack = () => new Stack(new App({ builtinCloudFormationValidation: false }), 'Test', { env: { account: '111122223333', region: 'eu-west-1' } });
const newHandler = (props: Partial<NodeTerminationHandlerProps> = {}, stack = newStack()) =>
  new NodeTerminationHandler(stack, 'NTH', { clusterName: 'shop', ...props });
const templateOf = (handler: NodeTerminationHandler) => Template.fromStack(Stack.of(handler));
const imds = NodeTerminationHandlerMode.IMDS;

function statementsOf(handler: NodeTerminationHandler): Array<{ Sid: string; Action: unknown; Resource: unknown; Condition?: unknown }> {
  const [policy] = Object.values(templateOf(handler).findResources('AWS::IAM::Policy'));
  return policy.Properties.PolicyDocument.Statement;
}

function newGroup(stack: Stack): AutoScalingGroup {
  const launchTemplate = new LaunchTemplate(stack, 'LaunchTemplate', {
    machineImage: MachineImage.genericLinux({ 'eu-west-1': 'ami-1234' }), instanceType: new InstanceType('m7i.large'),
  });
  return new AutoScalingGroup(stack, 'Workers', { vpc: Vpc.fromVpcAttributes(stack, 'Vpc', { vpcId: 'vpc-1', availabilityZones: ['eu-west-1a'], privateSubnetIds: ['subnet-1'] }), launchTemplate });
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
      Sid: 'DecryptInterruptions', Effect: 'Allow', Action: 'kms:Decrypt', Resource: { 'Fn::GetAtt': [expect.stringMatching(/^Key/), 'Arn'] },
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

  describe('has values', () => {
    test('for two pods with a budget, which handle the instances of this cluster', () => {
      const handler = newHandler();
      expect(Stack.of(handler).resolve(handler.values)).toMatchObject({
        enableSqsTerminationDraining: true,
        queueURL: { Ref: expect.stringMatching(/^NTHQueue/) },
        awsRegion: 'eu-west-1',
        checkTagBeforeDraining: true,
        managedTag: 'kubernetes.io/cluster/shop',
        replicas: 2,
        podDisruptionBudget: { maxUnavailable: 1 },
        priorityClassName: 'system-cluster-critical',
        serviceAccount: { create: true, name: 'aws-node-termination-handler', annotations: {} },
      });
      expect(handler.chartRepository).toBe('oci://public.ecr.aws/aws-ec2/helm/aws-node-termination-handler');
    });

    test('without the keys that the chart of then did not know', () => {
      const stack = newStack();
      const identity = HandlerIdentity.irsa(OpenIdConnectProvider.fromOpenIdConnectProviderArn(stack, 'Provider', 'arn:aws:iam::111122223333:oidc-provider/x'));
      const handler = newHandler({ identity, chartVersion: '0.18.5' }, stack);
      expect(handler.values).toMatchObject({ checkASGTagBeforeDraining: false, assumeAsgTagPropagation: true });
      expect(Object.keys(handler.values)).not.toEqual(expect.arrayContaining(['managedTag']));
      expect(handler.chartRepository).toBe('https://aws.github.io/eks-charts');
    });

    test('that never place it on spot nodes, nor on nodes that Karpenter may replace', () => {
      expect(requiredNodes(newHandler())).toEqual([
        { key: 'karpenter.sh/capacity-type', operator: 'NotIn', values: ['spot'] },
        { key: 'eks.amazonaws.com/capacityType', operator: 'NotIn', values: ['SPOT'] },
        { key: 'node.kubernetes.io/lifecycle', operator: 'NotIn', values: ['spot'] },
        { key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' },
      ]);
    });

    test.each<[string, HandlerPlacement, unknown[]]>([
      ['on any on-demand node', HandlerPlacement.ON_DEMAND, []],
      ['on on-demand nodes with labels', HandlerPlacement.labels({ role: 'system' }), [{ key: 'role', operator: 'In', values: ['system'] }]],
    ])('that place it %s', (_, placement, more) => {
      expect(requiredNodes(newHandler({ placement })).slice(3)).toEqual(more);
    });

    test('of yours, which win field by field', () => {
      expect(newHandler({ values: { replicas: 3, podDisruptionBudget: { minAvailable: 2 }, logLevel: 'debug' } }).values).toMatchObject({
        replicas: 3, podDisruptionBudget: { maxUnavailable: 1, minAvailable: 2 }, logLevel: 'debug', awsRegion: 'eu-west-1',
      });
    });
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

describe('NodeTerminationHandler on a cluster', () => {
  const release = {
    Release: 'aws-node-termination-handler',
    Chart: 'aws-node-termination-handler',
    Version: '0.27.1',
    Repository: 'oci://public.ecr.aws/aws-ec2/helm/aws-node-termination-handler',
    Namespace: 'kube-system',
  };
  const dependencies = [expect.stringMatching(/^NTHPodIdentityAssociation/), expect.stringMatching(/^NTHRoleDefaultPolicy/)];

  test('of aws-eks is a release, installed after its role', () => {
    const stack = newStack();
    const cluster = newCluster(stack);
    const handler = newHandler({ clusterName: cluster.clusterName }, stack);
    handler.installOn(cluster);
    templateOf(handler).hasResourceProperties('Custom::AWSCDK-EKS-HelmChart', release);
    expect(dependenciesOfChart(handler)).toEqual(expect.arrayContaining(dependencies));
  });

  test('of aws-eks-v2 is the same', () => {
    const stack = newStack();
    const cluster = newClusterV2(stack);
    const handler = newHandler({ clusterName: cluster.clusterName }, stack);
    handler.installOnV2(cluster);
    templateOf(handler).hasResourceProperties('Custom::AWSCDK-EKS-HelmChart', release);
    expect(dependenciesOfChart(handler)).toEqual(expect.arrayContaining(dependencies));
  });
});

describe('NodeTerminationHandler in IMDS mode', () => {
  test('needs nothing of AWS', () => {
    const handler = newHandler({ mode: imds });
    expect(templateOf(handler).toJSON().Resources).toBeUndefined();
    expect([handler.queue, handler.role]).toEqual([undefined, undefined]);
  });

  test('runs on every node, and acts on recommendations only if it is told to', () => {
    const values = newHandler({ mode: imds }).values;
    expect(values).toMatchObject({
      enableSqsTerminationDraining: false, enableSpotInterruptionDraining: true, enableRebalanceMonitoring: false, enableRebalanceDraining: false,
    });
    expect(JSON.stringify(values.daemonsetAffinity)).not.toContain('karpenter');
    expect(newHandler({ mode: imds, drainOnRebalance: true }).values.enableRebalanceDraining).toBe(true);
  });

  test('keeps off the nodes of Karpenter', () => {
    const { daemonsetAffinity } = newHandler({ mode: imds, nodes: HandledNodes.OUTSIDE_KARPENTER }).values;
    expect(daemonsetAffinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions)
      .toContainEqual({ key: 'karpenter.sh/nodepool', operator: 'DoesNotExist' });
  });

  test('rejects what only queue mode has', () => {
    expect(() => newHandler({ mode: imds, replicas: 3 })).toThrow('Test/NTH/replicas: is for NodeTerminationHandlerMode.QUEUE, got it in IMDS mode; leave it out');
  });
});

describe('NodeTerminationHandler beside Karpenter', () => {
  const synth = (stack: Stack) => () => Template.fromStack(stack);

  test('fails at synth if both drain the same nodes', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    newHandler({}, stack);
    expect(synth(stack)).toThrow('nodes: must leave out those of Karpenter, which hears of interruptions through Test/Karpenter, got HandledNodes.ALL; '
      + "write HandledNodes.OUTSIDE_KARPENTER, or leave out Karpenter's interruption queue");
  });

  test('fails in IMDS mode, too, and where the name of the cluster is not known yet', () => {
    const stack = newStack();
    const clusterName = Token.asString({ Ref: 'Cluster' });
    new InterruptionQueue(stack, 'Karpenter', { clusterName });
    newHandler({ clusterName, mode: imds }, stack);
    expect(synth(stack)).toThrow('must leave out those of Karpenter');
  });

  test.each(['eks', 'eks-v2'])('fails where one has the name of a cluster of %s as it was written, and the other has asked the cluster for it', (kind) => {
    const stack = newStack();
    const cluster = kind === 'eks' ? newCluster(stack, 'shop') : newClusterV2(stack, 'shop');
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    newHandler({ clusterName: cluster.clusterName }, stack);
    expect(synth(stack)).toThrow('must leave out those of Karpenter');
  });

  test('passes for another cluster', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'other' });
    newHandler({}, stack);
    expect(synth(stack)).not.toThrow();
  });

  test('handles the instances with a tag of its own, if it leaves those of Karpenter out', () => {
    const stack = newStack();
    new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    const handler = newHandler({ nodes: HandledNodes.OUTSIDE_KARPENTER, autoScalingGroups: [newGroup(stack)] }, stack);
    expect(handler.values.managedTag).toBe('aws-node-termination-handler/managed');
    templateOf(handler).hasResourceProperties('AWS::AutoScaling::AutoScalingGroup', {
      Tags: Match.arrayWith([{ Key: 'aws-node-termination-handler/managed', Value: 'true', PropagateAtLaunch: true }]),
    });
  });

  test('does not read the queue of Karpenter', () => {
    const stack = newStack();
    const queue = new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop' });
    expect(() => newHandler({ queue, nodes: HandledNodes.OUTSIDE_KARPENTER }, stack)).toThrow('Test/Karpenter: is for Karpenter, got AWS Node Termination Handler (Test/NTH) as its reader');
  });
});

function newCluster(stack: Stack, clusterName?: string): eks.Cluster {
  return new eks.Cluster(stack, 'Cluster', {
    clusterName, version: eks.KubernetesVersion.V1_34, kubectlLayer: new KubectlV34Layer(stack, 'Kubectl'), defaultCapacity: 0,
  });
}

function newClusterV2(stack: Stack, clusterName?: string): eksv2.Cluster {
  return new eksv2.Cluster(stack, 'Cluster', {
    clusterName,
    version: eksv2.KubernetesVersion.V1_34,
    kubectlProviderOptions: { kubectlLayer: new KubectlV34Layer(stack, 'Kubectl') },
    defaultCapacityType: eksv2.DefaultCapacityType.NODEGROUP,
    defaultCapacity: 0,
  });
}

function dependenciesOfChart(handler: NodeTerminationHandler): string[] {
  const [chart] = Object.values(templateOf(handler).findResources('Custom::AWSCDK-EKS-HelmChart'));
  return chart.DependsOn;
}

function requiredNodes(handler: NodeTerminationHandler): unknown[] {
  return handler.values.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms[0].matchExpressions;
}
