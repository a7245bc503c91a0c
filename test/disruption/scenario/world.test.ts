import { timesOf } from '../../../src/disruption';
import { Happening, run } from '../../../src/disruption/scenario/run';
import { World } from '../../../src/disruption/scenario/world';
import { clusterOf, HOUR, machine, NOW, pod } from '../builders';

test('a new node lives and drains as long as its NodePool says, whatever it said when its siblings were born', () => {
  const old = machine('a', 'm5.large');
  const sibling = { ...old, claim: { ...old.claim!, expireAfter: 720 * HOUR, terminationGracePeriod: 48 * HOUR } };
  const world = new World(clusterOf([sibling], { disruption: { expireAfter: 24 * HOUR, terminationGracePeriod: HOUR } }), NOW, timesOf('consolidation', {}));
  const { name, ...likeIt } = old;
  const launched = world.launch('default', likeIt, undefined);
  expect(world.nodes.get(launched)!.node.claim).toEqual({ createdAt: NOW, expireAfter: 24 * HOUR, terminationGracePeriod: HOUR });
});

test('new nodes of a world are numbered as they are launched, whatever pods are made again meanwhile', () => {
  const world = new World(clusterOf([machine('a', 'm5.large', [pod('web', { cpu: '100m' })])]), NOW, timesOf('consolidation', {}));
  const { name, ...likeIt } = machine('a', 'm5.large');
  const first = world.launch('default', likeIt, undefined);
  world.remove(name, 'is taken away');
  expect([first, world.launch('default', likeIt, undefined)]).toEqual(['default-new-0', 'default-new-1']);
  expect(world.pods.pending().map((each) => each.pod.name)).toEqual(['web-new-0']);
});

test('a new node has the pods of DaemonSets when it is up, which are ready as soon as others would be', () => {
  const agent = pod('agent', {}, { daemon: true, owner: { kind: 'DaemonSet', name: 'agent' } });
  const { name, ...likeIt } = machine('a', 'm5.large');
  const world = new World(clusterOf([machine(name, 'm5.large')], { daemons: [agent] }), NOW, timesOf('consolidation', {}));
  const seen: string[] = [];
  const look = (second: number): Happening => ({
    at: NOW + second * 1_000,
    happen: ({ pods }) => seen.push(`${second} ${pods.on('default-new-0').map(({ pod: { name: of }, phase }) => `${of} ${phase}`).join()}`),
  });
  const happenings = [{ at: NOW, happen: () => { world.launch('default', likeIt, undefined); } }, ...[59, 61, 79, 81].map(look)];
  run({ scenario: 'launch', world, happenings });
  expect(seen).toEqual(['59 ', '61 agent-default-new-0 starting', '79 agent-default-new-0 starting', '81 agent-default-new-0 ready']);
});

describe('the end of a pod', () => {
  test.each([['up', true], ['leaving', false], ['draining', false]] as const)('on a node that is %s has places looked for anew: %s', (phase, isUnsettled) => {
    const world = new World(clusterOf([machine('a', 'm5.large', [pod('p')])]), NOW, timesOf('consolidation', {}));
    world.nodes.get('a')!.phase = phase;
    const [subject] = world.pods.on('a');
    world.end(subject);
    world.unsettled = false;
    world.gone(subject);
    expect(world.unsettled).toBe(isUnsettled);
  });
});

describe('the clock of consolidateAfter starts anew', () => {
  const worldOf = () => new World(clusterOf([machine('a', 'm5.large', [pod('p'), pod('q')])]), NOW, timesOf('consolidation', {}));
  const lastEvent = (world: World) => world.nodes.get('a')!.node.claim!.lastPodEventAt;

  test('when a pod begins to end, and not when it is gone', () => {
    const world = worldOf();
    const [subject] = world.pods.on('a');
    world.end(subject);
    world.now += 60_000;
    world.gone(subject);
    expect(lastEvent(world)).toBe(NOW);
  });

  test.each([[9, 0], [10, 10]])('with another pod %d seconds later: after %d', (second, event) => {
    const world = worldOf();
    const [first, other] = world.pods.on('a');
    world.end(first);
    world.now += second * 1_000;
    world.end(other);
    expect(lastEvent(world)).toBe(NOW + event * 1_000);
  });
});
