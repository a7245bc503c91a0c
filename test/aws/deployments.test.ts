/**
 * Deploys every setup with moto, as far as moto supports it: checks which events arrive in which queue, and that
 * deletion leaves nothing behind. `matchesEventPattern` computes the expected events, and moto matches the patterns
 * independently.
 */
import { readFileSync } from 'fs';
import { writeDeployable } from './moto/deployable';
import { MotoServer } from './moto/server';
import { Setup, synthSetups } from './setups';
import { EventPattern, matchesEventPattern } from '../../src/contract';
import { NEAR_MISSES, SAMPLES } from '../contract/aws/samples';

const EVENTS = [...Object.values(SAMPLES).flat(), ...Object.values(NEAR_MISSES)];
const stacks = synthSetups().flatMap((setup) =>
  setup.templates.map((path): [string, Setup, string] => [
    `${setup.name} in ${setup.partition}, ${path.split('/').pop()}`,
    setup,
    path,
  ]),
);

describe('stacks deployed with moto', () => {
  let server: MotoServer;
  beforeAll(async () => {
    server = await MotoServer.start();
  });
  afterAll(() => server.stop());

  test.each(stacks)(
    '%s: is created, delivers the events of its rules, and is deleted completely',
    (_, { region }, path) => {
      const template = writeDeployable(path);
      const { status, received, leftBehind } = server.deploy({ template, region, events: EVENTS });
      expect(status).toBe('CREATE_COMPLETE');
      expect(leftBehind).toEqual({ queues: [], rules: [], roles: [] });
      for (const [name, patterns] of rulesOfQueues(template)) {
        const expected = EVENTS.map(
          (event) => patterns.filter((pattern) => matchesEventPattern(pattern, event)).length,
        );
        expect([name, received.map((counts) => counts[name])]).toEqual([name, expected]);
      }
    },
  );
});

/** Event patterns of the rules that send to a queue, by the queue's name. */
function rulesOfQueues(path: string): Map<string, EventPattern[]> {
  const resources: Array<[string, any]> = Object.entries(JSON.parse(readFileSync(path, 'utf8')).Resources ?? {});
  const rules = resources
    .filter(([, { Type }]) => Type === 'AWS::Events::Rule')
    .map(([, { Properties }]) => Properties);
  return new Map(
    resources
      .filter(([, { Type, Properties }]) => Type === 'AWS::SQS::Queue' && typeof Properties.QueueName === 'string')
      .map(([id, { Properties }]) => [
        Properties.QueueName,
        rules
          .filter(({ Targets }) => Targets.some(({ Arn }: any) => Arn['Fn::GetAtt']?.[0] === id))
          .map(({ EventPattern: pattern }) => pattern),
      ]),
  );
}
