import { queueShared } from '../../../../../src/validation/rules/interruption/queue/queue-shared';
import { judgeStack, renderedHandler } from '../../judge';
import { chart, get, handler, LISTENS, listensTo, OPEN, openChart, queue } from '../../stack';

describe('KARP-505 queue-shared', () => {
  const rule = queueShared;

  test('passes if only Karpenter reads the queue', () => {
    expect(
      judgeStack(rule, { ...LISTENS, Handler: handler({ queueURL: 'https://sqs.eu-west-1.amazonaws.com/1/other' }) })
        .states,
    ).toEqual(['pass AWS::SQS::Queue/Queue']);
  });

  test('fails if AWS Node Termination Handler reads the same queue', () => {
    expect(
      judgeStack(rule, { ...LISTENS, Handler: handler({ queueURL: { Ref: 'Queue' } }) }).findings[0].message,
    ).toContain('is read by Karpenter (Karpenter) and AWS Node Termination Handler (Handler)');
  });

  test('fails if the Karpenters of two clusters read one queue', () => {
    const other = chart({ settings: { interruptionQueue: get('Queue', 'QueueName') } }, { cluster: 'dev' });
    expect(judgeStack(rule, { ...LISTENS, Other: other }).findings[0].evidence).toMatchObject({
      karpenter: ['Karpenter', 'Other'],
    });
  });

  test('does not apply to a queue that Karpenter does not listen to', () => {
    expect(judgeStack(rule, { Queue: queue(), Handler: handler({ queueURL: { Ref: 'Queue' } }) }).outcomes).toEqual([]);
  });

  test('does not apply if the name of the queue is known only at deployment', () => {
    expect(judgeStack(rule, { Queue: queue(), Karpenter: listensTo(OPEN) }).outcomes).toEqual([]);
  });

  test('fails if a rendered Deployment of AWS Node Termination Handler reads the same queue', () => {
    const named = { ...LISTENS, Queue: queue({ QueueName: 'prod' }) };
    const variables = {
      ENABLE_SQS_TERMINATION_DRAINING: 'true',
      QUEUE_URL: 'https://sqs.eu-west-1.amazonaws.com/1/prod',
    };
    expect(judgeStack(rule, named, [renderedHandler(variables)]).findings[0].evidence).toMatchObject({
      nodeTerminationHandler: ['nth'],
    });
  });

  test.each<[string, object]>([
    ['the values of another chart', openChart('karpenter', 'dev')],
    ['the queue of another Karpenter', listensTo(OPEN)],
    ['the queue of AWS Node Termination Handler', handler({ queueURL: OPEN })],
    ['the values of AWS Node Termination Handler', openChart('aws-node-termination-handler')],
  ])('is not evaluated if %s are known only at deployment', (_, other) => {
    const { states, whys } = judgeStack(rule, { ...LISTENS, Other: other });
    expect(states).toEqual(['not-evaluated AWS::SQS::Queue/Queue']);
    expect(whys[0]).toBe('whether Custom::AWSCDK-EKS-HelmChart Other reads it too is known only at deployment');
  });

  test('passes if AWS Node Termination Handler reads another queue of the templates', () => {
    expect(
      judgeStack(rule, { ...LISTENS, Other: queue(), Handler: handler({ queueURL: { Ref: 'Other' } }) }).states,
    ).toEqual(['pass AWS::SQS::Queue/Queue']);
  });
});
