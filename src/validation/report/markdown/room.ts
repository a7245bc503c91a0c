import { plural, Section } from '../section';
import { bounded } from './bounded';
import { block } from './inline';

/** Of a comment on GitHub, in characters, less what a heading here and there adds. */
export const MOST = 65_536 - 1_500;

/** Lines as they are, as far as there is room for them. */
export function linesOf(lines: Section['lines'], room: number): string {
  const { kept, left } = bounded(lines, room, ({ length }) => length + 1);
  return block([...kept, ...left === 0 ? [] : [`and ${plural(left, 'line')} more: --format text has them`]]);
}
