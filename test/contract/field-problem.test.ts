import { formatFieldPath, formatFieldProblem, formatValue } from '../../src/contract';

test('a path shows list positions, and quotes keys that are not plain words', () => {
  expect(formatFieldPath(['spec', 'template', 'metadata', 'labels', 'example.com/team', 0, 'x'])).toBe('spec.template.metadata.labels["example.com/team"][0].x');
});

test('a problem says what is wrong, the value, and what to write instead', () => {
  const problem = { path: ['spec', 'weight'], problem: 'must be an integer from 1 to 100', got: 0, remedy: 'write 1', consequence: 'rejected' as const };
  expect(formatFieldProblem(problem)).toBe('must be an integer from 1 to 100, got 0; write 1');
});

test.each([[undefined, 'nothing'], [null, 'null'], ['a', '"a"'], [NaN, 'NaN'], [5n, '5'], [['x'], '["x"]']])('the value %p is shown as %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test('a long value is shortened', () => {
  expect(formatValue('x'.repeat(10_000))).toHaveLength(121);
});
