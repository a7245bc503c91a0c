import fc from 'fast-check';
import { LabelSelector, selects } from '../../src/model';
import { SelectorIndex } from '../../src/scheduling/selector-index';

const labels = fc.dictionary(fc.constantFrom('app', 'tier', 'constructor'), fc.constantFrom('a', 'b', ''), { maxKeys: 3 });
const operator = fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist');
const expression = fc.record({ key: fc.constantFrom('app', 'tier'), operator, values: fc.constant(['a']) });
const expressions = fc.array(expression, { maxLength: 2 });
const selector: fc.Arbitrary<LabelSelector> = fc.record({ matchLabels: labels, matchExpressions: expressions }, { requiredKeys: [] });

function indexOf(selectors: ReadonlyArray<LabelSelector | undefined>): SelectorIndex {
  const index = new SelectorIndex();
  selectors.forEach((each, number) => index.add(number, each));
  return index;
}

test('every selector that selects a pod is among those that are held against it', () => {
  fc.assert(fc.property(fc.array(selector, { maxLength: 8 }), labels, (selectors, pod) => {
    const found = indexOf(selectors).of(pod);
    expect(selectors.flatMap((each, number) => selects(each, pod) ? [number] : []).filter((number) => !found.includes(number))).toEqual([]);
  }));
});

test('they come in the order of their numbers, each once', () => {
  const selectors: Array<LabelSelector | undefined> = [
    { matchLabels: { tier: 'a', app: 'a' } }, undefined, { matchLabels: { app: 'a' } }, { matchExpressions: [{ key: 'app', operator: 'Exists' }] },
  ];
  expect(indexOf(selectors).of({ app: 'a', tier: 'a' })).toEqual([0, 1, 2, 3]);
});

test('a selector that asks for another value is not held against the pod', () => {
  expect(indexOf([{ matchLabels: { app: 'b' } }, { matchLabels: { app: 'a' } }]).of({ app: 'a' })).toEqual([1]);
});
