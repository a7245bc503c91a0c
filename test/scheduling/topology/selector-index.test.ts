import fc from 'fast-check';
import { LabelSelector, selects } from '../../../src/model';
import { SelectorIndex } from '../../../src/scheduling/topology/selector-index';

const labels = fc.dictionary(fc.constantFrom('app', 'tier', 'constructor'), fc.constantFrom('a', 'b', ''), {
  maxKeys: 3,
});
const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist');
const expression = fc.record({ key: fc.constantFrom('app', 'tier'), operator, values: fc.constant(['a']) });
const expressions = fc.array(expression, { maxLength: 2 });
const selector: fc.Arbitrary<LabelSelector> = fc.record(
  { matchLabels: labels, matchExpressions: expressions },
  { requiredKeys: [] },
);

function indexOf(selectors: ReadonlyArray<LabelSelector | undefined>): SelectorIndex {
  const index = new SelectorIndex();
  selectors.forEach((labelSelector, number) => index.add(number, labelSelector));
  return index;
}

test('SelectorIndex returns every selector that selects the pod', () => {
  fc.assert(
    fc.property(fc.array(selector, { maxLength: 8 }), labels, (selectors, pod) => {
      const candidates = indexOf(selectors).of(pod);
      const selecting = selectors.flatMap((labelSelector, number) => (selects(labelSelector, pod) ? [number] : []));
      expect(selecting.filter((number) => !candidates.includes(number))).toEqual([]);
    }),
  );
});

test('SelectorIndex returns each number once, in ascending order', () => {
  const selectors: Array<LabelSelector | undefined> = [
    { matchLabels: { tier: 'a', app: 'a' } },
    undefined,
    { matchLabels: { app: 'a' } },
    { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  ];
  expect(indexOf(selectors).of({ app: 'a', tier: 'a' })).toEqual([0, 1, 2, 3]);
});

test('SelectorIndex leaves out a selector that requires another label value', () => {
  expect(indexOf([{ matchLabels: { app: 'b' } }, { matchLabels: { app: 'a' } }]).of({ app: 'a' })).toEqual([1]);
});
