import { runScenario } from '../../../../../src/disruption';
import { Label } from '../../../../../src/model';
import { isIn, ofTypes } from '../../../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../../../builders';

/** One drifted node, whose pod needs another node. */
function simulateDrift(nodeStart: number) {
  const pools = [anyPool({ requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
  const cluster = clusterOf([machine('a', 'm5.large', [pod('web', { cpu: '1500m' })])], { pools });
  return runScenario('drift', cluster, { start: NOW, times: { nodeStart, podStart: 20, podStop: 10 } })[0];
}

const events = ({ timeline }: ReturnType<typeof simulateDrift>) =>
  timeline.map(({ second, what }) => `${second} ${what.replace(/ \(.*\)/, '')}`);

describe('a command whose replacement is not initialized after ten minutes', () => {
  test('is given up, and decided again once the replacement is initialized', () => {
    const report = simulateDrift(700);
    expect(events(report).filter((line) => /Drift|Karpenter|drains|is up|is terminated/.test(line))).toEqual([
      '0 Drift decides to replace a',
      '600 Karpenter gives up disrupting a: default-new-0 is not up after 10 min',
      '700 default-new-0 is up',
      '700 Drift decides to delete a',
      '700 a drains',
      '710 a is terminated',
    ]);
    expect(report).toMatchObject({ stuck: [], pending: [], after: { nodes: 1 } });
  });

  test('is completed if the replacement is initialized just then', () => {
    expect(events(simulateDrift(600)).filter((line) => /Karpenter|drains/.test(line))).toEqual(['600 a drains']);
  });
});
