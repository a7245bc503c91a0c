import { clock } from './section';
import { TimelineEntry } from '../../disruption';

/** More of a timeline nobody reads. */
const MOST_LINES = 40;
/** More of the same at one moment are told as one. */
const MOST_ALIKE = 3;
/** Whom it happens to, and what. */
const HAPPENS = /^(EC2 will take )?(?:[A-Z]\w+ )?\S+( .*)$/s;

/** What happens when: a line for each, and one where the same happens to many at a time. */
export function describeTimeline(timeline: readonly TimelineEntry[]): string[] {
  const groups = grouped(timeline);
  const told = groups.slice(0, MOST_LINES);
  const left = groups.slice(MOST_LINES).reduce((sum, { length }) => sum + length, 0);
  return [
    ...told.map(([{ second, what }, ...others]) => `    ${clock(second).padStart(9)}  ${what}${others.length === 0 ? '' : `, and ${others.length} more like it`}`),
    ...left > 0 ? [`    and ${left} more: --format json lists them all`] : [],
  ];
}

function grouped(timeline: readonly TimelineEntry[]): TimelineEntry[][] {
  const alike = new Map<string, TimelineEntry[]>();
  for (const entry of timeline) {
    const known = alike.get(keyOf(entry));
    if (known) known.push(entry); else alike.set(keyOf(entry), [entry]);
  }
  return timeline.flatMap((entry) => {
    const all = alike.get(keyOf(entry))!;
    return all.length <= MOST_ALIKE ? [[entry]] : entry === all[0] ? [all] : [];
  });
}

function keyOf({ second, what }: TimelineEntry): string {
  const [, before = '', after = what] = HAPPENS.exec(what) ?? [];
  return `${second} ${before}${after}`;
}
