import { textTable } from '../../src/cli/output/text-table';

test('pads columns, and not the end of a line', () => {
  expect(
    textTable(
      [
        ['NAME', 'PODS'],
        ['web', '1'],
        ['x', ''],
      ],
      ['left', 'right'],
    ),
  ).toBe('NAME  PODS\nweb      1\nx\n');
});

test('escapes control characters and line feeds of cells', () => {
  expect(textTable([['NAME'], ['a\n::error::b\u009b']])).toBe('NAME\na\\n::error::b\\x9b\n');
});

test('cuts a cell of more than 500 characters', () => {
  const [, row] = textTable([['NAME'], ['x'.repeat(100_000)]]).split('\n');
  expect(row).toBe(`${'x'.repeat(499)}…`);
});
