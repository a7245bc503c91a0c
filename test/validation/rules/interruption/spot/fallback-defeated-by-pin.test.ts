import { fallbackDefeatedByPin } from '../../../../../src/validation/rules/interruption/spot/fallback-defeated-by-pin';
import { spotNoFallback } from '../../../../../src/validation/rules/interruption/spot/spot-no-fallback';
import { deployment, judge, nodeClass, nodePool, oneOf } from '../../judge';

const rule = fallbackDefeatedByPin;
const SPOT = nodePool('general', { weight: 20, requirements: [oneOf('karpenter.sh/capacity-type', 'spot')] });
const onDemand = (weight: number, taints: { key: string; effect: string }[] = []) =>
  nodePool('fallback', { weight, taints, requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] });
const PINNED = deployment('web', { nodeSelector: { 'karpenter.sh/nodepool': 'general' } });
const judged = (...documents: string[]) => judge(rule, [nodeClass(), SPOT, ...documents]);

describe('KARP-518 fallback-defeated-by-pin', () => {
  test('reports pods that select the spot NodePool of a weighted pair', () => {
    expect(judged(onDemand(10), PINNED).findings).toMatchObject([
      {
        path: ['spec', 'template', 'spec', 'nodeSelector', 'karpenter.sh/nodepool'],
        remedy:
          'remove the node selector, and require karpenter.sh/nodepool In [general, fallback] in the node affinity',
        evidence: { nodePool: 'general', fallback: 'fallback' },
      },
    ]);
  });

  test('is the only finding about the missing fallback', () => {
    expect(judge(spotNoFallback, [nodeClass(), SPOT, onDemand(10), PINNED]).findings).toEqual([]);
    expect(judge(spotNoFallback, [nodeClass(), SPOT, PINNED]).findings).toHaveLength(1);
  });

  test.each([
    ['without an on-demand NodePool', []],
    ['if the other NodePool has a higher weight', [onDemand(30)]],
    ['if the pods do not tolerate the other NodePool', [onDemand(10, [{ key: 'team', effect: 'NoSchedule' }])]],
  ])('passes %s', (_, pools) => {
    expect(judged(...pools, PINNED).states).toEqual(['pass Deployment/web']);
  });

  test('does not apply to pods that select no NodePool', () => {
    expect(judged(onDemand(10), deployment('web')).outcomes).toEqual([]);
  });
});
