import { ClusterPod } from '../../../src/disruption';
import { findCandidates } from '../../../src/disruption/candidates/candidates';
import { DisruptionContext } from '../../../src/disruption/context';
import { simulateScheduling } from '../../../src/disruption/simulation/simulate-scheduling';
import { PodGroup } from '../../../src/scheduling';
import { input, shape } from '../../scheduling/builders';
import { anyPool, clusterOf, HOUR, machine, MINUTE, NOW, pod } from '../builders';

describe('simulateScheduling', () => {
  test('schedules pods by creation time, then by uid; pods without an age come last', () => {
    const pendingPod = (name: string, age?: string) => ({
      namespace: 'default',
      name,
      count: 1,
      shape: shape({ cpu: '100m' }),
      bare: true,
      age,
    });
    const nodes = [
      machine('a', 'm5.large', [
        pod('young', undefined, { age: '2026-08-01T11:00:00Z\0b' }),
        pod('old', undefined, { age: '2026-08-01T09:00:00Z\0c' }),
      ]),
      machine('b', 'm5.large', [pod('twin', undefined, { age: '2026-08-01T11:00:00Z\0a' })], { deleting: true }),
      machine('c', 'm5.xlarge'),
    ];
    const pods = [pendingPod('to-come'), pendingPod('waiting', '2026-08-01T10:00:00Z\0d')];
    const context = new DisruptionContext(clusterOf(nodes, { scheduling: input({ pools: [anyPool()], pods }) }), NOW);
    const candidates = findCandidates(context, 'graceful').candidates.filter(({ node: { name } }) => name === 'a');
    const { input: simulated, failure } = simulateScheduling(context, candidates, { avoidsSettlingNodes: true });
    expect(simulated.pods.map(({ name }) => name)).toEqual(['old', 'waiting', 'twin', 'young', 'to-come']);
    expect(failure()).toBeUndefined();
  });
});

test('schedules a starting pod like a pending one, on a settling node too', () => {
  const moved = (more: Partial<ClusterPod>) => {
    const nodes = [
      machine('a', 'm5.large', [pod('p', undefined, more)]),
      machine('b', 'm5.large', [], {
        claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, lastPodEventAt: NOW - 1_000 },
      }),
    ];
    const context = new DisruptionContext(clusterOf(nodes, { disruption: { consolidateAfter: MINUTE } }), NOW);
    const { candidates } = findCandidates(context, 'graceful');
    return simulateScheduling(
      context,
      candidates.filter(({ node: { name } }) => name === 'a'),
      { avoidsSettlingNodes: true },
    ).newNodeClaims.length;
  };
  expect(moved({})).toBe(1);
  expect(moved({ starting: true })).toBe(0);
});

test('schedules virtual pods of a CapacityBuffer on no settling node, unlike pending pods', () => {
  const nodes = [
    machine('a', 'm5.large', [pod('p')]),
    machine('b', 'm5.large', [], {
      claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, lastPodEventAt: NOW - 1_000 },
    }),
  ];
  const newNodesFor = (more: Partial<PodGroup>) => {
    const pods = [{ namespace: 'default', name: 'p', count: 1, shape: shape({ cpu: '100m' }), ...more }];
    const cluster = clusterOf(nodes, {
      scheduling: input({ pools: [anyPool()], pods }),
      disruption: { consolidateAfter: MINUTE },
    });
    const context = new DisruptionContext(cluster, NOW);
    const candidates = findCandidates(context, 'graceful').candidates.filter(({ node: { name } }) => name === 'a');
    return simulateScheduling(context, candidates, { avoidsSettlingNodes: true }).newNodeClaims.flatMap(
      ({ pods: placed }) => placed,
    );
  };
  expect(newNodesFor({ bare: true, name: 'waiting' })).toEqual(['default/p']);
  expect(newNodesFor({ buffer: 'spare', name: 'capacity-buffer-spare' })).toEqual([
    'default/p',
    'default/capacity-buffer-spare-1',
  ]);
});
