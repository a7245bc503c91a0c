import { isTooFew } from '../../conformance/comparison-run';

test.each([
  [0, 0, false],
  [5, 95, false],
  [6, 94, true],
  [40, 160, true],
])('%i scenarios that are not evaluated beside %i compared ones: fails is %s', (left, compared, fails) => {
  expect(isTooFew(left, compared)).toBe(fails);
});
