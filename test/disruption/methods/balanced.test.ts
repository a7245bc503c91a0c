import { disruptionPass } from '../../../src/disruption';
import { scoreMove } from '../../../src/disruption/methods/balanced';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../builders';

describe('scoreMove', () => {
  const totals = { price: 10, disruption: 50 };
  test.each([
    ['scores 1 for deleting one of ten nodes', 1, 5, 1],
    ['scores 0.4 for a node made cheaper by 40 %', 0.4, 5, 0.4],
    ['scores 0.5 for a node made cheaper by half', 0.5, 5, 0.5],
    ['scores 0 without savings', 0, 5, 0],
    ['scores 0 for a higher price', -1, 5, 0],
    ['scores infinity without disruption', 1, 0, Infinity],
  ])('%s', (_, savings, disruption, score) => {
    expect(scoreMove(savings, disruption, totals)).toBeCloseTo(score);
  });

  test('returns 0 for a NodePool without price or disruption cost', () => {
    expect(scoreMove(1, 1, { price: 0, disruption: 10 })).toBe(0);
    expect(scoreMove(1, 1, { price: 10, disruption: 0 })).toBe(0);
  });
});

describe('consolidation with the policy Balanced', () => {
  // Node a has half of the price of the NodePool, but with a high priority most of its disruption cost.
  const nodes = (priority: number) => [
    machine('a', 'm5.xlarge', [pod('p', { cpu: '500m' }, { priority })]),
    machine('b', 'm5.xlarge', [pod('q', { cpu: '3600m' })]),
  ];
  const pools = [anyPool({ requirements: [ofTypes('m5.large', 'm5.xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
  const passWith = (consolidationPolicy: 'Balanced' | 'WhenEmptyOrUnderutilized', priority: number) =>
    disruptionPass(clusterOf(nodes(priority), { pools, disruption: { consolidationPolicy } }), NOW);

  test('rejects a command that saves too little for its disruption', () => {
    expect(passWith('Balanced', 9 * 2 ** 25).commands).toEqual([]);
    expect(passWith('Balanced', 9 * 2 ** 25).refusals.map(({ why }) => why)).toContain(
      'the policy Balanced rejects it: it saves too little for the pods that it disrupts',
    );
    expect(passWith('WhenEmptyOrUnderutilized', 9 * 2 ** 25).commands).toHaveLength(1);
  });

  test('approves a command that saves enough', () => {
    expect(passWith('Balanced', 0).commands).toHaveLength(1);
  });
});
