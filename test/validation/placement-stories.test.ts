import { DEFAULT_NODE_CLASS, ReservationFacts } from '../../src/catalog';
import { provisioningRounds } from '../../src/scheduling';
import { alikePods } from '../../src/validation/placement-stories';
import { CATALOG, input, isIn, ofTypes, pods, pool } from '../scheduling/builders';

describe('of several passes', () => {
  const reservation: ReservationFacts = { id: 'cr-1', instanceType: 'm5.large', zone: 'us-east-1a', type: 'default', interruptible: false, expiring: false, free: 2 };
  const reserved = { ...pool([]), requirements: [ofTypes('m5.large'), isIn('karpenter.sh/capacity-type', 'reserved', 'on-demand')] };
  const groups = [pods('large', 3, { cpu: '1200m' }), pods('small', 2, { cpu: '300m' })];
  const nodeClasses = [{ ...DEFAULT_NODE_CLASS, reservations: [reservation] }];
  const rounds = provisioningRounds(input({ pools: [reserved], pods: groups, nodeClasses }), CATALOG);
  const told = (group: number, ...names: string[]) =>
    alikePods(rounds, { group, pods: names }).map(({ round, pods: alike }) => [rounds.indexOf(round), alike]);

  test('the one tells a story that first gave the pod the node on which it ends', () => {
    expect(told(0, 'default/large-0', 'default/large-1', 'default/large-2')).toEqual([[0, ['default/large-0', 'default/large-1']], [1, ['default/large-2']]]);
    expect(told(1, 'default/small-0', 'default/small-1')).toEqual([[0, ['default/small-0']], [1, ['default/small-1']]]);
  });
});
