import { Testing } from 'cdk8s';
import { CostsChart, CostsChartProps } from '../../examples/costs/chart';
import { check, recommend, SourceFile } from '../../src/validation';

function sourcesOf(props?: CostsChartProps): SourceFile[] {
  const items = new CostsChart(Testing.app(), 'costs', props).toJson();
  return [{ path: 'costs.json', text: JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) }];
}

describe('the example costs', () => {
  test('is a fifth cheaper with the bound that recommend finds, which is the one of the chart', () => {
    const { usdPerHour, recommendations } = recommend(sourcesOf(), { settle: {} });
    const [first] = recommendations;
    expect(first.constructs).toEqual([
      {
        nodePool: 'general',
        requirements: ['Requirement.instanceCpu().lessThan(65)'],
        manifest: ['{key: karpenter.k8s.aws/instance-cpu, operator: Lt, values: ["65"]}'],
      },
    ]);
    expect(first.after.usdPerHour / usdPerHour!).toBeCloseTo(0.79, 1);
    const { summary } = check(sourcesOf({ mostCpus: 64 }), { settle: {} });
    expect([summary.cost.usdPerHour, summary.nodes]).toEqual([first.after.usdPerHour, 2]);
  });

  test('divides the price between the three teams', () => {
    const { costs } = check(sourcesOf(), { costBy: 'label:team' });
    expect(costs?.rows.map(({ name }) => name).sort()).toEqual(['checkout', 'discovery', 'media']);
  });
});
