import { jsonText, printableLine, Quantity, valueText } from '../../src/model';

/** A mapping as the readers of YAML make it: it has no prototype, so `String` throws. */
const MAPPING = Object.assign(Object.create(null) as object, { a: 1 });

test.each<[unknown, string]>([
  [MAPPING, '{…}'],
  [{ toString: 'x' }, '{…}'],
  [[MAPPING], '[…]'],
  [null, 'null'],
  [undefined, 'undefined'],
  [1.5, '1.5'],
  [true, 'true'],
  [12n, '12'],
])('shows %p of a file as %s', (value, text) => {
  expect(valueText(value)).toBe(text);
});

test('shows an object of a class as its class does', () => {
  expect(valueText(Quantity.parse('1Gi'))).toBe('1Gi');
});

test('writes JSON without characters that control a terminal', () => {
  const value = { 'a\u007f': 'b\u0085\u009b31m\u202e\u001b' };
  const json = jsonText(value);
  expect(json).toBe('{\n  "a\\u007f": "b\\u0085\\u009b31m\\u202e\\u001b"\n}\n');
  expect(JSON.parse(json)).toEqual(value);
});

test('escapes control characters and line feeds in a line', () => {
  expect(printableLine('a\n::error::b\u001b[31m')).toBe('a\\n::error::b\\x1b[31m');
});
