import { anyPool, clusterOf, HOUR, machine, MINUTE, NOW, pod } from './builders';
import { ClusterPod } from '../../src/disruption';
import { findCandidates, sceneOf } from '../../src/disruption/candidates';
import { simulate } from '../../src/disruption/simulation';
import { PodGroup } from '../../src/scheduling';
import { input, shape } from '../scheduling/builders';

describe('the queue of pods that need a place', () => {
  test('is in order of when they were made, of those made in the same second by uid; those to be made come last', () => {
    const waits = (name: string, age?: string) => ({ namespace: 'default', name, count: 1, shape: shape({ cpu: '100m' }), bare: true, age });
    const nodes = [
      machine('a', 'm5.large', [pod('young', undefined, { age: '2026-08-01T11:00:00Z\0b' }), pod('old', undefined, { age: '2026-08-01T09:00:00Z\0c' })]),
      machine('b', 'm5.large', [pod('twin', undefined, { age: '2026-08-01T11:00:00Z\0a' })], { deleting: true }),
      machine('c', 'm5.xlarge'),
    ];
    const pods = [waits('to-come'), waits('waiting', '2026-08-01T10:00:00Z\0d')];
    const scene = sceneOf(clusterOf(nodes, { scheduling: input({ pools: [anyPool()], pods }) }), NOW);
    const candidates = findCandidates(scene, 'graceful').candidates.filter(({ node: { name } }) => name === 'a');
    const { input: simulated, failure } = simulate(scene, candidates, true);
    expect(simulated.pods.map(({ name }) => name)).toEqual(['old', 'waiting', 'twin', 'young', 'to-come']);
    expect(failure()).toBeUndefined();
  });
});

test('a pod that has a node and is only starting goes where pods that wait go: to a node that a pod has come to not long ago, too', () => {
  const moved = (more: Partial<ClusterPod>) => {
    const nodes = [
      machine('a', 'm5.large', [pod('p', undefined, more)]),
      machine('b', 'm5.large', [], { claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, lastPodEventAt: NOW - 1_000 } }),
    ];
    const scene = sceneOf(clusterOf(nodes, { disruption: { consolidateAfter: MINUTE } }), NOW);
    const { candidates } = findCandidates(scene, 'graceful');
    return simulate(scene, candidates.filter(({ node: { name } }) => name === 'a'), true).claims.length;
  };
  expect(moved({})).toBe(1);
  expect(moved({ starting: true })).toBe(0);
});

test('what a CapacityBuffer is to have room for goes to no node that a pod has come to not long ago, whereas pods that wait do', () => {
  const nodes = [
    machine('a', 'm5.large', [pod('p')]),
    machine('b', 'm5.large', [], { claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, lastPodEventAt: NOW - 1_000 } }),
  ];
  const newNodesFor = (more: Partial<PodGroup>) => {
    const pods = [{ namespace: 'default', name: 'p', count: 1, shape: shape({ cpu: '100m' }), ...more }];
    const scene = sceneOf(clusterOf(nodes, { scheduling: input({ pools: [anyPool()], pods }), disruption: { consolidateAfter: MINUTE } }), NOW);
    const candidates = findCandidates(scene, 'graceful').candidates.filter(({ node: { name } }) => name === 'a');
    return simulate(scene, candidates, true).claims.flatMap(({ pods: placed }) => placed);
  };
  expect(newNodesFor({ bare: true, name: 'waiting' })).toEqual(['default/p']);
  expect(newNodesFor({ buffer: 'spare', name: 'capacity-buffer-spare' })).toEqual(['default/p', 'default/capacity-buffer-spare-1']);
});
