import { CronSchedule } from '../../model';

/** For each of the five fields: its smallest and its largest value. */
const BOUNDS: ReadonlyArray<readonly [min: string, max: string]> = [
  ['0', '59'],
  ['0', '23'],
  ['1', '31'],
  ['1', '12'],
  ['sun', 'sat'],
];
const DAY_OF_WEEK = 4;
/** Other programs count Sunday as 7, too. */
const OTHER_SUNDAY = '7';

/**
 * The schedule that a user meant by one that cannot be parsed: ranges that end before they begin, as in `sat-sun`, and
 * Sunday as 7. Undefined if the schedule is wrong in another way.
 */
export function correctedSchedule(text: string): string | undefined {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== BOUNDS.length) return undefined;
  const corrected = fields.map((field, index) => correctedField(field, index)).join(' ');
  return CronSchedule.tryParse(text) === undefined && CronSchedule.tryParse(corrected) !== undefined
    ? corrected
    : undefined;
}

function correctedField(field: string, index: number): string {
  const [min, max] = BOUNDS[index];
  return field
    .split(',')
    .map((part) => {
      const [, first, last] = /^(\w+)-(\w+)$/.exec(part) ?? [];
      if (index === DAY_OF_WEEK && part === OTHER_SUNDAY) return min;
      if (first === undefined) return part;
      if (index === DAY_OF_WEEK && last === OTHER_SUNDAY) return `${first}-${max},${min}`;
      return CronSchedule.tryParse(scheduleOf(part, index)) === undefined
        ? `${rangeText(first, max)},${rangeText(min, last)}`
        : part;
    })
    .join(',');
}

/** A schedule in which only one field says something. */
function scheduleOf(part: string, index: number): string {
  return BOUNDS.map((_, position) => (position === index ? part : '*')).join(' ');
}

function rangeText(first: string, last: string): string {
  return first.toLowerCase() === last.toLowerCase() ? first : `${first}-${last}`;
}
