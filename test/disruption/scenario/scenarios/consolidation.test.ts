import { machine, PROTECTED } from '../../builders';
import { budget, simulated, web, WEB, webReport } from '../web-workload';

describe('consolidation', () => {
  test('evicts all replicas of a node at once without a PodDisruptionBudget', () => {
    const nodes = [machine('a', 'm5.2xlarge', [web('x', {}, '400m'), web('y', {}, '400m')])];
    const [report] = simulated('consolidation', nodes);
    expect(webReport(report)).toMatchObject({ replicas: 2, lowestReady: 0, evictions: 2 });
    expect(report.after.usdPerHour).toBeLessThan(report.before.usdPerHour);
  });

  test('evicts one replica after the other with a PodDisruptionBudget', () => {
    const nodes = [machine('a', 'm5.2xlarge', [web('x', {}, '400m'), web('y', {}, '400m')])];
    const [report] = simulated('consolidation', nodes, { pdbs: [budget()] });
    expect(webReport(report)).toMatchObject({ lowestReady: 1, evictions: 2, secondsBelowBudget: 0 });
    expect(report.timeline.filter(({ what }) => what.startsWith(WEB))).toEqual([]);
  });
});

test('a consolidation command is validated fifteen seconds after the decision, even if the cluster changes meanwhile', () => {
  const kept = machine('kept', 'm5.large', [web('y', { annotations: PROTECTED }, '500m')]);
  const [{ timeline }] = simulated('consolidation', [
    machine('a', 'm5.large'),
    machine('goes', 'm5.large', [web('x', {}, '100m')], { deleting: true }),
    kept,
  ]);
  const at = (text: string) => timeline.find(({ what }) => what.includes(text))?.second;
  expect([at('goes is terminated'), at('decides to delete')]).toEqual([10, 15]);
});
