import { ClusterPod, PodDisruptionBudget, workloadKey } from '../../../src/disruption';
import { blockingPdbs, PdbLimits } from '../../../src/disruption/budgets/pdb-limits';
import { clusterOf, HOUR, machine, NOW, pod, PROTECTED } from '../builders';

const LABELS = { app: 'web' };

function web(count: number, more: Partial<ClusterPod> = {}): ClusterPod[] {
  return Array.from({ length: count }, (_, index) =>
    pod(`web-${index}`, undefined, { ...more, more: { labels: LABELS } }),
  );
}

function budget(more: Partial<PodDisruptionBudget>): PodDisruptionBudget {
  return { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, ...more };
}

function limitsOf(pdbs: readonly PodDisruptionBudget[], pods: readonly ClusterPod[], replicas?: number) {
  const key = workloadKey('default', { kind: 'Deployment', name: 'web' });
  return new PdbLimits(
    clusterOf([machine('a', 'm5.large', pods)], {
      pdbs,
      replicas: new Map(replicas === undefined ? [] : [[key, replicas]]),
    }),
  );
}

describe('PdbLimits.disruptionsAllowed', () => {
  test.each<[string, Partial<PodDisruptionBudget>, number]>([
    ['maxUnavailable 1', { maxUnavailable: 1 }, 1],
    ['maxUnavailable 0', { maxUnavailable: 0 }, 0],
    ['maxUnavailable 34 %, rounded up', { maxUnavailable: '34%' }, 2],
    ['minAvailable 2', { minAvailable: 2 }, 1],
    ['minAvailable equal to the number of pods', { minAvailable: 3 }, 0],
    ['minAvailable above the number of pods', { minAvailable: 5 }, 0],
    ['minAvailable 50 %, rounded up', { minAvailable: '50%' }, 1],
    ['minAvailable 100 %', { minAvailable: '100%' }, 0],
    ['neither field', {}, 0],
  ])('for three pods with %s', (_, spec, allowed) => {
    expect(limitsOf([budget(spec)], web(3)).all[0].disruptionsAllowed).toBe(allowed);
  });

  test('is computed from the wanted replicas, not from the running pods', () => {
    expect(limitsOf([budget({ maxUnavailable: 1 })], web(2), 3).all[0].disruptionsAllowed).toBe(0);
    expect(limitsOf([budget({ maxUnavailable: '50%' })], web(4), 4).all[0].disruptionsAllowed).toBe(2);
  });

  test('does not count pods that are not ready, terminating or ended as healthy', () => {
    const pods = [
      ...web(2),
      pod('ends', undefined, { terminating: true, more: { labels: LABELS } }),
      pod('over', undefined, { ended: true, more: { labels: LABELS } }),
    ];
    expect(
      limitsOf([budget({ minAvailable: 1 })], [...pods, ...web(1, { ready: false })]).all[0].disruptionsAllowed,
    ).toBe(1);
  });

  test('is 0 for pods of a Job, except with minAvailable as a count', () => {
    const jobPods = web(3, { owner: { kind: 'Job', name: 'web' } });
    expect(limitsOf([budget({ maxUnavailable: 1 })], jobPods).all[0].disruptionsAllowed).toBe(0);
    expect(limitsOf([budget({ minAvailable: 1 })], jobPods).all[0].disruptionsAllowed).toBe(2);
  });

  test('is 0 if the PDB selects no pod', () => {
    expect(
      limitsOf([budget({ maxUnavailable: 1, selector: { matchLabels: { app: 'other' } } })], web(3)).all[0]
        .disruptionsAllowed,
    ).toBe(0);
  });
});

describe('blockingPdbs', () => {
  const blocking = (pdbs: readonly PodDisruptionBudget[], subject: ClusterPod, bySpecOnly = false) =>
    blockingPdbs(limitsOf(pdbs, [subject, ...web(1)]), subject, NOW, bySpecOnly);
  const [subject] = web(1);

  test('returns an exhausted PDB', () => {
    expect(blocking([budget({ maxUnavailable: 1 })], subject)).toEqual([]);
    expect(blocking([budget({ minAvailable: 2 })], subject)).toEqual(['default/web']);
  });

  test('returns both PDBs of a pod that has two, even if they allow evictions', () => {
    expect(blocking([budget({ maxUnavailable: 1 }), budget({ name: 'too', maxUnavailable: 1 })], subject)).toEqual([
      'default/web',
      'default/too',
    ]);
  });

  test('ignores a PDB with AlwaysAllow for a pod that is not ready', () => {
    const [unready] = web(1, { ready: false });
    expect(blocking([budget({ minAvailable: 2 })], unready)).toEqual(['default/web']);
    expect(blocking([budget({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' })], unready)).toEqual([]);
  });

  test('by spec only, returns only PDBs that never allow an eviction', () => {
    expect(blocking([budget({ minAvailable: 2 })], subject, true)).toEqual([]);
    for (const spec of [{ maxUnavailable: 0 }, { maxUnavailable: '0%' }, { minAvailable: '100%' }]) {
      expect(blocking([budget(spec)], subject, true)).toEqual(['default/web']);
    }
  });

  test.each<[string, Partial<ClusterPod>]>([
    ['is terminating', { terminating: true }],
    ['has ended', { ended: true }],
    ['is a mirror pod', { owner: { kind: 'Node', name: 'a' } }],
    ['is protected', { annotations: PROTECTED }],
    [
      'is protected for longer than it runs',
      { annotations: { 'karpenter.sh/do-not-disrupt': '2h' }, startedAt: NOW - HOUR },
    ],
  ])('returns nothing for a pod that Karpenter does not evict: it %s', (_, more) => {
    expect(blocking([budget({ maxUnavailable: 0 })], web(1, more)[0])).toEqual([]);
  });

  test('returns nothing for a pod that tolerates the disruption taint', () => {
    const tolerant = pod('agent', undefined, { more: { labels: LABELS, tolerations: [{ operator: 'Exists' }] } });
    expect(blocking([budget({ maxUnavailable: 0 })], tolerant)).toEqual([]);
  });
});
