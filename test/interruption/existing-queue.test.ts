import { App, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { IQueue, Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { ClusterReference, ControllerIdentity, InterruptionHandling, Karpenter } from '../../src/infra';
import { InterruptionQueue, InterruptionQueueProps } from '../../src/interruption';

const ACCOUNT = '111122223333';
const QUEUE_ARN = `arn:aws:sqs:eu-west-1:${ACCOUNT}:events`;

function newStack(): Stack {
  const app = new App({ builtinCloudFormationValidation: false });
  return new Stack(app, 'Stack', { env: { account: ACCOUNT, region: 'eu-west-1' } });
}

function install(stack: Stack, interruptionHandling: InterruptionHandling): Karpenter {
  return new Karpenter(stack, 'Karpenter', {
    cluster: new ClusterReference(stack, 'Cluster', { clusterName: 'shop' }),
    identity: ControllerIdentity.podIdentity({ installAgent: false }),
    interruptionHandling,
  });
}

function warnings(stack: Stack): string[] {
  return Annotations.fromStack(stack)
    .findWarning('*', Match.anyValue())
    .map(({ entry }) => entry.data as string);
}

const rulesOf = (stack: Stack) => Object.values(Template.fromStack(stack).findResources('AWS::Events::Rule'));

test('sends events to a queue of the app, and lets its own rules send', () => {
  const stack = newStack();
  const queue = new Queue(stack, 'Existing', { queueName: 'events' });
  const { helmValues, interruptionQueue } = install(stack, InterruptionHandling.fromExistingQueue(queue));
  const template = Template.fromStack(stack);
  template.resourceCountIs('AWS::SQS::Queue', 1);
  template.resourceCountIs('AWS::SQS::QueuePolicy', 1);
  expect(rulesOf(stack).length).toBeGreaterThan(3);
  expect(helmValues.settings.interruptionQueue).toBe(queue.queueName);
  expect(interruptionQueue!.queue).toBe(queue);
  expect(warnings(stack)).toEqual([]);
});

test('lets the controller read an imported queue, and warns with the statement that it cannot add', () => {
  const stack = newStack();
  install(stack, InterruptionHandling.fromExistingQueue(Queue.fromQueueArn(stack, 'Existing', QUEUE_ARN)));
  Template.fromStack(stack).hasResourceProperties('AWS::IAM::ManagedPolicy', {
    PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Resource: QUEUE_ARN })]) },
  });
  expect(warnings(stack)).toEqual([
    'the policy of the imported queue Stack/Existing cannot be changed by this app, and events are lost silently unless it has this statement: ' +
      '{"Action":"sqs:SendMessage","Condition":{"ArnLike":{"aws:SourceArn":"arn:<AWS::Partition>:events:eu-west-1:111122223333:rule/*"},' +
      `"StringEquals":{"aws:SourceAccount":"${ACCOUNT}"}},"Effect":"Allow","Principal":{"Service":"events.amazonaws.com"},` +
      `"Resource":"${QUEUE_ARN}","Sid":"AllowInterruptionRules"}; add it by hand, then write ` +
      "Annotations.of(this).acknowledgeWarning('karpenter-constructs:interruptionQueuePolicy') [ack: karpenter-constructs:interruptionQueuePolicy]",
  ]);
});

test('creates no rule and warns of nothing if the queue gets its events already', () => {
  const stack = newStack();
  const queue = Queue.fromQueueArn(stack, 'Existing', QUEUE_ARN);
  install(stack, InterruptionHandling.fromExistingQueue(queue, { eventRules: false }));
  expect(rulesOf(stack)).toEqual([]);
  expect(warnings(stack)).toEqual([]);
});

test("lets the controller decrypt with the existing queue's own key", () => {
  const stack = newStack();
  const key = new Key(stack, 'Key');
  const queue = new Queue(stack, 'Existing', { encryptionMasterKey: key });
  install(stack, InterruptionHandling.fromExistingQueue(queue));
  const template = JSON.stringify(Template.fromStack(stack).toJSON());
  expect(template).toContain('AllowInterruptionQueueKey');
  expect(template).toContain('AllowInterruptionEvents');
});

test('rejects a second reader of the queue, although each has its own construct', () => {
  const stack = newStack();
  const queue = new Queue(stack, 'Existing');
  install(stack, InterruptionHandling.fromExistingQueue(queue));
  const cluster = new ClusterReference(stack, 'Other', { clusterName: 'other' });
  const interruptionHandling = InterruptionHandling.fromExistingQueue(queue);
  expect(() => new Karpenter(stack, 'Second', { cluster, interruptionHandling })).toThrow(
    'the queue can have only one reader, because the reader deletes each event, got Stack/Second after Stack/Karpenter',
  );
});

test.each<[string, (stack: Stack) => IQueue, Partial<InterruptionQueueProps>, string]>([
  ['a FIFO queue', (stack) => new Queue(stack, 'Existing', { fifo: true }), {}, 'must be a standard queue'],
  [
    'a queue with the AWS managed key',
    (stack) => new Queue(stack, 'Existing', { encryption: QueueEncryption.KMS_MANAGED }),
    {},
    'EventBridge cannot use the AWS managed key of SQS',
  ],
  [
    'a queue of another region',
    (stack) => Queue.fromQueueArn(stack, 'Existing', QUEUE_ARN.replace('eu-west-1', 'eu-west-2')),
    {},
    'must be in the region of the cluster, eu-west-1',
  ],
  [
    'a queue of another account',
    (stack) => Queue.fromQueueArn(stack, 'Existing', QUEUE_ARN.replace(ACCOUNT, '444455556666')),
    {},
    'must be in the account of the cluster, 111122223333',
  ],
  [
    'a name beside an existing queue',
    (stack) => new Queue(stack, 'Existing'),
    { queueName: 'other' },
    'Stack/Queue/queueName: must not be set together with existingQueue, got the queue Stack/Existing; set it on that queue',
  ],
])('rejects %s', (_, newQueue, props, message) => {
  const stack = newStack();
  const existingQueue = newQueue(stack);
  expect(() => new InterruptionQueue(stack, 'Queue', { clusterName: 'shop', existingQueue, ...props })).toThrow(
    message,
  );
});
