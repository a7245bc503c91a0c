import fc from 'fast-check';
import { nextAttempt } from '../../../src/disruption/scenario/eviction-backoff';

describe('a pod that cannot be evicted yet is tried again', () => {
  test.each([
    [0, 0], [1, 100], [100, 100], [101, 300], [301, 700], [701, 1_500], [1_501, 3_100], [3_101, 6_300], [6_301, 12_700], [12_700, 12_700],
    [12_701, 22_700], [22_700, 22_700], [22_701, 32_700], [1_000_000, 1_002_700],
  ])('where it could be from %d ms on, after %d ms', (from, after) => {
    expect(nextAttempt(5_000, 5_000 + from)).toBe(5_000 + after);
  });

  test('never where it never can be', () => {
    expect(nextAttempt(0, Infinity)).toBe(Infinity);
  });

  test('no sooner than it can be, ten seconds later at the most, and at times that stay', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 10_000_000 }), (from) => {
      const at = nextAttempt(0, from);
      expect(at).toBeGreaterThanOrEqual(from);
      expect(at - from).toBeLessThan(10_000);
      expect(nextAttempt(0, at)).toBe(at);
    }));
  });
});
