import { runScenario } from '../../../../src/disruption';
import { Nominations } from '../../../../src/disruption/scenario/cluster/nominations';
import { ProvisioningSchedule } from '../../../../src/disruption/scenario/cluster/provisioning-schedule';
import { SimulatedNode } from '../../../../src/disruption/scenario/cluster/simulated-node';
import { clusterOf, HOUR, machine, NOW, pod } from '../../builders';

function initializedNodes(...names: readonly string[]) {
  return new Map(
    names.map((name, index) => [
      name,
      new SimulatedNode(index, machine(name, 'm5.large'), 'initialized', () => undefined),
    ]),
  );
}

/** Seconds after the start until which node `a` is nominated. Each step has a time, and whether pods need the node. */
function nominatedFor(
  ...steps: ReadonlyArray<readonly [second: number, isNeeded: boolean, isRun?: boolean]>
): number | undefined {
  const nodes = initializedNodes('a');
  const nominations = new Nominations(nodes);
  const schedule = new ProvisioningSchedule(NOW);
  for (const [second, isNeeded, isRun = true] of steps) {
    const now = NOW + second * 1_000;
    nominations.renew(new Set(isNeeded ? ['a'] : []), schedule.previousRun(now));
    if (isRun) schedule.recordRun(now, false, 0);
  }
  const { nominatedUntil } = nodes.get('a')!.node;
  return nominatedUntil === undefined ? undefined : (nominatedUntil - NOW) / 1_000;
}

describe('Nominations', () => {
  test('have no end while pods need the node', () => {
    expect(nominatedFor([0, true], [5, true], [3_600, true])).toBe(Infinity);
  });

  test.each([
    [1, 20],
    [9, 20],
    [10, 20],
    [25, 40],
    [60, 70],
  ])(
    'of a node that is not needed after %d seconds end 20 seconds after the previous run, after %d seconds',
    (second, until) => {
      expect(nominatedFor([0, true], [second, false])).toBe(until);
    },
  );

  test('assume a run every ten seconds since the last recorded run', () => {
    expect(nominatedFor([0, true], [5, true, true], [24, false])).toBe(35);
    expect(nominatedFor([0, true], [5, true, false], [24, false])).toBe(40);
  });

  test('do not exist for a node that was never needed', () => {
    expect(nominatedFor([0, false], [10, false])).toBeUndefined();
  });

  test('by a command last 20 seconds, unless they are renewed anyway', () => {
    const nodes = initializedNodes('a', 'b');
    const nominations = new Nominations(nodes);
    nominations.renew(new Set(['b']), NOW);
    for (const name of nodes.keys()) nominations.nominate(name, NOW);
    expect([...nodes.values()].map(({ node }) => node.nominatedUntil)).toEqual([NOW + 20_000, Infinity]);
  });

  test('keep a drifted node that is needed for pods of a node that waits for its replacement', () => {
    const drifted = {
      createdAt: NOW - HOUR,
      initializedAt: NOW - HOUR,
      drifted: { reason: 'AMIDrift', since: NOW - HOUR },
    };
    const driftedEarlier = { ...drifted, drifted: { ...drifted.drifted, since: NOW - 2 * HOUR } };
    const first = machine('a', 'm5.large', [pod('p', { cpu: '1500m' }), pod('q', { cpu: '50m' })], {
      claim: driftedEarlier,
    });
    const roomy = machine('b', 'm5.large', [pod('r', { cpu: '1' })], { claim: drifted });
    const [{ timeline }] = runScenario('drift', clusterOf([first, roomy]), {
      start: NOW,
      times: { nodeStart: 300, simulation: 0 },
    });
    const decided = timeline.filter(({ what }) => /decides to \w+ b/.test(what)).map(({ second }) => second);
    expect(decided).toEqual([320]);
  });
});
