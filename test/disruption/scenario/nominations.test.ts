import { runScenario } from '../../../src/disruption';
import { Nominations } from '../../../src/disruption/scenario/nominations';
import { placePods } from '../../../src/disruption/scenario/placing';
import { DEFAULT_TIMES } from '../../../src/disruption/scenario/scenario-times';
import { World } from '../../../src/disruption/scenario/world';
import { WorldNode } from '../../../src/disruption/scenario/world-node';
import { WorldPod } from '../../../src/disruption/scenario/world-pods';
import { clusterOf, HOUR, machine, NOW, pod } from '../builders';

/** Seconds after which a node is kept no longer; each look has its moment, and whether pods are to come to the node from then on. */
function kept(...looks: ReadonlyArray<readonly [second: number, isWanted: boolean, isLook?: boolean]>): number | undefined {
  const nodes = new Map([['a', new WorldNode(0, machine('a', 'm5.large'), 'up', () => undefined)]]);
  const nominations = new Nominations(nodes, NOW);
  for (const [second, isWanted, isLook = true] of looks) {
    nominations.hold(new Set(isWanted ? ['a'] : []), NOW + second * 1_000, isLook);
  }
  const { nominatedUntil } = nodes.get('a')!.node;
  return nominatedUntil === undefined ? undefined : (nominatedUntil - NOW) / 1_000;
}

describe('a node that pods are to come to', () => {
  test('is kept for as long as they are on their way', () => {
    expect(kept([0, true], [5, true], [3_600, true])).toBe(Infinity);
  });

  test.each([[1, 20], [9, 20], [10, 20], [25, 40], [60, 70]])('and no longer after %d seconds is kept until 20 seconds after the last look before: %d', (second, until) => {
    expect(kept([0, true], [second, false])).toBe(until);
  });

  test('is kept by looks every ten seconds from the last one that was due to something else', () => {
    expect(kept([0, true], [5, true, true], [24, false])).toBe(35);
    expect(kept([0, true], [5, true, false], [24, false])).toBe(40);
  });

  test('is not kept where none ever was', () => {
    expect(kept([0, false], [10, false])).toBeUndefined();
  });
});

test('a node that is chosen for pods once is kept for 20 seconds, unless it is kept anyway', () => {
  const nodes = new Map(['a', 'b'].map((name) => [name, new WorldNode(0, machine(name, 'm5.large'), 'up', () => undefined)]));
  const nominations = new Nominations(nodes, NOW);
  nominations.hold(new Set(['b']), NOW, true);
  for (const name of nodes.keys()) nominations.keep(name, NOW);
  expect([...nodes.values()].map(({ node }) => node.nominatedUntil)).toEqual([NOW + 20_000, Infinity]);
});

describe('the provisioner', () => {
  const [first, second] = [pod('p', {}), pod('q', {})].map((each): WorldPod => ({ pod: each, phase: 'pending' }));
  const looked = () => {
    const nominations = new Nominations(new Map(), NOW);
    nominations.hold(new Set(), NOW, true);
    return nominations;
  };

  test('looks every ten seconds', () => {
    expect(looked().nextLook(NOW + 12_000)).toBe(NOW + 20_000);
  });

  test('looks at once for a pod that waits and did not before', () => {
    const nominations = looked();
    nominations.wakeFor([first, second]);
    expect(nominations.nextLook(NOW + 12_000)).toBe(NOW + 12_000);
  });

  test('is woken by each pod once', () => {
    const nominations = looked();
    nominations.wakeFor([first]);
    nominations.hold(new Set(), NOW + 12_000, true);
    nominations.wakeFor([first]);
    expect(nominations.nextLook(NOW + 13_000)).toBe(NOW + 22_000);
  });
});

test('pods that Kubernetes has room for do not wake the provisioner: nodes are kept for others as it last has', () => {
  const claim = { createdAt: NOW - HOUR, initializedAt: NOW - HOUR };
  const web = { owner: { kind: 'Deployment', name: 'web' } };
  const [left, right] = ['p', 'q'].map((name) => pod(name, { cpu: '1500m' }, web));
  const nodes = [machine('a', 'm5.large', [left], { claim }), machine('b', 'm5.xlarge', [right], { claim })];
  const world = new World(clusterOf(nodes), NOW, { ...DEFAULT_TIMES, simulation: 0 });
  world.nominations.hold(new Set(), NOW, true);
  world.now = NOW + 1_000;
  world.end(world.pods.on('a')[0]);
  placePods(world);
  expect(world.pods.on('b').map(({ phase }) => phase)).toEqual(['ready', 'starting']);
  expect(world.nominations.nextLook(world.now)).toBe(NOW + 10_000);
});

test('a drifted node with room for the pods of one that waits for its replacement stays as long as they are there', () => {
  const drifted = { createdAt: NOW - HOUR, initializedAt: NOW - HOUR, drifted: { reason: 'AMIDrift', since: NOW - HOUR } };
  const first = machine('a', 'm5.large', [pod('p', { cpu: '1500m' }), pod('q', { cpu: '50m' })], { claim: { ...drifted, drifted: { ...drifted.drifted, since: NOW - 2 * HOUR } } });
  const roomy = machine('b', 'm5.large', [pod('r', { cpu: '1' })], { claim: drifted });
  const [{ timeline }] = runScenario('drift', clusterOf([first, roomy]), { start: NOW, times: { nodeStart: 300, simulation: 0 } });
  const decided = timeline.filter(({ what }) => /decides to \w+ b/.test(what)).map(({ second }) => second);
  expect(decided).toEqual([320]);
});
