/**
 * The schedule of a disruption budget as Karpenter's parser reads it, which differs from other crons: Sunday is 0 only, `5/10` begins
 * at 5, there is no L, W or #, and what matches no day of the next five years is not refused.
 *
 * @see https://pkg.go.dev/github.com/robfig/cron/v3#ParseStandard
 */
export interface CronSchedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: CronField;
  readonly months: ReadonlySet<number>;
  readonly weekdays: CronField;
}

interface CronField {
  readonly values: ReadonlySet<number>;
  /** Whether it is written as any: then a day has to match the other field as well, else one of them is enough. */
  readonly isAny: boolean;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const MINUTE: Bounds = { min: 0, max: 59 };
const HOUR: Bounds = { min: 0, max: 23 };
const DAY: Bounds = { min: 1, max: 31 };
const MONTH: Bounds = { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] };
const WEEKDAY: Bounds = { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };
const MACROS: ReadonlyMap<string, string> = new Map([
  ['@yearly', '0 0 1 1 *'], ['@annually', '0 0 1 1 *'], ['@monthly', '0 0 1 * *'], ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'], ['@midnight', '0 0 * * *'], ['@hourly', '0 * * * *'],
]);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const YEARS_AHEAD = 5;

/** Undefined for a text that Karpenter cannot parse. */
export function parseCron(text: string): CronSchedule | undefined {
  const written = text.trim();
  const fields = (MACROS.get(written) ?? written).split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minutes, hours, days, months, weekdays] = [MINUTE, HOUR, DAY, MONTH, WEEKDAY].map((bounds, at) => parseField(fields[at], bounds));
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  return { minutes: minutes.values, hours: hours.values, days, months: months.values, weekdays };
}

/** The first hit after the moment, in milliseconds since 1970; undefined where there is none until the end of the fifth year after it. */
export function nextHit(schedule: CronSchedule, after: number): number | undefined {
  const first = (Math.floor(after / MINUTE_MS) + 1) * MINUTE_MS;
  const last = Date.UTC(new Date(first).getUTCFullYear() + YEARS_AHEAD + 1, 0, 1);
  for (let day = Math.floor(first / DAY_MS) * DAY_MS; day < last; day += DAY_MS) {
    if (!isOnDay(schedule, new Date(day))) continue;
    const hit = hitOfDay(schedule, day, first);
    if (hit !== undefined) return hit;
  }
  return undefined;
}

function hitOfDay({ minutes, hours }: CronSchedule, day: number, first: number): number | undefined {
  for (let minute = Math.max(0, (first - day) / MINUTE_MS); minute < DAY_MS / MINUTE_MS; minute++) {
    if (hours.has(Math.floor(minute / 60)) && minutes.has(minute % 60)) return day + minute * MINUTE_MS;
  }
  return undefined;
}

function isOnDay({ days, months, weekdays }: CronSchedule, date: Date): boolean {
  if (!months.has(date.getUTCMonth() + 1)) return false;
  const [day, weekday] = [days.values.has(date.getUTCDate()), weekdays.values.has(date.getUTCDay())];
  return days.isAny || weekdays.isAny ? day && weekday : day || weekday;
}

function parseField(text: string, bounds: Bounds): CronField | undefined {
  const values = new Set<number>();
  let isAny = false;
  for (const part of text.split(',').filter((each) => each !== '')) {
    const range = parseRange(part, bounds);
    if (!range) return undefined;
    for (let value = range.start; value <= range.end; value += range.step) values.add(value);
    isAny ||= range.isAny;
  }
  return { values, isAny };
}

function parseRange(text: string, { min, max, names }: Bounds) {
  const [span, stepText, ...furtherSteps] = text.split('/');
  const [low, high, ...furtherEnds] = span.split('-');
  const step = stepText === undefined ? 1 : parseNumber(stepText);
  if (furtherSteps.length > 0 || step === undefined || step === 0) return undefined;
  if (low === '*' || low === '?') return { start: min, end: max, step, isAny: step === 1 };
  const start = parseNumber(low, names, min);
  const written = high === undefined ? start : parseNumber(high, names, min);
  if (furtherEnds.length > 0 || start === undefined || written === undefined) return undefined;
  const end = high === undefined && stepText !== undefined ? max : written;
  return start < min || end > max || start > end ? undefined : { start, end, step, isAny: false };
}

function parseNumber(text: string, names: readonly string[] = [], first = 0): number | undefined {
  const at = names.indexOf(text.toLowerCase());
  if (at >= 0) return first + at;
  return /^\+?\d{1,9}$/.test(text) ? Number(text) : undefined;
}
