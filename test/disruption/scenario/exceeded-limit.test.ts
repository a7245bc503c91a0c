import { runScenario, ScenarioName } from '../../../src/disruption';
import { Label } from '../../../src/model';
import { anyPool, clusterOf, machine, NOW, pod } from '../builders';

const play = (scenario: ScenarioName, cpu: bigint) => {
  const cluster = clusterOf([machine('a', 'm5.2xlarge', [pod('p', { cpu: '500m' })])], { pools: [anyPool({ limits: new Map([['cpu', cpu]]) })] });
  const [report] = runScenario(scenario, cluster, { start: NOW, times: { simulation: 0 } });
  return { ...report, told: report.timeline.map(({ what }) => what) };
};

const WHY = 'limits.cpu of NodePool "default" is 4, and 7910m are used: Karpenter launches nothing in the place of its nodes';

describe('where a NodePool uses more than its limits', () => {
  test('no node gives way to a cheaper one, and it is told once', () => {
    expect(play('consolidation', 4_000n).told).toEqual([WHY]);
  });

  test('a drifted node is stuck, with what helps', () => {
    const { told, stuck } = play('drift', 4_000n);
    expect(told).toEqual([WHY]);
    expect(stuck).toEqual([{ what: 'node a', why: WHY, remedy: 'let NodePool "default" have what it uses' }]);
  });
});

test.each(['consolidation', 'drift'] as const)('a NodePool that uses all that its limits let it has nodes replaced all the same: %s', (scenario) => {
  expect(play(scenario, 8_000n).told).toContainEqual(expect.stringContaining('decides to replace a'));
});

test('what is to come of other NodePools in its place is launched all the same, and stays', () => {
  const pools = [anyPool({ limits: new Map([['cpu', 4_000n]]) }), anyPool({ name: 'other' })];
  const on = (pool: string) => pod(pool, { cpu: '500m' }, { more: { nodeSelector: { [Label.NODE_POOL]: pool } } });
  const nodes = [machine('a', 'm5.2xlarge', [on('default'), on('other')])];
  const [report] = runScenario('drift', clusterOf(nodes, { pools }), { start: NOW, times: { simulation: 0 } });
  expect(report.timeline.map(({ what }) => what.replace(/ \(.*\)/, ''))).toEqual([WHY, 'other-new-0 is launched', 'other-new-0 is up']);
  expect(report.after.nodes).toBe(2);
});
