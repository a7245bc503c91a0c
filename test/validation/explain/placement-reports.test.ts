import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../../src/catalog';
import { provisioningPasses } from '../../../src/scheduling';
import { PlacementHistory } from '../../../src/validation/explain/placement-reports';
import { CATALOG, input, isIn, ofTypes, pods, pool } from '../../scheduling/builders';

describe('PlacementHistory', () => {
  const reservation: ReservationFacts = {
    id: 'cr-1',
    instanceType: 'm5.large',
    zone: 'us-east-1a',
    type: 'default',
    interruptible: false,
    expiring: false,
    free: 2,
  };
  const reserved = {
    ...pool([]),
    requirements: [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')],
  };
  const groups = [pods('large', 3, { cpu: '1200m' }), pods('small', 2, { cpu: '300m' })];
  const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }];
  const passes = provisioningPasses(input({ pools: [reserved], pods: groups, nodeClasses }), CATALOG, {
    keepsPlacedPods: false,
  });
  const passesOf = (group: number, ...names: string[]) =>
    new PlacementHistory(passes)
      .similarPods({ group, pods: names })
      .map(({ pass, pods: similar }) => [passes.indexOf(pass), similar]);

  test('chooses the first pass that gave a pod its final node', () => {
    expect(passesOf(0, 'default/large-0', 'default/large-1', 'default/large-2')).toEqual([
      [0, ['default/large-0', 'default/large-1']],
      [1, ['default/large-2']],
    ]);
    expect(passesOf(1, 'default/small-0', 'default/small-1')).toEqual([
      [0, ['default/small-0']],
      [1, ['default/small-1']],
    ]);
  });
});
