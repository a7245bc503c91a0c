import * as fc from 'fast-check';
import { nodeWorth } from '../../../src/scheduling/cost/node-worth';

const worth = (room: number[], requests: number[][], worths: number[], most: number[]) =>
  nodeWorth(
    Float64Array.from(room),
    requests.map((amounts) => ({ requests: Float64Array.from(amounts) })),
    worths,
    most,
    new Float64Array(room.length),
  );

/** The most that whole pods are worth, by trying all numbers of each kind. */
function bestLoad(room: number[], requests: number[][], worths: number[], most: number[]): number {
  if (requests.length === 0) return 0;
  const [first, ...others] = requests;
  let best = 0;
  for (let count = 0; count <= most[0]; count++) {
    const left = room.map((amount, resource) => amount - count * first[resource]);
    if (left.some((amount) => amount < 0)) break;
    best = Math.max(best, count * worths[0] + bestLoad(left, others, worths.slice(1), most.slice(1)));
  }
  return best;
}

describe('what the pods of a node can be worth', () => {
  test('is the worth of all pods if there is room for them', () => {
    expect(worth([100, 100], [[1, 1]], [5], [3])).toBeCloseTo(15, 6);
  });

  test('is limited by the resource that is used up first', () => {
    expect(worth([10, 1000], [[2, 1]], [6], [100])).toBeCloseTo(30, 6);
  });

  test('takes the pods that are worth most for what they request', () => {
    // Two pods of the second kind are worth 8 and take all; the first kind is worth 1 for each unit.
    expect(worth([4], [[1], [2]], [1, 4], [4, 4])).toBeCloseTo(8, 6);
  });

  test('is 0 without pods that run there', () => {
    expect(worth([4], [[1]], [1], [0])).toBe(0);
  });

  test('is never below what some pods are worth', () => {
    const kind = fc.record({
      requests: fc.tuple(fc.nat(6), fc.nat(6)),
      worth: fc.nat(20),
      most: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.tuple(fc.nat(15), fc.nat(15)), fc.array(kind, { maxLength: 4 }), (room, kinds) => {
        const lists = [
          kinds.map(({ requests }) => requests),
          kinds.map((one) => one.worth),
          kinds.map((one) => one.most),
        ] as const;
        expect(worth(room, lists[0], lists[1], lists[2])).toBeGreaterThanOrEqual(
          bestLoad(room, lists[0], lists[1], lists[2]),
        );
      }),
      { seed: 48, numRuns: 5000 },
    );
  });
});
