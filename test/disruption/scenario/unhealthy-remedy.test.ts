import { PodBudget, timesOf } from '../../../src/disruption';
import { unhealthyRemedy } from '../../../src/disruption/scenario/unhealthy-remedy';
import { World } from '../../../src/disruption/scenario/world';
import { clusterOf, machine, NOW, pod } from '../builders';

const LABELS = { app: 'web' };
const KARPENTERS = 'pdb prevents pod evictions (PodDisruptionBudget=[default/web])';

/** Of three replicas so many wait. */
function remedy(waiting: number, budget: Partial<PodBudget>, why = KARPENTERS): string | undefined {
  const nodes = ['a', 'b', 'c'].map((name) => machine(name, 'm5.large', [pod(name, {}, { more: { labels: LABELS } })]));
  const pdbs = [{ namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, ...budget }];
  const world = new World(clusterOf(nodes, { pdbs }), NOW, timesOf('drift', {}));
  for (const subject of ['a', 'b', 'c'].slice(0, waiting).flatMap((name) => world.pods.on(name))) {
    world.end(subject);
    world.gone(subject);
  }
  return unhealthyRemedy(why, world);
}

test.each<[string, number, Partial<PodBudget>, string | undefined]>([
  ['one that waits', 1, { maxUnavailable: 1 }, 'see to it that pod default/web-new-0 has a node: before it is ready the PodDisruptionBudget lets no other go'],
  ['several that wait', 2, { minAvailable: 2 }, 'see to it that pod default/web-new-0 and 1 more have nodes: before they are ready the PodDisruptionBudget lets no other go'],
  ['none that waits', 0, { maxUnavailable: 1 }, undefined],
  ['one that waits, which makes no difference', 1, { maxUnavailable: 0 }, undefined],
])('with %s', (_, waiting, budget, expected) => {
  expect(remedy(waiting, budget)).toBe(expected);
});

test.each([
  ['of a drain', 'PodDisruptionBudget default/web lets pod default/c not go', true],
  ['of several budgets', 'pod default/c has 2 PodDisruptionBudgets, default/web and default/other: then no eviction is granted', false],
  ['of another budget', 'PodDisruptionBudget default/other lets pod default/c not go', false],
  ['of an annotation', 'pod default/c has the annotation karpenter.sh/do-not-disrupt', false],
])('in the words %s', (_, why, isFound) => {
  expect(remedy(1, { maxUnavailable: 1 }, why) !== undefined).toBe(isFound);
});

test('of pods of a Job is a count: of these Kubernetes works out no percentage, and no maxUnavailable', () => {
  const ofJob = machine('a', 'm5.large', [pod('a', {}, { owner: { kind: 'Job', name: 'batch' }, more: { labels: LABELS } })]);
  const told = (budget: Partial<PodBudget>) => {
    const pdbs = [{ namespace: 'default', name: 'web', selector: { matchLabels: LABELS }, ...budget }];
    return unhealthyRemedy(KARPENTERS, new World(clusterOf([ofJob], { pdbs }), NOW, timesOf('drift', {})));
  };
  const count = 'write a number as its minAvailable: of pods whose controller has no scale, as a Job has none, Kubernetes works out nothing else';
  expect([told({ maxUnavailable: 1 }), told({ minAvailable: '50%' }), told({ minAvailable: 1 })]).toEqual([count, count, undefined]);
});
