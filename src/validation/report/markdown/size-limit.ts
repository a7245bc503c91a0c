import { moreText } from '../../../model';
import { Section } from '../wording';
import { block } from './inline';

/** A code block with as many lines as fit into `room` characters. */
export function linesOf(lines: Section['lines'], room: number): string {
  const { kept, left } = truncated(lines, room, ({ length }) => length + 1);
  return block([...kept, ...(left === 0 ? [] : [`and ${moreText(left, 'line')} (--format text prints all)`])]);
}

interface Truncated<Item> {
  readonly kept: readonly Item[];
  readonly left: number;
}

/** As many items as fit into `room` characters, and how many are left out. */
export function truncated<Item>(
  items: readonly Item[],
  room: number,
  lengthOf: (item: Item) => number,
): Truncated<Item> {
  let length = 0;
  let count = 0;
  while (count < items.length) {
    length += lengthOf(items[count]);
    if (length > room) break;
    count++;
  }
  return { kept: items.slice(0, count), left: items.length - count };
}
