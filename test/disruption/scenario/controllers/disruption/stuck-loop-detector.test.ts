import { Nominations } from '../../../../../src/disruption/scenario/cluster/nominations';
import { SimulatedNode } from '../../../../../src/disruption/scenario/cluster/simulated-node';
import { StuckLoopDetector } from '../../../../../src/disruption/scenario/controllers/disruption/stuck-loop-detector';
import { machine, NOW } from '../../../builders';

const SECOND = 1_000;

/** Failed passes for two nodes: one is a candidate, and the other one is nominated for its pods. */
function newLoop() {
  const nodes = new Map(
    ['a', 'b'].map((name, index) => [
      name,
      new SimulatedNode(index, machine(name, 'm5.large'), 'initialized', () => undefined),
    ]),
  );
  const nominations = new Nominations(nodes);
  const detector = new StuckLoopDetector();
  const record = (second: number, nominated: string, decisionVersion = 0) => {
    const now = NOW + second * SECOND;
    nominations.nominate(nominated, now);
    return detector.record({ now, decisionVersion, nodes, nominations }, [nominated === 'a' ? 'b' : 'a']);
  };
  const nominatedUntil = () => [...nodes.values()].map(({ node }) => (node.nominatedUntil! - NOW) / SECOND);
  return { nominations, detector, record, nominatedUntil };
}

describe('StuckLoopDetector', () => {
  test('detects a cycle when candidates and nominations are the same again', () => {
    const { record, nominatedUntil } = newLoop();
    expect([record(0, 'b'), record(10, 'a'), record(20, 'b'), record(30, 'a')]).toEqual([false, false, false, true]);
    expect(nominatedUntil()).toEqual([Infinity, Infinity]);
  });

  test('forgets passes from before the cluster changed', () => {
    const { record } = newLoop();
    expect([record(0, 'b'), record(10, 'a'), record(20, 'b', 1), record(30, 'a', 1)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test.each([
    [35, [50, 40]],
    [40, [50, 40]],
    [45, [50, 60]],
    [71, [90, 80]],
  ])('resumes after %d seconds with the nominations that repeated passes would have left', (second, expected) => {
    const { record, nominatedUntil, detector, nominations } = newLoop();
    for (const [passSecond, nominated] of [
      [0, 'b'],
      [10, 'a'],
      [20, 'b'],
      [30, 'a'],
    ] as const)
      record(passSecond, nominated);
    detector.resume({ now: NOW + second * SECOND, nominations });
    expect(nominatedUntil()).toEqual(expected);
  });

  test('changes no nomination when it resumes without a cycle', () => {
    const { record, nominatedUntil, detector, nominations } = newLoop();
    record(0, 'b');
    detector.resume({ now: NOW + 5 * SECOND, nominations });
    expect(nominatedUntil()[1]).toBe(20);
  });
});
