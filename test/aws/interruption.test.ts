/**
 * Interruption queues and rules deployed with moto. moto supports neither AWS::SQS::QueuePolicy nor
 * AWS::CloudWatch::Alarm in templates, and does not evaluate policies when EventBridge sends. Policies are tested in
 * test/interruption.
 */
import { writeDeployable } from './moto/deployable';
import { MotoServer } from './moto/server';
import { synthSetups } from './setups';
import { karpenterEvents } from '../../src/contract';
import { NEAR_MISSES, SAMPLES } from '../contract/aws/samples';

const [
  {
    templates: [path],
    region,
  },
] = synthSetups().filter(({ name, partition }) => name === 'interruption' && partition === 'aws');
const karpenterRules = karpenterEvents().map(({ rule }) => rule);
const nthRules = [
  ...karpenterRules.filter((rule) => rule !== 'CapacityReservationInterruptionRule'),
  'AutoScalingTerminationRule',
];
const samples = Object.entries(SAMPLES).flatMap(([rule, events]) => events.map((event) => ({ rule, event })));

describe('interruption queues deployed with moto', () => {
  let server: MotoServer;
  beforeAll(async () => {
    server = await MotoServer.start();
  });
  afterAll(() => server.stop());

  test('get only the events of their rules, and are deleted with their stack', () => {
    const events = [...samples.map(({ event }) => event), ...Object.values(NEAR_MISSES)];
    const { status, deployed, queues, received, leftBehind } = server.deploy({
      template: writeDeployable(path),
      region,
      events,
    });
    expect(status).toBe('CREATE_COMPLETE');
    expect(deployed.rules).toHaveLength(15);
    expect(queues.shop).toMatchObject({ MessageRetentionPeriod: '300', SqsManagedSseEnabled: 'true' });
    expect(queues['shop-nth']).toMatchObject({ MessageRetentionPeriod: '300', KmsMasterKeyId: expect.any(String) });

    const karpenterCounts = samples.map(({ rule }) => Number(karpenterRules.includes(rule)));
    const handlerCounts = samples.map(({ rule }) => Number(nthRules.includes(rule)));
    const nearMissCounts = Object.keys(NEAR_MISSES).map(() => 0);
    expect(received.map(({ shop }) => shop)).toEqual([...karpenterCounts, ...nearMissCounts]);
    expect(received.map(({ plain }) => plain)).toEqual([...karpenterCounts, ...nearMissCounts]);
    expect(received.map((counts) => counts['shop-nth'])).toEqual([...handlerCounts, ...nearMissCounts]);
    expect(leftBehind).toEqual({ queues: [], rules: [], roles: [] });
  });
});
