import { PodDisruptionBudget, runScenario, ScenarioReport } from '../../../../src/disruption';
import { clusterOf, machine, NOW, pod } from '../../builders';

const PART = { part: 'shop' };
const MIN_THREE: PodDisruptionBudget = {
  namespace: 'default',
  name: 'shop',
  selector: { matchLabels: PART },
  minAvailable: 3,
};

/** Two workloads with two replicas each, and each pod on its own node. One node is deleted. */
function deleteOne(pdbs: readonly PodDisruptionBudget[]): ScenarioReport {
  const own = (name: string, workload: string) =>
    machine(name, 'm5.large', [
      pod(
        `${workload}-${name}`,
        { cpu: '1500m' },
        { owner: { kind: 'Deployment', name: workload }, more: { labels: PART } },
      ),
    ]);
  const nodes = [own('a', 'web'), own('b', 'web'), own('c', 'api'), own('d', 'api')];
  const [report] = runScenario('deletion', clusterOf(nodes, { pdbs }), { start: NOW, of: { kind: 'node', name: 'a' } });
  return report;
}

const below = ({ workloads }: ScenarioReport) => workloads.map(({ secondsBelowBudget }) => secondsBelowBudget);

test('a PodDisruptionBudget of two workloads counts the ready pods of both', () => {
  expect(below(deleteOne([MIN_THREE]))).toEqual([0, 0]);
});

test('a PodDisruptionBudget that demands more pods than both workloads have counts every second, for both', () => {
  const report = deleteOne([{ ...MIN_THREE, minAvailable: 5 }]);
  expect(below(report)).toEqual([report.seconds, report.seconds]);
});

describe('the demand of a PodDisruptionBudget for pods of a Job, which has no scale', () => {
  const deleteOneOfJob = (terms: Partial<PodDisruptionBudget>) => {
    const own = (name: string) =>
      machine(name, 'm5.large', [
        pod(`batch-${name}`, { cpu: '1500m' }, { owner: { kind: 'Job', name: 'batch' }, more: { labels: PART } }),
      ]);
    const pdbs = [{ ...MIN_THREE, minAvailable: undefined, ...terms }];
    return below(
      runScenario('deletion', clusterOf([own('a'), own('b')], { pdbs }), {
        start: NOW,
        of: { kind: 'node', name: 'a' },
      })[0],
    );
  };

  test('is known from a minAvailable count', () => {
    expect(deleteOneOfJob({ minAvailable: 2 })).toEqual([0]);
  });

  test.each([{ maxUnavailable: 1 }, { minAvailable: '50%' }])(
    'is unknown otherwise, so no time below it is counted: %j',
    (terms) => {
      expect(deleteOneOfJob(terms)).toEqual([undefined]);
    },
  );
});

test('the time series has an entry for each second in which the numbers change', () => {
  const { timeSeries, timeline, after } = deleteOne([]);
  const at = (what: string) => timeline.find((entry) => entry.what.includes(what))!.second;
  expect(timeSeries).toEqual([
    { second: 0, nodes: 5, readyPods: 3 },
    { second: at('is terminated'), nodes: 4, readyPods: 3 },
    { second: at('is up') + 20, nodes: 4, readyPods: 4 },
  ]);
  expect(timeSeries[timeSeries.length - 1].nodes).toBe(after.nodes);
});

test('the time series has a single entry if nothing changes', () => {
  const [{ timeSeries }] = runScenario('drift', clusterOf([machine('a', 'm5.large', [pod('web', { cpu: '1500m' })])]), {
    start: NOW,
    drifted: [],
  });
  expect(timeSeries).toEqual([{ second: 0, nodes: 1, readyPods: 1 }]);
});
