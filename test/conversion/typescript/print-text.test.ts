import { literal } from '../../../src/conversion/typescript/expression';
import { print } from '../../../src/conversion/typescript/print-expression';

test('escapes characters that change the direction of a program', () => {
  expect(print(literal('a\u202eb'), '', 0)).toBe("'a\\u202eb'");
});
