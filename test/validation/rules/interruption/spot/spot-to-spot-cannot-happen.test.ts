import { spotToSpotCannotHappen } from '../../../../../src/validation/rules/interruption/spot/spot-to-spot-cannot-happen';
import { judge, nodeClass, nodePool, oneOf, PoolFields, types } from '../../judge';

const rule = spotToSpotCannotHappen;
const OPEN = { featureGates: { SpotToSpotConsolidation: true } };
const SPOT = oneOf('karpenter.sh/capacity-type', 'spot');
const SIXTEEN = ['m5', 'm5a', 'm6i', 'm6a', 'm7i', 'm7a', 'c5', 'c5a'].flatMap((family) => [
  `${family}.large`,
  `${family}.xlarge`,
]);
const pool = (count: number, fields: PoolFields = {}) => [
  nodeClass(),
  nodePool('default', { requirements: [types(...SIXTEEN.slice(0, count)), SPOT], ...fields }),
];

describe('KARP-512 spot-to-spot-cannot-happen', () => {
  test("warns of 15 types, because at most 14 are cheaper than the node's own", () => {
    const { findings } = judge(rule, pool(15), OPEN);
    expect(findings[0].message).toContain(
      "allows 15 instance types on spot, so at most 14 are cheaper than a node's own",
    );
    expect(findings[0].severity).toBeUndefined();
  });

  test('passes with 16', () => {
    expect(judge(rule, pool(16), OPEN).states).toEqual(['pass NodePool/default']);
  });

  test('reports a feature gate that is off as info if the NodePool launches only spot', () => {
    const { findings } = judge(rule, pool(16));
    expect(findings[0]).toMatchObject({ severity: 'info', path: ['spec', 'disruption'] });
  });

  test.each<[string, string[], object]>([
    [
      'NodePools with consolidationPolicy WhenEmpty',
      pool(3, { disruption: { consolidationPolicy: 'WhenEmpty', consolidateAfter: '30s' } }),
      OPEN,
    ],
    ['NodePools that never consolidate', pool(3, { disruption: { consolidateAfter: 'Never' } }), OPEN],
    [
      'NodePools without spot',
      [nodeClass(), nodePool('default', { requirements: [oneOf('karpenter.sh/capacity-type', 'on-demand')] })],
      OPEN,
    ],
    ['NodePools with on-demand if the feature gate is off', [nodeClass(), nodePool('default')], {}],
  ])('does not apply to %s', (_, documents, options) => {
    expect(judge(rule, documents, options).outcomes).toEqual([]);
  });

  test("is not evaluated if the NodePool's instance types or its disruption settings are not known", () => {
    expect(judge(rule, [nodeClass('other'), nodePool('default')], OPEN).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
    expect(judge(rule, pool(3, { disruption: { consolidateAfter: '${Token[after]}' } }), OPEN).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
  });
});
