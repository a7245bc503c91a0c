import { NEAR_MISSES, SAMPLES } from './samples';
import {
  AUTO_SCALING_TERMINATION,
  InterruptionEvent,
  karpenterEvents,
  matchesEventPattern,
  NODE_TERMINATION_HANDLER_EVENTS,
} from '../../../src/contract';

const EVENTS: readonly InterruptionEvent[] = [...karpenterEvents(), AUTO_SCALING_TERMINATION];
const matchingRules = (event: unknown) =>
  EVENTS.filter(({ pattern }) => matchesEventPattern(pattern, event)).map(({ rule }) => rule);

describe('event rules', () => {
  test('all have sample events', () => {
    expect(EVENTS.map(({ rule }) => rule).sort()).toEqual(Object.keys(SAMPLES).sort());
  });

  test.each(Object.entries(SAMPLES))('only %s matches its events', (rule, samples) => {
    for (const sample of samples) expect([sample, matchingRules(sample)]).toEqual([sample, [rule]]);
  });

  test.each(Object.entries(NEAR_MISSES))('no rule matches %s', (_, sample) => {
    expect(matchingRules(sample)).toEqual([]);
  });
});

describe('karpenterEvents', () => {
  test('returns five events for the newest release', () => {
    expect(karpenterEvents().map(({ rule }) => rule)).toEqual([
      'ScheduledChangeRule',
      'SpotInterruptionRule',
      'RebalanceRule',
      'InstanceStateChangeRule',
      'CapacityReservationInterruptionRule',
    ]);
  });

  test.each<[string, number]>([
    ['1.0.8', 4],
    ['1.9.3', 4],
    ['1.10.0', 5],
    ['v1.15.1', 5],
  ])('returns for %s %d events', (version, count) => {
    expect(karpenterEvents(version)).toHaveLength(count);
  });

  test('throws for a string that is not a version', () => {
    expect(() => karpenterEvents('latest')).toThrow(
      'karpenter version: must be <major>.<minor>.<patch>, got "latest"; write for example',
    );
  });
});

describe('NODE_TERMINATION_HANDLER_EVENTS', () => {
  test('omits capacity reservations, which the handler does not support', () => {
    expect(NODE_TERMINATION_HANDLER_EVENTS.map(({ rule }) => rule)).toEqual([
      'ScheduledChangeRule',
      'SpotInterruptionRule',
      'RebalanceRule',
      'InstanceStateChangeRule',
    ]);
  });
});
