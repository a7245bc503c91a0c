import { runScenario, Rollout, workloadKey } from '../../../src/disruption';
import { APART, clusterOf, machine, NOW, pod } from '../builders';
import { TIMES } from '../scenario/web-workload';

const KEY = workloadKey('default', { kind: 'Deployment', name: 'web' });
const apart = (name: string) => pod(name, { cpu: '500m' }, APART);
const small = (name: string) => pod(name, { cpu: '200m' });

function rolledOut(pods: readonly ReturnType<typeof pod>[], strategy: Partial<Rollout>) {
  const nodes = pods.map((one, index) => machine(`n${index}`, 'm5.large', [one]));
  const rollouts = [{ key: KEY, pod: pods[0], second: 0, replicas: pods.length, ...strategy }];
  const cluster = clusterOf(nodes, { replicas: new Map([[KEY, pods.length]]) });
  return runScenario('rollout', cluster, { start: NOW, times: TIMES, rollouts });
}

describe('the scenario rollout', () => {
  test('launches nodes for the surge of pods that must be apart, and says what the rollout needs without it', () => {
    const [{ rollout, before, pending, subject }] = rolledOut([apart('web-0'), apart('web-1')], {
      maxSurge: 1,
      maxUnavailable: 0,
    });
    expect([subject, before.nodes, pending]).toEqual([KEY, 2, []]);
    expect(rollout).toMatchObject({ isDone: true });
    expect(rollout!.mostNodes).toBeGreaterThanOrEqual(3);
    expect(rollout!.extraNodeMinutes).toBeGreaterThan(1);
    expect(rollout!.withoutSurge!.extraNodeMinutes).toBeLessThan(rollout!.extraNodeMinutes);
  });

  test('launches no node if the surge fits on the nodes', () => {
    const [{ rollout }] = rolledOut([small('web-0')], { maxSurge: 1, maxUnavailable: 0 });
    expect(rollout).toEqual({
      launches: 0,
      mostNodes: 1,
      extraNodeMinutes: 0,
      extraCost: 0,
      seconds: 20,
      isDone: true,
    });
  });

  test('keeps as many pods ready as maxUnavailable says', () => {
    const pods = Array.from({ length: 4 }, (_, index) => small(`web-${index}`));
    const lowest = (strategy: Partial<Rollout>) => rolledOut(pods, strategy)[0].workloads[0].lowestReady;
    expect(lowest({ maxSurge: 0, maxUnavailable: 2 })).toBe(2);
    expect(lowest({ maxSurge: '50%', maxUnavailable: 0 })).toBe(4);
    // The strategy Recreate.
    expect(lowest({})).toBe(0);
  });
});
