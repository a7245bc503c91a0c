import { timesOf } from '../../../src/disruption';
import { World } from '../../../src/disruption/scenario/world';
import { clusterOf, HOUR, machine, NOW, pod } from '../builders';

test('a new node lives and drains as long as its NodePool says, whatever it said when its siblings were born', () => {
  const old = machine('a', 'm5.large');
  const sibling = { ...old, claim: { ...old.claim!, expireAfter: 720 * HOUR, terminationGracePeriod: 48 * HOUR } };
  const world = new World(clusterOf([sibling], { disruption: { expireAfter: 24 * HOUR, terminationGracePeriod: HOUR } }), NOW, timesOf('consolidation', {}, 2));
  const { name, ...likeIt } = old;
  const launched = world.launch('default', likeIt, undefined);
  expect(world.nodes.get(launched)!.node.claim).toEqual({ createdAt: NOW, expireAfter: 24 * HOUR, terminationGracePeriod: HOUR });
});

describe('the end of a pod', () => {
  test.each([['up', true], ['leaving', false], ['draining', false]] as const)('on a node that is %s has places looked for anew: %s', (phase, isUnsettled) => {
    const world = new World(clusterOf([machine('a', 'm5.large', [pod('p')])]), NOW, timesOf('consolidation', {}, 1));
    world.nodes.get('a')!.phase = phase;
    const [subject] = world.pods.on('a');
    world.end(subject);
    world.unsettled = false;
    world.gone(subject);
    expect(world.unsettled).toBe(isUnsettled);
  });
});
