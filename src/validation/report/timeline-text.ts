import { foldAlike } from './fold-alike';
import { clock } from './section';
import { TimelineEntry } from '../../disruption';

/** More of a timeline nobody reads. */
const MOST_LINES = 40;
/** Whom it happens to, and what. */
const HAPPENS = /^(EC2 will take )?(?:[A-Z]\w+ )?\S+( .*)$/s;

/** What happens when: a line for each, and one where the same happens to many at a time. */
export function describeTimeline(timeline: readonly TimelineEntry[]): string[] {
  const groups = foldAlike(timeline, keyOf);
  const told = groups.slice(0, MOST_LINES);
  const left = groups.slice(MOST_LINES).reduce((sum, { length }) => sum + length, 0);
  return [
    ...told.map(([{ second, what }, ...others]) => `    ${clock(second).padStart(9)}  ${what}${others.length === 0 ? '' : `, and ${others.length} more like it`}`),
    ...left > 0 ? [`    and ${left} more: --format json lists them all`] : [],
  ];
}

function keyOf({ second, what }: TimelineEntry): string {
  const [, before = '', after = what] = HAPPENS.exec(what) ?? [];
  return `${second} ${before}${after}`;
}
