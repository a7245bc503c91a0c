import { NEAR_MISSES, SAMPLES } from './samples';
import {
  AUTO_SCALING_TERMINATION, InterruptionEvent, karpenterEvents, matchesEventPattern, NODE_TERMINATION_HANDLER_EVENTS,
} from '../../../src/contract';

const EVENTS: readonly InterruptionEvent[] = [...karpenterEvents(), AUTO_SCALING_TERMINATION];
const takenBy = (event: unknown) => EVENTS.filter(({ pattern }) => matchesEventPattern(pattern, event)).map(({ rule }) => rule);

describe('rules for interruptions', () => {
  test('are those that have samples', () => {
    expect(EVENTS.map(({ rule }) => rule).sort()).toEqual(Object.keys(SAMPLES).sort());
  });

  test.each(Object.entries(SAMPLES))('%s takes its events, and no other rule does', (rule, samples) => {
    for (const sample of samples) expect([sample, takenBy(sample)]).toEqual([sample, [rule]]);
  });

  test.each(Object.entries(NEAR_MISSES))('none takes %s', (_, sample) => {
    expect(takenBy(sample)).toEqual([]);
  });
});

describe('karpenterEvents', () => {
  test('are the five of the newest release', () => {
    expect(karpenterEvents().map(({ rule }) => rule)).toEqual([
      'ScheduledChangeRule', 'SpotInterruptionRule', 'RebalanceRule', 'InstanceStateChangeRule', 'CapacityReservationInterruptionRule',
    ]);
  });

  test.each<[string, number]>([['1.0.8', 4], ['1.9.3', 4], ['1.10.0', 5], ['v1.15.1', 5]])('of %s are %d', (version, count) => {
    expect(karpenterEvents(version)).toHaveLength(count);
  });

  test('rejects what is no version', () => {
    expect(() => karpenterEvents('latest')).toThrow('karpenter version: must be <major>.<minor>.<patch>, got "latest"; write for example');
  });
});

describe('NODE_TERMINATION_HANDLER_EVENTS', () => {
  test('leave out capacity reservations, which it does not know', () => {
    expect(NODE_TERMINATION_HANDLER_EVENTS.map(({ rule }) => rule)).toEqual([
      'ScheduledChangeRule', 'SpotInterruptionRule', 'RebalanceRule', 'InstanceStateChangeRule',
    ]);
  });
});
