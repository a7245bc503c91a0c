import { judge, nodeClass, nodePool, oneOf, PoolFields, types } from './helper';
import { SpotToSpotCannotHappen } from '../../../src/validation/rules/spot-to-spot-cannot-happen';

const rule = new SpotToSpotCannotHappen();
const OPEN = { featureGates: { SpotToSpotConsolidation: true } };
const SPOT = oneOf('karpenter.sh/capacity-type', 'spot');
const SIXTEEN = ['m5', 'm5a', 'm6i', 'm6a', 'm7i', 'm7a', 'c5', 'c5a'].flatMap((family) => [`${family}.large`, `${family}.xlarge`]);
const pool = (count: number, fields: PoolFields = {}) => [nodeClass(), nodePool('default', { requirements: [types(...SIXTEEN.slice(0, count)), SPOT], ...fields })];

describe('KARP-512 spot-to-spot-cannot-happen', () => {
  test('warns of 15 types: of these only 14 are cheaper than the one that a node has', () => {
    const { findings } = judge(rule, pool(15), OPEN);
    expect(findings[0].message).toContain('allows 15 instance types on spot, of which at most 14 are cheaper than the one that a node has');
    expect(findings[0].severity).toBeUndefined();
  });

  test('passes with 16', () => {
    expect(judge(rule, pool(16), OPEN).states).toEqual(['pass NodePool/default']);
  });

  test('says that the gate is closed, where there is nothing but spot', () => {
    const { findings } = judge(rule, pool(16));
    expect(findings[0]).toMatchObject({ severity: 'info', path: ['spec', 'disruption'] });
  });

  test.each<[string, string[], object]>([
    ['NodePools that only remove empty nodes', pool(3, { disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' } }), OPEN],
    ['NodePools that never consolidate', pool(3, { disruption: { consolidateAfter: 'Never' } }), OPEN],
    ['NodePools without spot', [nodeClass(), nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] })], OPEN],
    ['NodePools with other capacity, while the gate is closed', [nodeClass(), nodePool('default')], {}],
  ])('does not apply to %s', (_, documents, options) => {
    expect(judge(rule, documents, options).outcomes).toEqual([]);
  });

  test('is not evaluated where it is not known what the NodePool launches, or how it disrupts', () => {
    expect(judge(rule, [nodePool('default')], OPEN).states).toEqual(['not-evaluated NodePool/default']);
    expect(judge(rule, pool(3, { disruption: { consolidateAfter: '${Token[after]}' } }), OPEN).states).toEqual(['not-evaluated NodePool/default']);
  });
});
