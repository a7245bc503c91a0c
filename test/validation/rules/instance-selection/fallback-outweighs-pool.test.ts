import { fallbackOutweighsPool } from '../../../../src/validation/rules/instance-selection/fallback-outweighs-pool';
import { deployment, NODE_CLASS, nodePool, SMALL } from '../../setup';
import { judge } from '../judge';

const onDemand = (name: string, fields = '') => nodePool(['m5.large', 'm5.xlarge'], name, fields);
const spot = (name: string, fields = '') => onDemand(name, fields).replace('values: [on-demand]', 'values: [spot]');
const WEB = deployment('web', 3, SMALL);
const judged = (...documents: string[]) => judge(fallbackOutweighsPool, [NODE_CLASS, ...documents]);

describe('KARP-263 fallback-outweighs-pool', () => {
  test('reports a fallback with the higher weight, and swaps the weights', () => {
    const { findings } = judged(spot('spot-first', '  weight: 10\n'), onDemand('od-fallback', '  weight: 50\n'), WEB);
    expect(findings).toMatchObject([
      { object: { name: 'od-fallback' }, path: ['spec', 'weight'], evidence: { pods: 3, other: 'spot-first' } },
    ]);
    expect(findings[0].remedy).toContain('write weight: 10 here and weight: 50 in NodePool spot-first');
    expect(
      judged(spot('spot-first', '  weight: 50\n'), onDemand('od-fallback', '  weight: 10\n'), WEB).findings,
    ).toEqual([]);
  });

  test.each([
    ['spot', 'overflow', 'remove the weight here and weight: 5'],
    ['primary', 'general', 'remove the weight here and weight: 5'],
  ])('reports by either name: %s and %s', (first, second, remedy) => {
    const { findings } = judged(spot(first), onDemand(second, '  weight: 5\n'), WEB);
    expect(findings.map((finding) => finding.remedy)).toEqual([expect.stringContaining(remedy)]);
  });

  test('says nothing without such names, and nothing of pods that the other NodePool does not take', () => {
    expect(judged(spot('spot'), onDemand('general', '  weight: 5\n'), WEB).findings).toEqual([]);
    const tainted = `${spot('spot')}      taints: [{ key: team, effect: NoSchedule }]\n`;
    expect(judged(tainted, onDemand('fallback', '  weight: 5\n'), WEB).findings).toEqual([]);
  });
});
