import { runScenario, ScenarioName } from '../../../../../src/disruption';
import { Label, RequirementSpec } from '../../../../../src/model';
import { input, isIn, ofTypes } from '../../../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../../../builders';

test('a replacement is of a type in the request to EC2, even if Karpenter names a cheaper one', () => {
  const pools = [
    anyPool({ requirements: [ofTypes('g4ad.4xlarge', 'g6f.4xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] }),
  ];
  const [{ timeline }] = runScenario('drift', clusterOf([machine('a', 'g4ad.4xlarge', [pod('p')])], { pools }), {
    start: NOW,
  });
  expect(timeline.map(({ what }) => what)).toContain('default-new-0 is launched (g6f.4xlarge, on-demand, us-east-1a)');
});

describe('if the cheapest types, which a request to EC2 names, are too few for minValues', () => {
  const SIZES = 'karpenter.k8s.aws/instance-cpu';
  const simulated = (
    scenario: ScenarioName,
    requirements: readonly RequirementSpec[],
    minValuesPolicy: 'Strict' | 'BestEffort' = 'Strict',
  ) => {
    const pools = [anyPool({ requirements: [...requirements, isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
    const scheduling = input({ pools, pods: [], settings: { minValuesPolicy } });
    const [report] = runScenario(scenario, clusterOf([machine('a', 'm5.metal', [pod('p')])], { pools, scheduling }), {
      start: NOW,
    });
    return { ...report, events: report.timeline.map(({ what }) => what) };
  };
  const ANY: RequirementSpec = { key: SIZES, operator: 'Exists', values: [], minValues: 8 };

  test.each(['drift', 'consolidation'] as const)('no replacement is launched: %s', (scenario) => {
    const { events, after, unfinished } = simulated(scenario, [ANY]);
    expect(events).toEqual([
      expect.stringMatching(/^\w+ decides to replace a, and nothing can be launched in its place$/),
    ]);
    expect([after.nodes, unfinished]).toEqual([1, false]);
  });

  test("a drifted node is stuck, with the reason in Karpenter's words", () => {
    expect(simulated('drift', [ANY]).stuck).toEqual([
      {
        what: 'node a',
        why: `insufficient capacity, truncating instance types based on the passed-in requirements, validating minValues, minValues requirement is not met for label(s) (label(s)=[${SIZES}])`,
        remedy: expect.stringContaining('lower the minValues of NodePool "default"'),
      },
    ]);
  });

  test('a replacement is launched if fewer types suffice', () => {
    const sizes = isIn('karpenter.k8s.aws/instance-family', 'm5');
    expect(simulated('drift', [ANY, sizes]).events).toContainEqual(expect.stringContaining('is launched'));
  });

  test('a replacement is launched with the policy BestEffort', () => {
    expect(simulated('drift', [ANY], 'BestEffort').events).toContainEqual(expect.stringContaining('is launched'));
  });
});

const simulateWithLimit = (scenario: ScenarioName, cpu: bigint) => {
  const cluster = clusterOf([machine('a', 'm5.2xlarge', [pod('p', { cpu: '500m' })])], {
    pools: [anyPool({ limits: new Map([['cpu', cpu]]) })],
  });
  const [report] = runScenario(scenario, cluster, { start: NOW, times: { simulation: 0 } });
  return { ...report, events: report.timeline.map(({ what }) => what) };
};

const WHY =
  'limits.cpu is 4 CPUs, and 7.91 CPUs are used by NodePool "default": Karpenter cannot launch replacements for its nodes';

describe('if a NodePool exceeds its limits', () => {
  test('no node is consolidated, which is reported once', () => {
    expect(simulateWithLimit('consolidation', 4_000n).events).toEqual([WHY]);
  });

  test('a drifted node is stuck, with a remedy', () => {
    const { events, stuck } = simulateWithLimit('drift', 4_000n);
    expect(events).toEqual([WHY]);
    expect(stuck).toEqual([
      { what: 'node a', why: WHY, remedy: 'raise the limits of NodePool "default" to what it uses' },
    ]);
  });
});

test.each(['consolidation', 'drift'] as const)(
  'a NodePool that uses exactly its limits has its nodes replaced: %s',
  (scenario) => {
    expect(simulateWithLimit(scenario, 8_000n).events).toContainEqual(expect.stringContaining('decides to replace a'));
  },
);

test('replacements of other NodePools are launched, and stay', () => {
  const pools = [anyPool({ limits: new Map([['cpu', 4_000n]]) }), anyPool({ name: 'other' })];
  const on = (pool: string) => pod(pool, { cpu: '500m' }, { more: { nodeSelector: { [Label.NODE_POOL]: pool } } });
  const nodes = [machine('a', 'm5.2xlarge', [on('default'), on('other')])];
  const [report] = runScenario('drift', clusterOf(nodes, { pools }), { start: NOW, times: { simulation: 0 } });
  expect(report.timeline.map(({ what }) => what.replace(/ \(.*\)/, ''))).toEqual([
    WHY,
    'other-new-0 is launched',
    'other-new-0 is up',
  ]);
  expect(report.after.nodes).toBe(2);
});
