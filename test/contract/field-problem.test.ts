import { formatFieldPath, formatFieldProblem, formatGot, formatValue } from '../../src/contract';

test('formatFieldPath prints list indices and quotes keys that are not identifiers', () => {
  expect(formatFieldPath(['spec', 'template', 'metadata', 'labels', 'example.com/team', 0, 'x'])).toBe(
    'spec.template.metadata.labels["example.com/team"][0].x',
  );
});

test('formatFieldProblem prints problem, value and remedy', () => {
  const problem = {
    path: ['spec', 'weight'],
    problem: 'must be an integer from 1 to 100',
    got: 0,
    remedy: 'write 1',
    consequence: 'rejected' as const,
  };
  expect(formatFieldProblem(problem)).toBe('must be an integer from 1 to 100, got 0; write 1');
});

test.each([
  ['must be an integer', '4', '"4" (a string)'],
  ['must be a boolean', 'true', '"true" (a string)'],
  ['must be an integer', 'many', '"many"'],
  ['must match ^a', '4', '"4"'],
  ['must be an integer of 0 or more', -1, '-1'],
])('formatGot prints, after %p, %p as %s', (problem, got, text) => {
  expect(formatGot({ problem, got })).toBe(text);
});

test.each([
  [undefined, 'nothing'],
  [null, 'null'],
  ['a', '"a"'],
  [NaN, 'NaN'],
  [5n, '5'],
  [['x'], '["x"]'],
])('formatValue prints %p as %s', (value, text) => {
  expect(formatValue(value)).toBe(text);
});

test('formatValue shortens a long value', () => {
  expect(formatValue('x'.repeat(10_000))).toHaveLength(121);
});
