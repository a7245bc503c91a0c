import { queueRetentionOrDlq } from '../../../../../src/validation/rules/interruption/queue/queue-retention-or-dlq';
import { judgeStack } from '../../judge';
import { chart, get, LISTENS, OPEN, queue } from '../../stack';

const rule = queueRetentionOrDlq;
const withQueue = (properties: object) => ({ ...LISTENS, Queue: queue(properties) });
const redrive = (maxReceiveCount: unknown) => ({
  RedrivePolicy: { deadLetterTargetArn: get('Dead', 'Arn'), maxReceiveCount },
});

describe('KARP-506 queue-retention-or-dlq', () => {
  test.each<[string, object, string]>([
    ['the default retention of SQS', {}, 'keeps notices for 4 days'],
    ['a retention of one hour', { MessageRetentionPeriod: '3600' }, 'keeps notices for 3600 s'],
    [
      'a dead-letter queue after one attempt',
      { MessageRetentionPeriod: 300, ...redrive(1) },
      'drops a notice after 1 attempt',
    ],
  ])('fails with %s', (_, properties, message) => {
    expect(judgeStack(rule, withQueue(properties)).findings[0].message).toContain(message);
  });

  test('passes with a retention of five minutes and five attempts', () => {
    expect(
      judgeStack(rule, withQueue({ MessageRetentionPeriod: 300, VisibilityTimeout: 600, ...redrive(5) })).states,
    ).toEqual(['pass AWS::SQS::Queue/Queue']);
  });

  test('does not apply to queues that Karpenter does not listen to', () => {
    expect(judgeStack(rule, { Karpenter: chart(), Queue: queue() }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([
    ['retention', { MessageRetentionPeriod: OPEN }],
    ['number of attempts', { MessageRetentionPeriod: 300, ...redrive(OPEN) }],
  ])('is not evaluated with a %s that is known only at deployment', (_, properties) => {
    expect(judgeStack(rule, withQueue(properties)).states).toEqual(['not-evaluated AWS::SQS::Queue/Queue']);
  });
});
