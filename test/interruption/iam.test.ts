import { App, Stack } from 'aws-cdk-lib';
import { AutoScalingGroup } from 'aws-cdk-lib/aws-autoscaling';
import { Alias, IKey, Key } from 'aws-cdk-lib/aws-kms';
import { ACCOUNT, DeployedStack, isAllowed, IamRequest, REGION } from './deployed-stack';
import {
  HandlerMode,
  InterruptionConsumer,
  InterruptionQueue,
  NodeTerminationHandler,
  SpotInterruptionExperiment,
} from '../../src/interruption';

const EVENTS = 'events.amazonaws.com';
const OTHER_ACCOUNT = '999988887777';
const session = (role: string) => `arn:aws:sts::${ACCOUNT}:assumed-role/${role}/session`;
const group = (name: string) =>
  `arn:aws:autoscaling:${REGION}:${ACCOUNT}:autoScalingGroup:1234:autoScalingGroupName/${name}`;
const instance = `arn:aws:ec2:${REGION}:${ACCOUNT}:instance/i-1`;

function deploy(): DeployedStack {
  const stack = new Stack(new App({ builtinCloudFormationValidation: false }), 'Test', {
    env: { account: ACCOUNT, region: REGION },
  });
  const { alarms } = new InterruptionQueue(stack, 'Karpenter', { clusterName: 'shop', alarms: {} });
  const queue = new InterruptionQueue(stack, 'Interruptions', {
    clusterName: 'other',
    consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
    encryptionKey: new Key(stack, 'Key'),
  });
  const autoScalingGroups = [AutoScalingGroup.fromAutoScalingGroupName(stack, 'Group', 'workers')];
  new NodeTerminationHandler(stack, 'NTH', {
    clusterName: 'other',
    mode: HandlerMode.queue({ queue, autoScalingGroups }),
  });
  new SpotInterruptionExperiment(stack, 'Experiment', { clusterName: 'shop', nodePoolName: 'web', stopAlarms: alarms });
  return new DeployedStack(stack);
}

const deployed = deploy();
const queueArn = deployed.arnOf('AWS::SQS::Queue', 'KarpenterQueue');
const handlerQueueArn = deployed.arnOf('AWS::SQS::Queue', 'Interruptions');
const keyArn = deployed.arnOf('AWS::KMS::Key');
const ownRule = deployed.arnOf('AWS::Events::Rule', 'KarpenterSpot');

describe('the interruption queue', () => {
  const policy = deployed.property('AWS::SQS::QueuePolicy', 'Karpenter', 'PolicyDocument');
  const fromRule = (rule: string, account = ACCOUNT, secure = 'true') => ({
    'aws:SourceArn': rule,
    'aws:SourceAccount': account,
    'aws:SecureTransport': secure,
  });
  const send = (context: Record<string, string>, principal = EVENTS): IamRequest => ({
    principal,
    action: 'sqs:SendMessage',
    resource: queueArn,
    context,
  });

  test('accepts messages from its own rules', async () => {
    expect(await isAllowed(send(fromRule(ownRule)), { resource: policy })).toBe(true);
  });

  test.each<[string, IamRequest]>([
    ['another rule of the account', send(fromRule(`arn:aws:events:${REGION}:${ACCOUNT}:rule/other`))],
    ['the rule of another queue', send(fromRule(deployed.arnOf('AWS::Events::Rule', 'InterruptionsSpot')))],
    ['a rule of another account', send(fromRule(ownRule, OTHER_ACCOUNT))],
    ['EventBridge without a rule', send({ 'aws:SecureTransport': 'true' })],
    ['its own rule without TLS', send(fromRule(ownRule, ACCOUNT, 'false'))],
    ['another service', send(fromRule(ownRule), 'sns.amazonaws.com')],
    ['another account', send(fromRule(ownRule), `arn:aws:iam::${OTHER_ACCOUNT}:role/x`)],
  ])('rejects messages from %s', async (_, request) => {
    expect(await isAllowed(request, { resource: policy })).toBe(false);
  });

  test('does not let EventBridge receive messages', async () => {
    expect(
      await isAllowed(
        { principal: EVENTS, action: 'sqs:ReceiveMessage', resource: queueArn, context: fromRule(ownRule) },
        { resource: policy },
      ),
    ).toBe(false);
  });
});

describe('the key of an interruption queue', () => {
  const policy = deployed.property('AWS::KMS::Key', 'Key', 'KeyPolicy');
  const use = (action: string, account: string): IamRequest => ({
    principal: EVENTS,
    action,
    resource: keyArn,
    context: { 'aws:SourceAccount': account },
  });

  test.each(['kms:GenerateDataKey', 'kms:Decrypt'])('lets only EventBridge of this account call %s', async (action) => {
    expect(await isAllowed(use(action, ACCOUNT), { resource: policy })).toBe(true);
    expect(await isAllowed(use(action, OTHER_ACCOUNT), { resource: policy })).toBe(false);
  });

  test('allows EventBridge no other action', async () => {
    expect(await isAllowed(use('kms:CreateGrant', ACCOUNT), { resource: policy })).toBe(false);
  });
});

describe('the role of AWS Node Termination Handler', () => {
  const identity = deployed.property('AWS::IAM::Policy', 'NTH', 'PolicyDocument');
  const keyPolicy = deployed.property('AWS::KMS::Key', 'Key', 'KeyPolicy');
  const here = { 'aws:RequestedRegion': REGION };
  const mayCall = (action: string, resource: string, context: Record<string, string> = {}) =>
    isAllowed(
      { principal: session('nth'), action, resource, context },
      { identity, resource: resource === keyArn ? keyPolicy : undefined },
    );

  test.each<[string, string, Record<string, string>]>([
    ['sqs:ReceiveMessage', handlerQueueArn, {}],
    ['sqs:DeleteMessage', handlerQueueArn, {}],
    ['kms:Decrypt', keyArn, { 'kms:ViaService': `sqs.${REGION}.amazonaws.com` }],
    ['ec2:DescribeInstances', '*', here],
    ['autoscaling:CompleteLifecycleAction', group('workers'), {}],
  ])('allows %s', async (action, resource, context) => {
    expect(await mayCall(action, resource, context)).toBe(true);
  });

  test.each<[string, string, string, Record<string, string>]>([
    ['read the queue of Karpenter', 'sqs:ReceiveMessage', queueArn, {}],
    ['delete a message of Karpenter', 'sqs:DeleteMessage', queueArn, {}],
    ['send interruption events', 'sqs:SendMessage', handlerQueueArn, {}],
    ['empty its queue', 'sqs:PurgeQueue', handlerQueueArn, {}],
    ['open its queue to others', 'sqs:SetQueueAttributes', handlerQueueArn, {}],
    ['encrypt with the key', 'kms:Encrypt', keyArn, {}],
    ['decrypt anything else with the key', 'kms:Decrypt', keyArn, { 'kms:ViaService': `ec2.${REGION}.amazonaws.com` }],
    ['complete a lifecycle action of another group', 'autoscaling:CompleteLifecycleAction', group('others'), {}],
    ['terminate an instance of its group', 'autoscaling:TerminateInstanceInAutoScalingGroup', group('workers'), {}],
    ['change its group', 'autoscaling:UpdateAutoScalingGroup', group('workers'), {}],
    ['terminate an instance', 'ec2:TerminateInstances', instance, {}],
    ['describe instances of another region', 'ec2:DescribeInstances', '*', { 'aws:RequestedRegion': 'us-east-1' }],
  ])('does not allow to %s', async (_, action, resource, context) => {
    expect(await mayCall(action, resource, context)).toBe(false);
  });
});

describe("the role of AWS Node Termination Handler with an alias as the queue's key", () => {
  const newStack = () =>
    new Stack(new App({ builtinCloudFormationValidation: false }), 'Test', {
      env: { account: ACCOUNT, region: REGION },
    });
  const mayDecrypt = (stack: Stack, encryptionKey: IKey, context: Record<string, string | string[]>) => {
    const queue = new InterruptionQueue(stack, 'Queue', {
      clusterName: 'other',
      consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER,
      encryptionKey,
    });
    new NodeTerminationHandler(stack, 'NTH', { clusterName: 'other', mode: HandlerMode.queue({ queue }) });
    const identity = new DeployedStack(stack).property('AWS::IAM::Policy', 'NTH', 'PolicyDocument');
    return isAllowed(
      { principal: session('nth'), action: 'kms:Decrypt', resource: keyArn, context },
      { identity, resource: deployed.property('AWS::KMS::Key', 'Key', 'KeyPolicy') },
    );
  };
  const throughSqs = { 'kms:ViaService': `sqs.${REGION}.amazonaws.com` };

  test('allows decrypting with the target key of an alias in the app', async () => {
    const stack = newStack();
    expect(
      await mayDecrypt(
        stack,
        new Alias(stack, 'Alias', { aliasName: 'alias/events', targetKey: new Key(stack, 'Key') }),
        throughSqs,
      ),
    ).toBe(true);
  });

  test.each([
    ['alias/events', true],
    ['alias/others', false],
  ])('for an imported alias, allows decrypting with a key that has the alias %s: %s', async (alias, allowed) => {
    const stack = newStack();
    expect(
      await mayDecrypt(stack, Alias.fromAliasName(stack, 'Key', 'alias/events'), {
        ...throughSqs,
        'kms:ResourceAliases': [alias],
      }),
    ).toBe(allowed);
  });
});

describe('the role of the experiment', () => {
  const identity = deployed.property('AWS::IAM::Policy', 'Experiment', 'PolicyDocument');
  const tags = (cluster: string, nodePool: string) => ({
    'aws:ResourceTag/eks:eks-cluster-name': cluster,
    'aws:ResourceTag/karpenter.sh/nodepool': nodePool,
  });
  const mayCall = (action: string, context: Record<string, string> = {}) =>
    isAllowed({ principal: session('fis'), action, resource: instance, context }, { identity });

  test('allows interrupting spot nodes of its NodePool', async () => {
    expect(await mayCall('ec2:SendSpotInstanceInterruptions', tags('shop', 'web'))).toBe(true);
  });

  test.each<[string, string, Record<string, string>]>([
    ['interrupt nodes of another cluster', 'ec2:SendSpotInstanceInterruptions', tags('other', 'web')],
    ['interrupt nodes of another NodePool', 'ec2:SendSpotInstanceInterruptions', tags('shop', 'db')],
    ['interrupt an instance that is not a node', 'ec2:SendSpotInstanceInterruptions', {}],
    ['terminate a node', 'ec2:TerminateInstances', tags('shop', 'web')],
    ['stop a node', 'ec2:StopInstances', tags('shop', 'web')],
  ])('does not allow to %s', async (_, action, context) => {
    expect(await mayCall(action, context)).toBe(false);
  });
});
