import { PodBudget, runScenario } from '../../../src/disruption';
import { PodLimits } from '../../../src/disruption/pdb';
import { obstacle } from '../../../src/disruption/scenario/evictions';
import { clusterOf, HOUR, machine, NOW, pod, PROTECTED } from '../builders';

const LABELS = { app: 'web' };
const web = (name: string, ready = true) => pod(name, {}, { ready, more: { labels: LABELS } });
const budget = (more: Partial<PodBudget>): PodBudget => ({ namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, ...more });

/** What keeps the first of the pods, by budgets that select all of them. */
function kept(pods: ReturnType<typeof pod>[], ...pdbs: Partial<PodBudget>[]): string | undefined {
  const cluster = clusterOf([machine('a', 'm5.large', pods)], { pdbs: pdbs.map((each, at) => budget({ name: `web-${at}`, ...each })) });
  return obstacle(pods[0], new PodLimits(cluster), NOW);
}

const KEPT = 'PodDisruptionBudget default/web-0 lets pod default/a not go';

describe('the eviction of a pod', () => {
  test('is granted where no budget selects it, and where one has some to spare', () => {
    expect(kept([web('a')])).toBeUndefined();
    expect(kept([web('a'), web('b')], { minAvailable: 1 })).toBeUndefined();
    expect(kept([web('a'), web('b')], { minAvailable: 2 })).toBe(KEPT);
  });

  test('is granted to a pod that is not ready while enough others are, though none is to spare', () => {
    expect(kept([web('a', false), web('b')], { minAvailable: 1 })).toBeUndefined();
    expect(kept([web('a', false), web('b'), web('c')], { maxUnavailable: 1 })).toBeUndefined();
  });

  test('is not granted to it where too few others are', () => {
    expect(kept([web('a', false), web('b')], { minAvailable: 2 })).toBe(KEPT);
    expect(kept([web('a', false), web('b')], { maxUnavailable: 0 })).toBe(KEPT);
  });

  test('is not granted to it where none has to be ready, as then nothing is protected by letting it go', () => {
    expect(kept([web('a', false)], { maxUnavailable: '100%', minAvailable: undefined })).toBe(KEPT);
    expect(kept([web('a', false)], { minAvailable: 0 })).toBe(KEPT);
  });

  test('is granted to it in any case by the policy AlwaysAllow, which lets no pod go that is ready', () => {
    const always = { minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' } as const;
    expect(kept([web('a', false), web('b')], always)).toBeUndefined();
    expect(kept([web('a'), web('b', false)], always)).toBe(KEPT);
  });

  test('is never granted to a pod of two budgets, nor to one that is protected', () => {
    expect(kept([web('a', false), web('b')], { minAvailable: 0 }, { minAvailable: 0 }))
      .toBe('pod default/a has 2 PodDisruptionBudgets, default/web-0 and default/web-1: then no eviction is granted');
    expect(kept([pod('a', {}, { annotations: PROTECTED })])).toBe('pod default/a has the annotation karpenter.sh/do-not-disrupt');
    expect(kept([pod('a', {}, { annotations: { 'karpenter.sh/do-not-disrupt': '2h' }, startedAt: NOW - HOUR })])).toMatch(/has the annotation/);
    expect(kept([pod('a', {}, { annotations: { 'karpenter.sh/do-not-disrupt': '30m' }, startedAt: NOW - HOUR })])).toBeUndefined();
  });
});

describe('pods that are told to end one after the other', () => {
  const cluster = clusterOf([machine('a', 'm5.large', [web('a'), web('b'), web('c')]), machine('b', 'm5.large', [pod('other')])], { pdbs: [budget({ maxUnavailable: 2 })] });

  test('each take one from what their budget allows the next', () => {
    const limits = new PodLimits(cluster);
    const allowed = () => limits.of(web('a')).map(({ disruptionsAllowed, healthy, desiredHealthy }) => [disruptionsAllowed, healthy, desiredHealthy]);
    expect(allowed()).toEqual([[2, 3, 1]]);
    limits.end(web('a'));
    expect(allowed()).toEqual([[1, 2, 1]]);
    limits.end(web('b'));
    expect(allowed()).toEqual([[0, 1, 1]]);
    expect(obstacle(web('c'), limits, NOW)).toBe('PodDisruptionBudget default/web lets pod default/c not go');
  });

  test('take nothing from budgets that do not select them', () => {
    const limits = new PodLimits(cluster);
    limits.end(pod('other'));
    expect(limits.all.map(({ disruptionsAllowed }) => disruptionsAllowed)).toEqual([2]);
  });
});

describe('a pod that is protected for some time', () => {
  const held = pod('kept', {}, { annotations: { 'karpenter.sh/do-not-disrupt': '4h' } });
  const node = machine('a', 'm5.large', [held]);

  test('goes as soon as the time is over, where its node drains already', () => {
    const expired = { ...node, claim: { ...node.claim!, expireAfter: HOUR } };
    const [report] = runScenario('expiration', clusterOf([expired]), { start: NOW });
    expect(report.stuck).toEqual([]);
    expect(report.timeline).toContainEqual({ second: Math.ceil(3 * 3600 + 2.7 + 10), what: 'a is gone' });
  });

  test('lets its node be replaced then', () => {
    const [report] = runScenario('drift', clusterOf([node]), { start: NOW });
    expect(report.stuck).toEqual([]);
    expect(report.timeline[0]).toEqual({ second: 3 * 3600, what: 'Drift decides to replace a' });
  });
});

describe('a node that drains', () => {
  const OLD = { claim: { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, expireAfter: HOUR } };
  const roomy = machine('z', 'm5.4xlarge', []);
  const play = (pods: ReturnType<typeof pod>[], more: Parameters<typeof clusterOf>[1] = {}) =>
    runScenario('expiration', clusterOf([machine('a', 'm5.large', pods, OLD), roomy], more), { start: NOW })[0];
  const at = ({ timeline }: ReturnType<typeof play>, wanted: string) => timeline.find(({ what }) => what === wanted)?.second;

  test('does so for five seconds at the least, as pods may still come to it', () => {
    expect(at(play([]), 'a is gone')).toBe(5);
  });

  test('of a workload that nothing else tells of, has a budget let the next pod go when the one before is ready elsewhere', () => {
    const pods = [web('x'), web('y'), web('z')];
    const report = play(pods, { pdbs: [budget({ maxUnavailable: 1 })] });
    // Ready again after 20 seconds, tried after 22.7; then after 42.7, and gone ten seconds later.
    expect(at(report, 'a is gone')).toBe(Math.ceil(42.7 + 10));
    expect(report.workloads[0]).toMatchObject({ lowestReady: 2, evictions: 3 });
  });

  test('does not tell a pod to end that has been told before, and waits for it', () => {
    const told = pod('x', {}, { terminating: true, killedAt: NOW + 25_000, more: { labels: LABELS } });
    const report = play([told, web('y')]);
    expect(at(report, 'a is gone')).toBe(10);
    expect(report.workloads[0]).toMatchObject({ replicas: 1, evictions: 1 });
  });

  test('waits no longer for a pod that should have ended more than a minute ago', () => {
    const stuck = (killedAt: number) => pod('x', {}, { terminating: true, killedAt, more: { labels: LABELS } });
    expect(at(play([stuck(NOW - HOUR)]), 'a is gone')).toBe(5);
    expect(at(play([stuck(NOW - 50_000)]), 'a is gone')).toBe(11);
  });
});
