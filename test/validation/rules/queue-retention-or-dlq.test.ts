import { judgeStack } from './helper';
import { chart, get, LISTENS, OPEN, queue } from './stack';
import { QueueRetentionOrDlq } from '../../../src/validation/rules/queue-retention-or-dlq';

const rule = new QueueRetentionOrDlq();
const withQueue = (properties: object) => ({ ...LISTENS, Queue: queue(properties) });
const redrive = (maxReceiveCount: unknown) => ({ RedrivePolicy: { deadLetterTargetArn: get('Dead', 'Arn'), maxReceiveCount } });

describe('KARP-506 queue-retention-or-dlq', () => {
  test.each<[string, object, string]>([
    ['notices that are kept for as long as SQS keeps messages without a word', {}, 'keeps notices for 4 days'],
    ['an hour', { MessageRetentionPeriod: '3600' }, 'keeps notices for 3600 s'],
    ['notices that are given up after one attempt', { MessageRetentionPeriod: 300, ...redrive(1) }, 'gives a notice up after 1 attempt'],
  ])('tells of %s', (_, properties, message) => {
    expect(judgeStack(rule, withQueue(properties)).findings[0].message).toContain(message);
  });

  test('passes with five minutes, and a few attempts', () => {
    expect(judgeStack(rule, withQueue({ MessageRetentionPeriod: 300, VisibilityTimeout: 600, ...redrive(5) })).states).toEqual(['pass AWS::SQS::Queue/Queue']);
  });

  test('does not apply to queues that Karpenter does not listen to', () => {
    expect(judgeStack(rule, { Karpenter: chart(), Queue: queue() }).outcomes).toEqual([]);
  });

  test.each<[string, object]>([['time', { MessageRetentionPeriod: OPEN }], ['number of attempts', { MessageRetentionPeriod: 300, ...redrive(OPEN) }]])(
    'is not evaluated with a %s that is known only at deployment', (_, properties) => {
      expect(judgeStack(rule, withQueue(properties)).states).toEqual(['not-evaluated AWS::SQS::Queue/Queue']);
    });
});
