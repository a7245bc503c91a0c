import { clusterOf, HOUR, machine, NOW, pod, PROTECTED } from './builders';
import { ClusterPod, PodBudget, workloadKey } from '../../src/disruption';
import { blockingLimits, PodLimits } from '../../src/disruption/pdb';

const LABELS = { app: 'web' };

function web(count: number, more: Partial<ClusterPod> = {}): ClusterPod[] {
  return Array.from({ length: count }, (_, at) => pod(`web-${at}`, undefined, { ...more, more: { labels: LABELS } }));
}

function budget(more: Partial<PodBudget>): PodBudget {
  return { namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, ...more };
}

function limitsOf(pdbs: readonly PodBudget[], pods: readonly ClusterPod[], replicas?: number) {
  const key = workloadKey('default', { kind: 'Deployment', name: 'web' });
  return new PodLimits(clusterOf([machine('a', 'm5.large', pods)], { pdbs, replicas: new Map(replicas === undefined ? [] : [[key, replicas]]) }));
}

describe('what a PodDisruptionBudget allows', () => {
  test.each<[string, Partial<PodBudget>, number]>([
    ['one of three', { maxUnavailable: 1 }, 1],
    ['none', { maxUnavailable: 0 }, 0],
    ['a third of three, rounded up', { maxUnavailable: '34%' }, 2],
    ['all but two', { minAvailable: 2 }, 1],
    ['all but as many as there are', { minAvailable: 3 }, 0],
    ['all but more than there are', { minAvailable: 5 }, 0],
    ['all but a half, rounded up', { minAvailable: '50%' }, 1],
    ['nothing, where all have to be there', { minAvailable: '100%' }, 0],
    ['nothing, where no amount is said', {}, 0],
  ])('%s', (_, spec, allowed) => {
    expect(limitsOf([budget(spec)], web(3)).all[0].disruptionsAllowed).toBe(allowed);
  });

  test('is measured by the replicas that are wanted, not by those that run', () => {
    expect(limitsOf([budget({ maxUnavailable: 1 })], web(2), 3).all[0].disruptionsAllowed).toBe(0);
    expect(limitsOf([budget({ maxUnavailable: '50%' })], web(4), 4).all[0].disruptionsAllowed).toBe(2);
  });

  test('leaves out pods that are not ready, that end, and that have ended', () => {
    const pods = [...web(2), pod('ends', undefined, { terminating: true, more: { labels: LABELS } }), pod('over', undefined, { ended: true, more: { labels: LABELS } })];
    expect(limitsOf([budget({ minAvailable: 1 })], [...pods, ...web(1, { ready: false })]).all[0].disruptionsAllowed).toBe(1);
  });

  test('is nothing for pods of a Job, unless it is a count that has to stay', () => {
    const ofJob = web(3, { owner: { kind: 'Job', name: 'web' } });
    expect(limitsOf([budget({ maxUnavailable: 1 })], ofJob).all[0].disruptionsAllowed).toBe(0);
    expect(limitsOf([budget({ minAvailable: 1 })], ofJob).all[0].disruptionsAllowed).toBe(2);
  });

  test('is nothing where it selects nothing', () => {
    expect(limitsOf([budget({ maxUnavailable: 1, selector: { matchLabels: { app: 'other' } } })], web(3)).all[0].disruptionsAllowed).toBe(0);
  });
});

describe('budgets that keep a pod where it is', () => {
  const blocking = (pdbs: readonly PodBudget[], subject: ClusterPod, byText = false) =>
    blockingLimits(limitsOf(pdbs, [subject, ...web(1)]), subject, NOW, byText);
  const [subject] = web(1);

  test('are those that allow nothing now', () => {
    expect(blocking([budget({ maxUnavailable: 1 })], subject)).toEqual([]);
    expect(blocking([budget({ minAvailable: 2 })], subject)).toEqual(['default/web']);
  });

  test('are two of them, whatever they say', () => {
    expect(blocking([budget({ maxUnavailable: 1 }), budget({ name: 'too', maxUnavailable: 1 })], subject)).toEqual(['default/web', 'default/too']);
  });

  test('let a pod that is not ready go where they say so', () => {
    const [unready] = web(1, { ready: false });
    expect(blocking([budget({ minAvailable: 2 })], unready)).toEqual(['default/web']);
    expect(blocking([budget({ minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' })], unready)).toEqual([]);
  });

  test('by their text are only those that can never let one go', () => {
    expect(blocking([budget({ minAvailable: 2 })], subject, true)).toEqual([]);
    for (const spec of [{ maxUnavailable: 0 }, { maxUnavailable: '0%' }, { minAvailable: '100%' }]) {
      expect(blocking([budget(spec)], subject, true)).toEqual(['default/web']);
    }
  });

  test.each<[string, Partial<ClusterPod>]>([
    ['ends already', { terminating: true }],
    ['has ended', { ended: true }],
    ['is a mirror pod', { owner: { kind: 'Node', name: 'a' } }],
    ['is protected', { annotations: PROTECTED }],
    ['is protected for longer than it runs', { annotations: { 'karpenter.sh/do-not-disrupt': '2h' }, startedAt: NOW - HOUR }],
  ])('do not matter for a pod that Karpenter does not evict: it %s', (_, more) => {
    expect(blocking([budget({ maxUnavailable: 0 })], web(1, more)[0])).toEqual([]);
  });

  test('do not matter for a pod that tolerates the disruption', () => {
    const tolerant = pod('agent', undefined, { more: { labels: LABELS, tolerations: [{ operator: 'Exists' }] } });
    expect(blocking([budget({ maxUnavailable: 0 })], tolerant)).toEqual([]);
  });
});
