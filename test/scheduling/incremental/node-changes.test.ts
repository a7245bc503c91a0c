import fc from 'fast-check';
import { nodeChanges } from '../../../src/scheduling';

interface Node {
  readonly name: string;
}

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name): Node => ({ name }));

/** The nodes after the changes are applied. */
function apply(before: readonly Node[], after: readonly Node[]): Set<Node> {
  const nodes = new Set(before);
  for (const { previous, current } of nodeChanges(before, after)) {
    if (previous) nodes.delete(previous);
    if (current) nodes.add(current);
  }
  return nodes;
}

describe('nodeChanges', () => {
  test('returns nothing if all nodes stay', () => {
    expect(nodeChanges([a, b], [a, b])).toEqual([]);
  });

  test('returns one change for a removed, a replaced or an added node', () => {
    const replaced = { ...b };
    expect(nodeChanges([a, b, c], [a, c])).toEqual([{ previous: b }]);
    expect(nodeChanges([a, b, c], [a, replaced, c])).toEqual([{ previous: b, current: replaced }]);
    expect(nodeChanges([a, c], [a, b, c])).toEqual([{ current: b }]);
    expect(nodeChanges([a, b], [a, b, c])).toEqual([{ current: c }]);
  });

  test('returns every change if some nodes are removed and others added', () => {
    expect(nodeChanges([b, c], [a, b, d])).toEqual([{ current: a }, { previous: c }, { current: d }]);
  });

  test('leads from one list to the other in any order', () => {
    const state = fc
      .shuffledSubarray([a, b, c, d, { ...a }, { ...b }])
      .map((nodes) => nodes.filter(({ name }, index) => nodes.findIndex((node) => node.name === name) === index));
    fc.assert(
      fc.property(state, state, (before, after) => {
        expect(apply(before, after)).toEqual(new Set(after));
      }),
      { numRuns: 300 },
    );
  });
});
