import { deployment, judge, nodeClass, nodePool, oneOf, types } from './helper';
import { CapacityTypeUnsetMeansSpot } from '../../../src/validation/rules/capacity-type-unset-means-spot';

const rule = new CapacityTypeUnsetMeansSpot();
const KEY = 'karpenter.sh/capacity-type';

describe('KARP-204 capacity-type-unset-means-spot', () => {
  test('fails when the NodePool says nothing of it, and counts the spot nodes of the plan', () => {
    const pool = nodePool('default', { requirements: [types('m5.large')] });
    const { states, findings } = judge(rule, [nodeClass(), pool, deployment('web')]);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toEqual({ plannedNodes: 1, spotNodes: 1 });
  });

  test('fails without the node class too: it does not decide this', () => {
    expect(judge(rule, [nodePool('default')]).states).toEqual(['fail NodePool/default']);
  });

  test.each([
    ['a requirement of on-demand', { requirements: [oneOf(KEY, 'on-demand')] }],
    ['a requirement of both', { requirements: [oneOf(KEY, 'spot', 'on-demand')] }],
    ['an exclusion', { requirements: [{ key: KEY, operator: 'NotIn', values: ['spot'] }] }],
    ['a template label', { labels: { [KEY]: 'on-demand' } }],
    ['types that are not sold as spot', { requirements: [types('hpc7g.4xlarge')] }],
  ])('passes with %s', (_, fields) => {
    expect(judge(rule, [nodeClass(), nodePool('default', fields)]).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated when a requirement is known only at deployment', () => {
    const requirements = [oneOf('${Token[TOKEN.2]}', 'on-demand')];
    expect(judge(rule, [nodeClass(), nodePool('default', { requirements })]).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
