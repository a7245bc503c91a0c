import fc from 'fast-check';
import { changesBetween } from '../../src/scheduling';

interface Node { readonly name: string }

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name): Node => ({ name }));

/** What comes of the first nodes by the changes. */
function changed(before: readonly Node[], after: readonly Node[]): Set<Node> {
  const nodes = new Set(before);
  for (const { was, is } of changesBetween(before, after)) {
    if (was) nodes.delete(was);
    if (is) nodes.add(is);
  }
  return nodes;
}

describe('changes between two states of the nodes', () => {
  test('are none where all stay', () => {
    expect(changesBetween([a, b], [a, b])).toEqual([]);
  });

  test('are one where one goes, is another, or comes, be it among the others', () => {
    const other = { ...b };
    expect(changesBetween([a, b, c], [a, c])).toEqual([{ was: b }]);
    expect(changesBetween([a, b, c], [a, other, c])).toEqual([{ was: b, is: other }]);
    expect(changesBetween([a, c], [a, b, c])).toEqual([{ is: b }]);
    expect(changesBetween([a, b], [a, b, c])).toEqual([{ is: c }]);
  });

  test('are those of each where some go and others come', () => {
    expect(changesBetween([b, c], [a, b, d])).toEqual([{ is: a }, { was: c }, { is: d }]);
  });

  test('lead from the one to the other, whatever the order', () => {
    const state = fc.shuffledSubarray([a, b, c, d, { ...a }, { ...b }])
      .map((nodes) => nodes.filter(({ name }, at) => nodes.findIndex((node) => node.name === name) === at));
    fc.assert(fc.property(state, state, (before, after) => {
      expect(changed(before, after)).toEqual(new Set(after));
    }), { numRuns: 300 });
  });
});
