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
