import fc from 'fast-check';
import { PodDisruptionBudget } from '../../../../../src/disruption';
import { PdbLimits } from '../../../../../src/disruption/budgets/pdb-limits';
import {
  evictionObstacle,
  nextEvictionAttempt,
} from '../../../../../src/disruption/scenario/controllers/termination/eviction';
import { clusterOf, HOUR, machine, NOW, pod, PROTECTED } from '../../../builders';

const LABELS = { app: 'web' };
const web = (name: string, ready = true) => pod(name, {}, { ready, more: { labels: LABELS } });
const budget = (more: Partial<PodDisruptionBudget>): PodDisruptionBudget => ({
  namespace: 'default',
  name: 'web',
  selector: { matchLabels: LABELS },
  ...more,
});

/** Why the first pod cannot be evicted, with PDBs that select all pods. */
function obstacleOf(pods: ReturnType<typeof pod>[], ...pdbs: Partial<PodDisruptionBudget>[]): string | undefined {
  const cluster = clusterOf([machine('a', 'm5.large', pods)], {
    pdbs: pdbs.map((terms, index) => budget({ name: `web-${index}`, ...terms })),
  });
  return evictionObstacle(pods[0], new PdbLimits(cluster), NOW);
}

const BLOCKED = 'PodDisruptionBudget default/web-0 blocks the eviction of pod default/a';

describe('evictionObstacle', () => {
  test('is none without a PDB, or if the PDB allows a disruption', () => {
    expect(obstacleOf([web('a')])).toBeUndefined();
    expect(obstacleOf([web('a'), web('b')], { minAvailable: 1 })).toBeUndefined();
    expect(obstacleOf([web('a'), web('b')], { minAvailable: 2 })).toBe(BLOCKED);
  });

  test('is none for an unready pod while enough pods are healthy, even if the PDB allows no disruption', () => {
    expect(obstacleOf([web('a', false), web('b')], { minAvailable: 1 })).toBeUndefined();
    expect(obstacleOf([web('a', false), web('b'), web('c')], { maxUnavailable: 1 })).toBeUndefined();
  });

  test('is the PDB for an unready pod if too few pods are healthy', () => {
    expect(obstacleOf([web('a', false), web('b')], { minAvailable: 2 })).toBe(BLOCKED);
    expect(obstacleOf([web('a', false), web('b')], { maxUnavailable: 0 })).toBe(BLOCKED);
  });

  test('is the PDB for an unready pod if the PDB demands no healthy pod', () => {
    expect(obstacleOf([web('a', false)], { maxUnavailable: '100%', minAvailable: undefined })).toBe(BLOCKED);
    expect(obstacleOf([web('a', false)], { minAvailable: 0 })).toBe(BLOCKED);
  });

  test('is none for an unready pod with the policy AlwaysAllow, but the PDB for a ready pod', () => {
    const always = { minAvailable: 2, unhealthyPodEvictionPolicy: 'AlwaysAllow' } as const;
    expect(obstacleOf([web('a', false), web('b')], always)).toBeUndefined();
    expect(obstacleOf([web('a'), web('b', false)], always)).toBe(BLOCKED);
  });

  test('names two PDBs of one pod, and the do-not-disrupt annotation', () => {
    expect(obstacleOf([web('a', false), web('b')], { minAvailable: 0 }, { minAvailable: 0 })).toBe(
      'pod default/a has 2 PodDisruptionBudgets, default/web-0 and default/web-1, so it cannot be evicted',
    );
    expect(obstacleOf([pod('a', {}, { annotations: PROTECTED })])).toBe(
      'pod default/a has the annotation karpenter.sh/do-not-disrupt',
    );
    expect(
      obstacleOf([pod('a', {}, { annotations: { 'karpenter.sh/do-not-disrupt': '2h' }, startedAt: NOW - HOUR })]),
    ).toMatch(/has the annotation/);
    expect(
      obstacleOf([pod('a', {}, { annotations: { 'karpenter.sh/do-not-disrupt': '30m' }, startedAt: NOW - HOUR })]),
    ).toBeUndefined();
  });
});

describe('PdbLimits.recordEviction', () => {
  const cluster = clusterOf(
    [machine('a', 'm5.large', [web('a'), web('b'), web('c')]), machine('b', 'm5.large', [pod('other')])],
    { pdbs: [budget({ maxUnavailable: 2 })] },
  );

  test('reduces what the PDB allows for each evicted pod', () => {
    const limits = new PdbLimits(cluster);
    const allowed = () =>
      limits
        .limitsOf(web('a'))
        .map(({ disruptionsAllowed, currentHealthy, desiredHealthy }) => [
          disruptionsAllowed,
          currentHealthy,
          desiredHealthy,
        ]);
    expect(allowed()).toEqual([[2, 3, 1]]);
    limits.recordEviction(web('a'));
    expect(allowed()).toEqual([[1, 2, 1]]);
    limits.recordEviction(web('b'));
    expect(allowed()).toEqual([[0, 1, 1]]);
    expect(evictionObstacle(web('c'), limits, NOW)).toBe(
      'PodDisruptionBudget default/web blocks the eviction of pod default/c',
    );
  });

  test('does not change PDBs that do not select the pod', () => {
    const limits = new PdbLimits(cluster);
    limits.recordEviction(pod('other'));
    expect(limits.all.map(({ disruptionsAllowed }) => disruptionsAllowed)).toEqual([2]);
  });
});

describe('nextEvictionAttempt', () => {
  test.each([
    [0, 0],
    [1, 100],
    [100, 100],
    [101, 300],
    [301, 700],
    [701, 1_500],
    [1_501, 3_100],
    [3_101, 6_300],
    [6_301, 12_700],
    [12_700, 12_700],
    [12_701, 22_700],
    [22_700, 22_700],
    [22_701, 32_700],
    [1_000_000, 1_002_700],
  ])('is, for an eviction that is possible after %d ms, after %d ms', (from, after) => {
    expect(nextEvictionAttempt(5_000, 5_000 + from)).toBe(5_000 + after);
  });

  test('is never if the eviction is never possible', () => {
    expect(nextEvictionAttempt(0, Infinity)).toBe(Infinity);
  });

  test('is within ten seconds of the given time, and stable', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000_000 }), (from) => {
        const at = nextEvictionAttempt(0, from);
        expect(at).toBeGreaterThanOrEqual(from);
        expect(at - from).toBeLessThan(10_000);
        expect(nextEvictionAttempt(0, at)).toBe(at);
      }),
    );
  });
});
