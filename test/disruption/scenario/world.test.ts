import { timesOf } from '../../../src/disruption';
import { World } from '../../../src/disruption/scenario/world';
import { clusterOf, HOUR, machine, NOW } from '../builders';

test('a new node lives and drains as long as its NodePool says, whatever it said when its siblings were born', () => {
  const old = machine('a', 'm5.large');
  const sibling = { ...old, claim: { ...old.claim!, expireAfter: 720 * HOUR, terminationGracePeriod: 48 * HOUR } };
  const world = new World(clusterOf([sibling], { disruption: { expireAfter: 24 * HOUR, terminationGracePeriod: HOUR } }), NOW, timesOf('consolidation', {}, 2));
  const { name, ...likeIt } = old;
  const launched = world.launch('default', likeIt, undefined);
  expect(world.nodes.get(launched)!.node.claim).toEqual({ createdAt: NOW, expireAfter: 24 * HOUR, terminationGracePeriod: HOUR });
});
