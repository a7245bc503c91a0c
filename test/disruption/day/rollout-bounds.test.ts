import { rolloutBounds } from '../../../src/disruption/day/rollout-controller';

describe('rolloutBounds', () => {
  test.each([
    [{}, 10, { surge: 3, unavailable: 2 }],
    [{}, 1, { surge: 1, unavailable: 0 }],
    [{ maxSurge: 0, maxUnavailable: '25%' }, 3, { surge: 0, unavailable: 1 }],
    [{ maxSurge: '100%', maxUnavailable: 0 }, 4, { surge: 4, unavailable: 0 }],
    [{ maxSurge: 1, maxUnavailable: 9 }, 2, { surge: 1, unavailable: 2 }],
  ])('rounds %j of %d replicas as Kubernetes does', (strategy, replicas, bounds) => {
    expect(rolloutBounds(strategy, replicas)).toEqual(bounds);
  });
});
