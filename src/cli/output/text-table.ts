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

/**
 * Rows in columns. Control characters of cells are escaped.
 *
 * @param aligns of the columns; missing ones are left-aligned
 */
export function textTable([head, ...rows]: ReadonlyArray<readonly string[]>, aligns: readonly Align[] = []): string {
  const table = new lazy.Table({
    ...PLAIN_TABLE,
    head: [...head],
    colAligns: head.map((_, column) => aligns[column] ?? 'left'),
  });
  table.push(...rows.map((row) => row.map(printableLine)));
  return `${withoutPadding(table.toString())}\n`;
}

/** Removes the padding of the last column. */
function withoutPadding(table: string): string {
  return table
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
