import { Nominations } from '../../../src/disruption/scenario/nominations';
import { VainLooks } from '../../../src/disruption/scenario/vain-looks';
import { WorldNode } from '../../../src/disruption/scenario/world-node';
import { machine, NOW } from '../builders';

const SECOND = 1_000;

/** Looks at which `a` is to go, and `b` to take its pods, and the other way round ten seconds later. */
function circle() {
  const nodes = new Map(['a', 'b'].map((name, at) => [name, new WorldNode(at, machine(name, 'm5.large'), 'up', () => undefined)]));
  const nominations = new Nominations(nodes, NOW);
  const vain = new VainLooks();
  const look = (second: number, to: string, version = 0) => {
    const now = NOW + second * SECOND;
    nominations.keep(to, now);
    return vain.add({ now, version, nodes, nominations }, [to === 'a' ? 'b' : 'a']);
  };
  const keptUntil = () => [...nodes.values()].map(({ node: { nominatedUntil } }) => (nominatedUntil! - NOW) / SECOND);
  return { nominations, vain, look, keptUntil };
}

test('looks have come full circle when the same nodes were to go, and the same are kept', () => {
  const { look, keptUntil } = circle();
  expect([look(0, 'b'), look(10, 'a'), look(20, 'b'), look(30, 'a')]).toEqual([false, false, false, true]);
  expect(keptUntil()).toEqual([Infinity, Infinity]);
});

test('what was before the cluster changed is forgotten', () => {
  const { look } = circle();
  expect([look(0, 'b'), look(10, 'a'), look(20, 'b', 1), look(30, 'a', 1)]).toEqual([false, false, false, false]);
});

test.each([
  [35, [50, 40]],
  [40, [50, 40]],
  [45, [50, 60]],
  [71, [90, 80]],
])('after %d seconds nodes are kept as if it had looked all the time', (second, kept) => {
  const { look, keptUntil, vain, nominations } = circle();
  for (const [at, to] of [[0, 'b'], [10, 'a'], [20, 'b'], [30, 'a']] as const) look(at, to);
  vain.catchUp({ now: NOW + second * SECOND, nominations });
  expect(keptUntil()).toEqual(kept);
});

test('there is nothing to catch up with where nothing was left out', () => {
  const { look, keptUntil, vain, nominations } = circle();
  look(0, 'b');
  vain.catchUp({ now: NOW + 5 * SECOND, nominations });
  expect(keptUntil()[1]).toBe(20);
});
