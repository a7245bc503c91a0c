import { capacityTypeUnsetMeansSpot } from '../../../../src/validation/rules/instance-selection/capacity-type-unset-means-spot';
import { contextOf, deployment, judge, nodeClass, nodePool, oneOf, types } from '../judge';

const rule = capacityTypeUnsetMeansSpot;
const KEY = 'karpenter.sh/capacity-type';

describe('KARP-204 capacity-type-unset-means-spot', () => {
  test('reports a NodePool without a capacity type, and counts the planned spot nodes', () => {
    const pool = nodePool('default', { requirements: [types('m5.large')] });
    const { states, findings } = judge(rule, [nodeClass(), pool, deployment('web')]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toEqual({ plannedNodes: 1, spotNodes: 1 });
  });

  // NodePool.SetDefaults of Karpenter 1.x is empty: a NodePool without requirements gets neither on-demand nor amd64.
  test('concerns a NodePool without requirements, which allows both architectures, spot and on-demand', () => {
    const {
      plan: {
        pools: [pool],
      },
    } = contextOf([nodeClass(), nodePool('default')].join('\n---\n'));
    expect([...pool.capacityTypes].sort()).toEqual(['on-demand', 'spot']);
    expect(pool.instanceTypes).toEqual(expect.arrayContaining(['m7i.large', 'm7g.large']));
  });

  test('reports the NodePool even if its node class is not in the input', () => {
    expect(judge(rule, [nodePool('default')]).states).toEqual(['fail NodePool/default']);
  });

  test.each([
    ['a requirement of on-demand', { requirements: [oneOf(KEY, 'on-demand')] }],
    ['a requirement of both', { requirements: [oneOf(KEY, 'spot', 'on-demand')] }],
    ['an exclusion', { requirements: [{ key: KEY, operator: 'NotIn', values: ['spot'] }] }],
    ['a template label', { labels: { [KEY]: 'on-demand' } }],
    ['types that are not sold as spot', { requirements: [types('hpc7g.4xlarge')] }],
  ])('passes %s', (_, fields) => {
    expect(judge(rule, [nodeClass(), nodePool('default', fields)]).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if a requirement is known only at deployment', () => {
    const requirements = [oneOf('${Token[TOKEN.2]}', 'on-demand')];
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).states).toEqual([
      'not-evaluated NodePool/default',
    ]);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
