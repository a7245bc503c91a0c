import { runScenario } from '../../../src/disruption';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../builders';

/** One node, which has drifted, and that full that its pod needs another. */
function roll(nodeStart: number) {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
  const cluster = clusterOf([machine('a', 'm5.large', [pod('web', { cpu: '1500m' })])], { pools });
  return runScenario('drift', cluster, { start: NOW, times: { nodeStart, podStart: 20, podStop: 10 } })[0];
}

const told = ({ timeline }: ReturnType<typeof roll>) => timeline.map(({ second, what }) => `${second} ${what.replace(/ \(.*\)/, '')}`);

describe('a command whose node is not up after ten minutes', () => {
  test('is given up, and decided anew once it is', () => {
    const report = roll(700);
    expect(told(report).filter((line) => /Drift|Karpenter|drains|is up|is gone/.test(line))).toEqual([
      '0 Drift decides to replace a',
      '600 Karpenter gives up disrupting a: default-new-0 is not up after 10 minutes',
      '700 default-new-0 is up',
      '700 Drift decides to delete a',
      '700 a drains',
      '710 a is gone',
    ]);
    expect(report).toMatchObject({ stuck: [], pending: [], after: { nodes: 1 } });
  });

  test('is not given up where it is up just then', () => {
    expect(told(roll(600)).filter((line) => /Karpenter|drains/.test(line))).toEqual(['600 a drains']);
  });
});
