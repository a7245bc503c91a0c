import { runScenario } from '../../../src/disruption';
import { Label } from '../../../src/model';
import { isIn, ofTypes } from '../../scheduling/builders';
import { anyPool, clusterOf, machine, NOW, pod } from '../builders';

test('what comes in the place of a node is of a type that the provider asks EC2 for, though Karpenter names a cheaper one', () => {
  const pools = [anyPool({ requirements: [ofTypes('g4ad.4xlarge', 'g6f.4xlarge'), isIn(Label.CAPACITY_TYPE, 'on-demand')] })];
  const [{ timeline }] = runScenario('drift', clusterOf([machine('a', 'g4ad.4xlarge', [pod('p')])], { pools }), { start: NOW });
  expect(timeline.map(({ what }) => what)).toContain('default-new-0 is launched (g6f.4xlarge, on-demand, us-east-1a)');
});
