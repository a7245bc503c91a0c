import { anyPool, clusterOf, machine, NOW, pod } from './builders';
import { disruptionPass } from '../../src/disruption';
import { scoreOf } from '../../src/disruption/balanced';
import { Label } from '../../src/model';
import { isIn, ofTypes } from '../scheduling/builders';

describe('the score of a move', () => {
  const totals = { price: 10, disruption: 50 };
  test.each([
    ['a node of ten given up', 1, 5, 1],
    ['a node made cheaper by 0.40', 0.4, 5, 0.4],
    ['a node made cheaper by half', 0.5, 5, 0.5],
    ['nothing saved', 0, 5, 0],
    ['dearer than before', -1, 5, 0],
    ['nothing disrupted', 1, 0, Infinity],
  ])('%s', (_, savings, disruption, score) => {
    expect(scoreOf(savings, disruption, totals)).toBeCloseTo(score);
  });

  test('is nothing where there is nothing to measure it by', () => {
    expect(scoreOf(1, 1, { price: 0, disruption: 10 })).toBe(0);
    expect(scoreOf(1, 1, { price: 10, disruption: 0 })).toBe(0);
  });
});

describe('a pool of the policy Balanced', () => {
  // One node costs 0.192 of 0.384, and one pod in it so much that half the pool's price is not worth half of what it disrupts.
  const nodes = (priority: number) => [
    machine('a', 'm5.xlarge', [pod('p', { cpu: '500m' }, { priority })]), machine('b', 'm5.xlarge', [pod('q', { cpu: '3600m' })]),
  ];
  const pools = [anyPool({ requirements: [ofTypes('m5.large', 'm5.xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
  const decided = (consolidationPolicy: 'Balanced' | 'WhenEmptyOrUnderutilized', priority: number) =>
    disruptionPass(clusterOf(nodes(priority), { pools, disruption: { consolidationPolicy } }), NOW);

  test('leaves a node that saves too little for what it disrupts', () => {
    expect(decided('Balanced', 9 * 2 ** 25).commands).toEqual([]);
    expect(decided('Balanced', 9 * 2 ** 25).refusals.map(({ why }) => why)).toContain('it would save too little for what it disrupts, by the policy Balanced');
    expect(decided('WhenEmptyOrUnderutilized', 9 * 2 ** 25).commands).toHaveLength(1);
  });

  test('lets one pass that saves enough', () => {
    expect(decided('Balanced', 0).commands).toHaveLength(1);
  });
});
