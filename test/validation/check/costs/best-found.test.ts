import { check, renderText } from '../../../../src/validation';
import { recommend } from '../../../../src/validation/recommend/recommend';
import { bestFoundSentences } from '../../../../src/validation/recommend/wording';
import { renderRecommendationsText } from '../../../../src/validation/report/text/recommendations';
import { deployment, manifests, NODE_CLASS, nodePool } from '../../setup';

// Karpenter packs all pods on one r5.4xlarge ($1.008). A c5.large ($0.085) holds six pods.
const SETUP = manifests(NODE_CLASS, nodePool(['r5.4xlarge', 'c5.large']), deployment('web', 50, 'cpu: 300m'));

describe('the best fleet found', () => {
  test('is part of the cost if it is asked for, between the lower bound and the plan', () => {
    const { cost } = check(SETUP, { searchesFleet: true }).summary;
    expect(cost.bestFound!.usdPerHour).toBeGreaterThanOrEqual(cost.lowerBoundUsdPerHour!);
    expect(cost.bestFound!.usdPerHour).toBeLessThan(cost.usdPerHour!);
    expect(cost.bestFound).toMatchObject({ keptNodes: 0, isCut: false });
    expect(check(SETUP).summary.cost.bestFound).toBeUndefined();
  });

  test('is named beside the lower bound', () => {
    const text = renderText(check(SETUP, { searchesFleet: true }), { width: 100 });
    expect(text).toMatch(/Lower bound: \$0\.\d+\/h\. Best fleet found: \$0\.\d+\/h\./);
  });

  test('is the plan if nothing cheaper is found', () => {
    const single = manifests(NODE_CLASS, nodePool(['m5.large']), deployment('web', 2, 'cpu: 900m'));
    const { cost } = check(single, { searchesFleet: true }).summary;
    expect(cost.bestFound!.usdPerHour).toBe(cost.usdPerHour);
  });

  test('is not below the lower bound if a price has more than six decimals', () => {
    const pool = nodePool(['c7a.medium']).replace('on-demand', 'spot');
    const input = manifests(NODE_CLASS, pool, deployment('web', 3, 'cpu: 500m'));
    const { cost } = check(input, { searchesFleet: true, region: 'eu-west-1' }).summary;
    expect(cost.bestFound!.usdPerHour).toBe(cost.usdPerHour);
    expect(cost.bestFound!.usdPerHour).toBeGreaterThanOrEqual(cost.lowerBoundUsdPerHour!);
  });

  test('is absent without a price', () => {
    const { cost } = check(manifests(NODE_CLASS, nodePool(['m5.large'])), { searchesFleet: true }).summary;
    expect(cost.bestFound).toBeUndefined();
  });

  test('is printed by recommend, with what it keeps', () => {
    const text = renderRecommendationsText(recommend(SETUP), SETUP);
    expect(text).toMatch(/The best fleet found on these NodePools costs \$0\.\d+\/h\. These NodePools, as they are, /);
    expect(text).toContain('Karpenter would not build it by itself');
  });

  test('says which nodes it leaves, and that the search ended early', () => {
    const bestFound = { usdPerHour: 1, nodes: 5, keptNodes: 1, isCut: true };
    const [what, early] = bestFoundSentences({ usdPerHour: 2, bestFound });
    expect(what).toContain('has 5 nodes, 1 of them as Karpenter plans it');
    expect(early).toContain('ended early');
    expect(bestFoundSentences({ usdPerHour: 1, bestFound })).toEqual([]);
  });
});
