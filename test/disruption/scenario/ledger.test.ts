import { PodBudget, runScenario, ScenarioReport } from '../../../src/disruption';
import { clusterOf, machine, NOW, pod } from '../builders';

const PART = { part: 'shop' };
const MIN_THREE: PodBudget = { namespace: 'default', name: 'shop', selector: { matchLabels: PART }, minAvailable: 3 };

/** Two replicas of each of two workloads, each on a node of its own: somebody deletes one of the nodes. */
function deleteOne(pdbs: readonly PodBudget[]): ScenarioReport {
  const own = (name: string, workload: string) =>
    machine(name, 'm5.large', [pod(`${workload}-${name}`, { cpu: '1500m' }, { owner: { kind: 'Deployment', name: workload }, more: { labels: PART } })]);
  const nodes = [own('a', 'web'), own('b', 'web'), own('c', 'api'), own('d', 'api')];
  const [report] = runScenario('deletion', clusterOf(nodes, { pdbs }), { start: NOW, of: { kind: 'node', name: 'a' } });
  return report;
}

const below = ({ workloads }: ScenarioReport) => workloads.map(({ secondsBelowBudget }) => secondsBelowBudget);

test('of a PodDisruptionBudget of two workloads the ready pods of both count', () => {
  expect(below(deleteOne([MIN_THREE]))).toEqual([0, 0]);
});

test('of a PodDisruptionBudget that wants more than there are of both every second counts, for both', () => {
  const report = deleteOne([{ ...MIN_THREE, minAvailable: 5 }]);
  expect(below(report)).toEqual([report.seconds, report.seconds]);
});

describe('of pods of a Job, which has no scale, Kubernetes can tell how many are to be ready', () => {
  const deleteOneOfJob = (terms: Partial<PodBudget>) => {
    const own = (name: string) => machine(name, 'm5.large', [pod(`batch-${name}`, { cpu: '1500m' }, { owner: { kind: 'Job', name: 'batch' }, more: { labels: PART } })]);
    const pdbs = [{ ...MIN_THREE, minAvailable: undefined, ...terms }];
    return below(runScenario('deletion', clusterOf([own('a'), own('b')], { pdbs }), { start: NOW, of: { kind: 'node', name: 'a' } })[0]);
  };

  test('by a count that has to stay', () => {
    expect(deleteOneOfJob({ minAvailable: 2 })).toEqual([0]);
  });

  test.each([{ maxUnavailable: 1 }, { minAvailable: '50%' }])('by nothing else, and no time below it is counted: %j', (terms) => {
    expect(deleteOneOfJob(terms)).toEqual([undefined]);
  });
});

test('the course has nodes and ready pods of each second at which they are others', () => {
  const { course, timeline, after } = deleteOne([]);
  const at = (what: string) => timeline.find((entry) => entry.what.includes(what))!.second;
  expect(course).toEqual([
    { second: 0, nodes: 5, readyPods: 3 },
    { second: at('is gone'), nodes: 4, readyPods: 3 },
    { second: at('is up') + 20, nodes: 4, readyPods: 4 },
  ]);
  expect(course[course.length - 1].nodes).toBe(after.nodes);
});

test('the course is of one entry where nothing comes or goes', () => {
  const [{ course }] = runScenario('drift', clusterOf([machine('a', 'm5.large', [pod('web', { cpu: '1500m' })])]), { start: NOW, drifted: [] });
  expect(course).toEqual([{ second: 0, nodes: 1, readyPods: 1 }]);
});
