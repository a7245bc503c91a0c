import { DEFAULT_NODE_CLASS } from '../../../src/catalog';
import { Label } from '../../../src/model';
import { ClaimPrices, templateOf } from '../../../src/scheduling';
import { CATALOG, input, isIn, ofTypes, planOf, pods, pool } from '../builders';

test('ClaimPrices › returns an offer in the partition that the pods allow', () => {
  const nodeClasses = [
    { ...DEFAULT_NODE_CLASS, placementGroup: { id: 'pg-1', strategy: 'partition' as const, partitions: 3 } },
  ];
  const groups = [pods('web', 1, { cpu: '1' }, { nodeSelector: { [Label.PLACEMENT_GROUP_PARTITION]: '2' } })];
  const scene = input({
    pools: [{ ...pool([]), requirements: [ofTypes('m5.large'), isIn(Label.CAPACITY_TYPE, 'on-demand')] }],
    pods: groups,
    nodeClasses,
  });
  const [claim] = planOf({ pools: scene.nodePools, pods: groups, nodeClasses }).nodeClaims;
  const prices = new ClaimPrices(claim, templateOf(scene.nodePools[0], scene, CATALOG)!, scene.settings);
  expect(prices.cheapestOffer('m5.large')).toMatchObject({ instanceType: 'm5.large', partition: '2' });
});
