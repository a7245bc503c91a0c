import { runScenario } from '../../../src/disruption';
import { clusterOf, HOUR, NOW } from '../builders';
import { single } from './web-workload';

describe('scenario times', () => {
  test.each([
    ['nodeStart', 0],
    ['podStart', 1.5],
    ['horizon', NaN],
  ])('are rejected if %s is %s', (name, seconds) => {
    expect(() => runScenario('drift', clusterOf([]), { times: { [name]: seconds } })).toThrow(
      `times.${name} must be a whole number of seconds of at least 1, got ${seconds}; write for example`,
    );
  });

  test('end a simulation at the horizon, also for expiration', () => {
    const node = single('a');
    const expiring = { ...node, claim: { ...node.claim!, createdAt: NOW, expireAfter: 2 * HOUR } };
    const cluster = clusterOf([expiring]);
    expect(runScenario('expiration', cluster, { start: NOW, times: { horizon: 3600 } })[0]).toMatchObject({
      unfinished: true,
      timeline: [],
      seconds: 3600,
    });
    expect(runScenario('expiration', cluster, { start: NOW })[0].unfinished).toBe(false);
  });
});
