import { ClusterPod, runScenario, ScenarioReport } from '../../../../src/disruption';
import { Label } from '../../../../src/model';
import { isIn } from '../../../scheduling/builders';
import { clusterOf, machine, NOW, pod } from '../../builders';
import { simulated, single, TIMES } from '../web-workload';

describe('deleted pods of a StatefulSet', () => {
  const db = (ordinal: number, more: Partial<ClusterPod> = {}) =>
    pod(`db-${ordinal}`, { cpu: '200m' }, { owner: { kind: 'StatefulSet', name: 'db' }, ...more });
  const downAt = ({ timeline }: ScenarioReport) =>
    timeline.find(({ what }) => what.endsWith('has no pod ready'))!.second;
  const simulateDrift = (pods: ClusterPod[]) =>
    runScenario('drift', clusterOf([machine('a', 'm5.large', pods)]), { start: NOW, times: TIMES })[0];

  test('are recreated one after the other, each when the pods before it are ready', () => {
    const report = simulateDrift([db(0), db(1), db(2)]);
    expect(downAt(report)).toBe(60);
    expect(report).toMatchObject({ seconds: 60 + 10 + 3 * 20, pending: [] });
  });

  test('are recreated in ordinal order, regardless of the order of their deletion', () => {
    expect(simulateDrift([db(10), db(2), db(0)])).toMatchObject({ seconds: 60 + 10 + 3 * 20, pending: [] });
  });

  test('are recreated all at once with the podManagementPolicy Parallel', () => {
    expect(simulateDrift([db(0, { parallel: true }), db(1, { parallel: true })]).seconds).toBe(60 + 10 + 20);
  });

  test('are not recreated while an earlier pod is pending', () => {
    const there = { shape: { ...db(0).shape, volumeTopology: [[isIn(Label.ZONE, 'us-east-1a')]] } };
    const [report] = simulated('zone-outage', [
      machine('a', 'm5.large', [db(0, there), db(1)]),
      single('b', { zone: 'us-east-1b' }),
    ]);
    expect(report.pending).toEqual(['default/db-0', 'default/db-1']);
    expect(report.unplaced[1]).toEqual({
      workload: 'StatefulSet default/db',
      pods: ['default/db-1'],
      why: 'its StatefulSet creates it only when the pods before it are ready',
    });
  });
});
