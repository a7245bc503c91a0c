import { anyPool, clusterOf, machine, NOW, pod } from './builders';
import { findCandidates, sceneOf } from '../../src/disruption/candidates';
import { simulate } from '../../src/disruption/simulation';
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
