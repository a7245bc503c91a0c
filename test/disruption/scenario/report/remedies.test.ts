import { PodDisruptionBudget } from '../../../../src/disruption';
import { unhealthyPdbRemedy } from '../../../../src/disruption/scenario/report/remedies';
import { clusterOf, machine, pod } from '../../builders';
import { simulatedCluster } from '../builders';

const LABELS = { app: 'web' };
const KARPENTERS_WORDS = 'pdb prevents pod evictions (PodDisruptionBudget=[default/web])';
const pdbOf = (terms: Partial<PodDisruptionBudget>): PodDisruptionBudget => ({
  namespace: 'default',
  name: 'web',
  selector: { matchLabels: LABELS },
  ...terms,
});

/** @param pendingPods how many of three replicas are pending */
function remedy(pendingPods: number, terms: Partial<PodDisruptionBudget>, why = KARPENTERS_WORDS): string | undefined {
  const names = ['a', 'b', 'c'];
  const nodes = names.map((name) => machine(name, 'm5.large', [pod(name, {}, { more: { labels: LABELS } })]));
  const cluster = simulatedCluster(clusterOf(nodes, { pdbs: [pdbOf(terms)] }));
  for (const subject of names.slice(0, pendingPods).flatMap((name) => cluster.pods.onNode(name))) {
    cluster.podLifecycle.startTermination(subject);
    cluster.podLifecycle.delete(subject);
  }
  return unhealthyPdbRemedy(why, cluster);
}

describe('unhealthyPdbRemedy', () => {
  test.each<[string, number, Partial<PodDisruptionBudget>, string | undefined]>([
    [
      'the pending pod',
      1,
      { maxUnavailable: 1 },
      'get pod default/web-new-0 scheduled: until it is ready, the PodDisruptionBudget allows no eviction',
    ],
    [
      'the pending pods',
      2,
      { minAvailable: 2 },
      'get pod default/web-new-0 and 1 more scheduled: until they are ready, the PodDisruptionBudget allows no eviction',
    ],
    ['nothing if no pod is pending', 0, { maxUnavailable: 1 }, undefined],
    ['nothing if the pending pod would not help', 1, { maxUnavailable: 0 }, undefined],
  ])('names %s', (_, pendingPods, terms, expected) => {
    expect(remedy(pendingPods, terms)).toBe(expected);
  });

  test.each([
    ['finds the PDB of a drain', 'PodDisruptionBudget default/web blocks the eviction of pod default/c', true],
    [
      'ignores a pod with several PDBs',
      'pod default/c has 2 PodDisruptionBudgets, default/web and default/other, so it cannot be evicted',
      false,
    ],
    ['ignores an unknown PDB', 'PodDisruptionBudget default/other blocks the eviction of pod default/c', false],
    ['ignores an annotation', 'pod default/c has the annotation karpenter.sh/do-not-disrupt', false],
  ])('%s', (_, why, isFound) => {
    expect(remedy(1, { maxUnavailable: 1 }, why) !== undefined).toBe(isFound);
  });

  test('asks for a count if the pods belong to a Job, because Kubernetes computes no percentage and no maxUnavailable for them', () => {
    const jobNode = machine('a', 'm5.large', [
      pod('a', {}, { owner: { kind: 'Job', name: 'batch' }, more: { labels: LABELS } }),
    ]);
    const remedyFor = (terms: Partial<PodDisruptionBudget>) =>
      unhealthyPdbRemedy(KARPENTERS_WORDS, simulatedCluster(clusterOf([jobNode], { pdbs: [pdbOf(terms)] })));
    const count =
      'set minAvailable to a number: for pods whose controller has no scale, such as those of a Job, Kubernetes computes nothing else';
    expect([
      remedyFor({ maxUnavailable: 1 }),
      remedyFor({ minAvailable: '50%' }),
      remedyFor({ minAvailable: 1 }),
    ]).toEqual([count, count, undefined]);
  });
});
