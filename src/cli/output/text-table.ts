import { printableLine } from '../../model';
import { lazy } from '../lazy';

type Align = 'left' | 'right';

/** Table style without lines, like kubectl's. */
const PLAIN_TABLE = {
  chars: {
    top: '',
    'top-mid': '',
    'top-left': '',
    'top-right': '',
    bottom: '',
    'bottom-mid': '',
    'bottom-left': '',
    'bottom-right': '',
    left: '',
    'left-mid': '',
    mid: '',
    'mid-mid': '',
    right: '',
    'right-mid': '',
    middle: '  ',
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
};

/** Each row is padded to the longest cell, so a long name in one of many rows would take gigabytes. */
const LONGEST_CELL = 500;

/**
 * Rows in columns. Control characters of cells are escaped, and longer cells than 500 characters are cut.
 *
 * @param aligns of the columns; missing ones are left-aligned
 */
export function textTable([head, ...rows]: ReadonlyArray<readonly string[]>, aligns: readonly Align[] = []): string {
  const table = new lazy.Table({
    ...PLAIN_TABLE,
    head: [...head],
    colAligns: head.map((_, column) => aligns[column] ?? 'left'),
  });
  table.push(...rows.map((row) => row.map(cellText)));
  return `${withoutPadding(table.toString())}\n`;
}

function cellText(text: string): string {
  const line = printableLine(text);
  return line.length > LONGEST_CELL ? `${line.slice(0, LONGEST_CELL - 1)}…` : line;
}

/** Removes the padding of the last column. */
function withoutPadding(table: string): string {
  return table
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
