import { isTooFew } from '../../conformance/comparison-run';
import { placeOf } from '../../conformance/schedule/draws';

test.each([
  [0, 0, false],
  [5, 95, false],
  [6, 94, true],
  [40, 160, true],
])('%i scenarios that are not evaluated beside %i compared ones: fails is %s', (left, compared, fails) => {
  expect(isTooFew(left, compared)).toBe(fails);
});

test.each([
  ['a, b', 2, 0.3, 'equal'],
  ['a, c', 2, 0.35, 'within'],
  ['a, c', 2, 0.5, 'outside'],
  ['a, b, c', 4, 0.35, 'outside'],
] as const)('a fleet of types %s, %i nodes and $%d/h is %s among draws', (types, nodes, usdPerHour, place) => {
  const draws = [
    { types: 'a, b', nodes: 2, usdPerHour: 0.3 },
    { types: 'a, a, b', nodes: 3, usdPerHour: 0.4 },
  ];
  expect(placeOf({ types, nodes, usdPerHour }, draws)).toBe(place);
});
