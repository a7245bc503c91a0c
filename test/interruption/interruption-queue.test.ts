import { App, Duration, Stack, Token } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { InterruptionConsumer, InterruptionQueue, InterruptionQueueProps } from '../../src/interruption';

const newStack = () => new Stack(new App({ builtinCloudFormationValidation: false }), 'Test');
const newQueue = (props: Partial<InterruptionQueueProps> = {}, stack = newStack()) =>
  new InterruptionQueue(stack, 'Interruption', { clusterName: 'shop', ...props });
const templateOf = (props: Partial<InterruptionQueueProps> = {}) => Template.fromStack(Stack.of(newQueue(props)));
const nth = { consumer: InterruptionConsumer.NODE_TERMINATION_HANDLER };

function rulesOf(template: Template): Array<Record<string, any>> {
  return Object.values(template.findResources('AWS::Events::Rule')).map((rule) => rule.Properties);
}
const detailTypesOf = (template: Template) =>
  rulesOf(template)
    .map((rule) => rule.EventPattern['detail-type'][0])
    .sort();

describe('InterruptionQueue', () => {
  test('is named after the cluster, encrypted, and keeps events for five minutes', () => {
    templateOf().hasResource('AWS::SQS::Queue', {
      Properties: { QueueName: 'shop', MessageRetentionPeriod: 300, SqsManagedSseEnabled: true },
      DeletionPolicy: 'Delete',
    });
  });

  test('accepts messages only from its own rules, and only with TLS', () => {
    const template = templateOf();
    const [policy] = Object.values(template.findResources('AWS::SQS::QueuePolicy'));
    const arns = Object.keys(template.findResources('AWS::Events::Rule')).map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
    const [queue] = Object.keys(template.findResources('AWS::SQS::Queue'));
    const statements: Array<Record<string, unknown>> = policy.Properties.PolicyDocument.Statement;
    expect(statements).toHaveLength(2);
    expect(statements).toContainEqual({
      Sid: 'AllowInterruptionRules',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: { 'Fn::GetAtt': [queue, 'Arn'] },
      Condition: {
        ArnEquals: { 'aws:SourceArn': arns },
        StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
      },
    });
    expect(statements).toContainEqual({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 'sqs:*',
      Resource: { 'Fn::GetAtt': [queue, 'Arn'] },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
    expect(arns).toHaveLength(5);
  });

  test("gets Karpenter's five kinds of events, each with its own rule", () => {
    const template = templateOf();
    expect(detailTypesOf(template)).toEqual([
      'AWS Health Event',
      'EC2 Capacity Reservation Instance Interruption Warning',
      'EC2 Instance Rebalance Recommendation',
      'EC2 Instance State-change Notification',
      'EC2 Spot Instance Interruption Warning',
    ]);
    const [queue] = Object.keys(template.findResources('AWS::SQS::Queue'));
    expect(rulesOf(template).map((rule) => rule.Targets)).toEqual(
      Array(5).fill([{ Arn: { 'Fn::GetAtt': [queue, 'Arn'] }, Id: 'Target0' }]),
    );
    expect(rulesOf(template).map((rule) => rule.State)).toEqual(Array(5).fill('ENABLED'));
  });

  test('gets events of capacity reservations only for Karpenter 1.10 and later', () => {
    const reservation = 'EC2 Capacity Reservation Instance Interruption Warning';
    expect(detailTypesOf(templateOf({ karpenterVersion: '1.9.3' }))).not.toContain(reservation);
    expect(detailTypesOf(templateOf({ karpenterVersion: '1.10.0' }))).toContain(reservation);
  });

  test('for AWS Node Termination Handler gets Auto Scaling events, and has its own name', () => {
    const template = templateOf(nth);
    expect(detailTypesOf(template)).toEqual([
      'AWS Health Event',
      'EC2 Instance Rebalance Recommendation',
      'EC2 Instance State-change Notification',
      'EC2 Instance-terminate Lifecycle Action',
      'EC2 Spot Instance Interruption Warning',
    ]);
    template.hasResourceProperties('AWS::SQS::Queue', { QueueName: 'shop-nth' });
  });

  test('omits disabled events', () => {
    expect(detailTypesOf(templateOf({ ...nth, autoScalingEvents: false, rebalanceEvents: false }))).toEqual([
      'AWS Health Event',
      'EC2 Instance State-change Notification',
      'EC2 Spot Instance Interruption Warning',
    ]);
  });

  describe('with a name', () => {
    test('uses the given name', () => {
      templateOf({ queueName: 'events' }).hasResourceProperties('AWS::SQS::Queue', { QueueName: 'events' });
    });

    test('shortens a long cluster name with a hash, so that two long names differ', () => {
      const names = ['a', 'b'].map((end) => {
        const [queue] = Object.values(
          templateOf({ clusterName: 'c'.repeat(99) + end }).findResources('AWS::SQS::Queue'),
        );
        return queue.Properties.QueueName as string;
      });
      expect(names.map((name) => name.length)).toEqual([80, 80]);
      expect(names[0]).not.toBe(names[1]);
    });

    test('leaves the name to CloudFormation if the cluster name is a token, because it may be too long', () => {
      templateOf({ clusterName: Token.asString({ Ref: 'Cluster' }) }).hasResourceProperties('AWS::SQS::Queue', {
        QueueName: Match.absent(),
      });
    });

    test.each(['events.fifo', 'a b', '', 'q'.repeat(81)])(
      'rejects %j, which is not a valid name of a standard queue',
      (queueName) => {
        expect(() => newQueue({ queueName })).toThrow(
          /^Test\/Interruption\/queueName: must be 1 to 80 letters.*; write for example/,
        );
      },
    );
  });

  describe('with a customer managed key', () => {
    test('lets EventBridge of this account use the key', () => {
      const stack = newStack();
      newQueue({ encryptionKey: new Key(stack, 'Key') }, stack);
      const template = Template.fromStack(stack);
      template.hasResourceProperties('AWS::SQS::Queue', {
        KmsMasterKeyId: Match.anyValue(),
        SqsManagedSseEnabled: Match.absent(),
      });
      template.hasResourceProperties('AWS::KMS::Key', {
        KeyPolicy: {
          Statement: Match.arrayWith([
            {
              Sid: 'AllowInterruptionEvents',
              Effect: 'Allow',
              Principal: { Service: 'events.amazonaws.com' },
              Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
              Resource: '*',
              Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
            },
          ]),
        },
      });
    });

    test('warns that the policy of an imported key must be changed outside the app', () => {
      const stack = newStack();
      newQueue({ encryptionKey: Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:us-east-1:111122223333:key/1234') }, stack);
      Annotations.fromStack(stack).hasWarning(
        '/Test/Interruption',
        Match.stringLikeRegexp('events.amazonaws.com call kms:Decrypt and kms:GenerateDataKey'),
      );
    });

    test('rejects the AWS managed key of SQS, which EventBridge cannot use', () => {
      const stack = newStack();
      expect(() => newQueue({ encryptionKey: Alias.fromAliasName(stack, 'Key', 'alias/aws/sqs') }, stack)).toThrow(
        'Test/Interruption/encryptionKey: EventBridge cannot use the AWS managed key of SQS, got alias/aws/sqs; leave encryptionKey out',
      );
    });
  });

  describe('with a dead-letter queue', () => {
    test('keeps events that could not be handled or delivered', () => {
      const template = templateOf({ deadLetterQueue: {} });
      template.hasResourceProperties('AWS::SQS::Queue', { QueueName: 'shop', RedrivePolicy: { maxReceiveCount: 5 } });
      template.hasResourceProperties('AWS::SQS::Queue', {
        MessageRetentionPeriod: 1_209_600,
        QueueName: Match.absent(),
      });
      expect(rulesOf(template).every((rule) => rule.Targets[0].DeadLetterConfig.Arn['Fn::GetAtt'])).toBe(true);
      template.resourcePropertiesCountIs(
        'AWS::SQS::QueuePolicy',
        {
          PolicyDocument: { Statement: Match.arrayWith([Match.objectLike({ Sid: 'AllowInterruptionRules' })]) },
        },
        2,
      );
    });

    test('lets AWS Node Termination Handler receive an event 14 times, because it deletes the event only after the drain', () => {
      templateOf({ ...nth, deadLetterQueue: {} }).hasResourceProperties('AWS::SQS::Queue', {
        RedrivePolicy: { maxReceiveCount: 14 },
      });
    });
  });

  describe('with an alarm', () => {
    test('reports a queue that Karpenter has not read for one minute', () => {
      templateOf({ alarms: {} }).hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'ApproximateAgeOfOldestMessage',
        Threshold: 60,
        ComparisonOperator: 'GreaterThanThreshold',
        TreatMissingData: 'notBreaching',
      });
    });

    test('reports a queue that AWS Node Termination Handler has not read for four minutes', () => {
      templateOf({ ...nth, alarms: {} }).hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'ApproximateAgeOfOldestMessage',
        Threshold: 240,
      });
    });

    test('reports the first event in the dead-letter queue', () => {
      const template = templateOf({ alarms: { unreadFor: Duration.minutes(2) }, deadLetterQueue: {} });
      template.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'ApproximateNumberOfMessagesVisible',
        Threshold: 0,
      });
      template.hasResourceProperties('AWS::CloudWatch::Alarm', {
        MetricName: 'ApproximateAgeOfOldestMessage',
        Threshold: 120,
      });
    });
  });

  describe('with a reader', () => {
    test('rejects a reader with another consumer', () => {
      const queue = newQueue();
      expect(() => queue._assignReader(InterruptionConsumer.NODE_TERMINATION_HANDLER, queue.node.scope!)).toThrow(
        'Test/Interruption: the queue is for Karpenter, got the reader Test (AWS Node Termination Handler); ' +
          'give AWS Node Termination Handler its own InterruptionQueue',
      );
    });

    test('rejects a second reader, and accepts the first one again', () => {
      const queue = newQueue();
      queue._assignReader(InterruptionConsumer.KARPENTER, queue);
      queue._assignReader(InterruptionConsumer.KARPENTER, queue);
      expect(() => queue._assignReader(InterruptionConsumer.KARPENTER, queue.node.scope!)).toThrow(
        'the queue can have only one reader, because the reader deletes each event, got Test after Test/Interruption; give each its own InterruptionQueue',
      );
    });
  });
});
