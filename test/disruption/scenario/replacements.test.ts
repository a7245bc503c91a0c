import { runScenario, ScenarioName } from '../../../src/disruption';
import { Label, RequirementSpec } from '../../../src/model';
import { input, isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../builders';

test('what comes in the place of a node is of a type that the provider asks EC2 for, though Karpenter names a cheaper one', () => {
  const pools = [anyPool({ requirements: [ofTypes('g4ad.4xlarge', 'g6f.4xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
  const [{ timeline }] = runScenario('drift', clusterOf([machine('a', 'g4ad.4xlarge', [pod('p')])], { pools }), { start: NOW });
  expect(timeline.map(({ what }) => what)).toContain('default-new-0 is launched (g6f.4xlarge, on-demand, us-east-1a)');
});

describe('where the cheapest types, which one request to EC2 names, are of too few kinds for minValues', () => {
  const SIZES = 'karpenter.k8s.aws/instance-cpu';
  const play = (scenario: ScenarioName, requirements: readonly RequirementSpec[], minValuesPolicy: 'Strict' | 'BestEffort' = 'Strict') => {
    const pools = [anyPool({ requirements: [...requirements, isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
    const scheduling = input({ pools, pods: [], settings: { minValuesPolicy } });
    const [report] = runScenario(scenario, clusterOf([machine('a', 'm5.metal', [pod('p')])], { pools, scheduling }), { start: NOW });
    return { ...report, told: report.timeline.map(({ what }) => what) };
  };
  const ANY: RequirementSpec = { key: SIZES, operator: 'Exists', values: [], minValues: 8 };

  test.each(['drift', 'consolidation'] as const)('Karpenter launches nothing in the place of a node: %s', (scenario) => {
    const { told, after, unfinished } = play(scenario, [ANY]);
    expect(told).toEqual([expect.stringMatching(/^\w+ decides to replace a, and nothing can be launched in its place$/)]);
    expect([after.nodes, unfinished]).toEqual([1, false]);
  });

  test('a drifted node is stuck, in the words of Karpenter', () => {
    expect(play('drift', [ANY]).stuck).toEqual([{
      what: 'node a',
      why: `insufficient capacity, truncating instance types based on the passed-in requirements, validating minValues, minValues requirement is not met for label(s) (label(s)=[${SIZES}])`,
      remedy: expect.stringContaining('lower the minValues of NodePool "default"'),
    }]);
  });

  test('it does where fewer types leave enough variety', () => {
    const sizes = isIn('karpenter.k8s.aws/instance-family', 'm5');
    expect(play('drift', [ANY, sizes]).told).toContainEqual(expect.stringContaining('is launched'));
  });

  test('it does where minValues are no more than wished for', () => {
    expect(play('drift', [ANY], 'BestEffort').told).toContainEqual(expect.stringContaining('is launched'));
  });
});
