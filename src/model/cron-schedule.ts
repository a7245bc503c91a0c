/**
 * Follows parser.go and spec.go of github.com/robfig/cron v3, the library that Karpenter and Kubernetes use for
 * schedules.
 */
import { parseIntegerLikeGo } from './go-strconv';

/** One of the five fields of a schedule. */
interface Field {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

interface Values {
  readonly allowed: ReadonlySet<number>;
  /** Whether the field is `*`: if a day field is `*`, only the other day field decides. */
  readonly any: boolean;
}

const MINUTE: Field = { min: 0, max: 59, names: [] };
const HOUR: Field = { min: 0, max: 23, names: [] };
const DAY_OF_MONTH: Field = { min: 1, max: 31, names: [] };
const MONTH: Field = {
  min: 1,
  max: 12,
  names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
};
const DAY_OF_WEEK: Field = { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] };
const FIELDS = [MINUTE, HOUR, DAY_OF_MONTH, MONTH, DAY_OF_WEEK];

/** The schedules that the macros stand for. */
const MACROS: ReadonlyMap<string, string> = new Map([
  ['@annually', '0 0 1 1 *'],
  ['@yearly', '0 0 1 1 *'],
  ['@monthly', '0 0 1 * *'],
  ['@weekly', '0 0 * * 0'],
  ['@daily', '0 0 * * *'],
  ['@midnight', '0 0 * * *'],
  ['@hourly', '0 * * * *'],
]);
const MAX_LENGTH = 1024;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The library searches the next firing in this many years only. */
const YEARS_AHEAD = 5;

export const CRON_MACROS: readonly string[] = [...MACROS.keys()];

/** A cron schedule in whole minutes of UTC. */
export class CronSchedule {
  /** Undefined for an invalid schedule. */
  public static tryParse(written: string): CronSchedule | undefined {
    if (written.length > MAX_LENGTH) return undefined;
    // Karpenter writes `TZ=UTC ` in front, and the library trims what follows.
    const text = written.trim();
    const fields = (text.startsWith('@') ? (MACROS.get(text) ?? '') : text)
      .split(/\s+/)
      .filter((field) => field !== '');
    if (fields.length !== FIELDS.length) return undefined;
    const values = fields.map((field, i) => valuesOf(field, FIELDS[i]));
    return values.every((fieldValues) => fieldValues !== undefined) ? new CronSchedule(values) : undefined;
  }

  private constructor(private readonly values: readonly Values[]) {}

  /** Whether every week has the same firings: neither the day of the month nor the month decides. */
  public get isWeekly(): boolean {
    const [, , dayOfMonth, month] = this.values;
    return dayOfMonth.any && month.allowed.size === MONTH.max;
  }

  /** The firings from `from` (inclusive) to `to` (exclusive), in order. All times are milliseconds since 1970. */
  public firings(from: number, to: number): number[] {
    const [minutes, hours] = this.values;
    const times: number[] = [];
    for (let day = Math.floor(from / DAY_MS) * DAY_MS; day < to; day += DAY_MS) {
      if (!this.isOn(new Date(day))) continue;
      for (const hour of hours.allowed) {
        for (const minute of minutes.allowed) times.push(day + (hour * 60 + minute) * MINUTE_MS);
      }
    }
    return times.filter((time) => time >= from && time < to);
  }

  /**
   * The first firing after a time, both in milliseconds since 1970. Undefined if there is none until the end of the
   * fifth year after it.
   */
  public nextAfter(time: number): number | undefined {
    const first = (Math.floor(time / MINUTE_MS) + 1) * MINUTE_MS;
    const last = Date.UTC(new Date(first).getUTCFullYear() + YEARS_AHEAD + 1, 0, 1);
    for (let day = Math.floor(first / DAY_MS) * DAY_MS; day < last; day += DAY_MS) {
      const [firing] = this.isOn(new Date(day)) ? this.firings(Math.max(first, day), day + DAY_MS) : [];
      if (firing !== undefined) return firing;
    }
    return undefined;
  }

  private isOn(day: Date): boolean {
    const [, , dayOfMonth, month, dayOfWeek] = this.values;
    if (!month.allowed.has(day.getUTCMonth() + 1)) return false;
    const [isDayOfMonth, isDayOfWeek] = [
      dayOfMonth.allowed.has(day.getUTCDate()),
      dayOfWeek.allowed.has(day.getUTCDay()),
    ];
    return dayOfMonth.any || dayOfWeek.any ? isDayOfMonth && isDayOfWeek : isDayOfMonth || isDayOfWeek;
  }
}

function valuesOf(text: string, field: Field): Values | undefined {
  const parts = text
    .split(',')
    .filter((part) => part !== '')
    .map((part) => partOf(part, field));
  const valid = parts.filter((part) => part !== undefined);
  if (valid.length < parts.length) return undefined;
  return {
    allowed: new Set(valid.flatMap(({ values }) => values).sort((a, b) => a - b)),
    any: valid.some(({ any }) => any),
  };
}

/** Reads `*`, `5`, `1-5` or `mon-fri`, optionally followed by a step as in `/2`. */
function partOf(part: string, field: Field): { readonly values: readonly number[]; readonly any: boolean } | undefined {
  const [range, stepText, ...rest] = part.split('/');
  const step = stepText === undefined ? 1 : numberOf(stepText);
  if (rest.length > 0 || !(step > 0)) return undefined;
  const bounds = boundsOf(range, stepText !== undefined, field);
  if (!bounds) return undefined;
  const [start, end] = bounds;
  const values = Array.from({ length: Math.floor((end - start) / step) + 1 }, (_, i) => start + i * step);
  return { values, any: isAny(range) && step === 1 };
}

/** The range of a single value with a step extends to the end of the field. */
function boundsOf(range: string, hasStep: boolean, field: Field): [start: number, end: number] | undefined {
  if (isAny(range)) return [field.min, field.max];
  const [first, last, ...rest] = range.split('-');
  const start = valueOf(first, field);
  const writtenEnd = last === undefined ? start : valueOf(last, field);
  const end = last === undefined && hasStep ? field.max : writtenEnd;
  return rest.length === 0 && start >= field.min && start <= end && end <= field.max ? [start, end] : undefined;
}

/** Like the library, ignores any text after `*-` and `?-`. */
function isAny(range: string): boolean {
  return range.split('-')[0] === '*' || range.split('-')[0] === '?';
}

/** NaN if the text is neither a number nor a name of the field. */
function valueOf(text: string, { min, names }: Field): number {
  const name = names.indexOf(text.toLowerCase());
  return name >= 0 ? name + min : numberOf(text);
}

function numberOf(text: string): number {
  return Number(parseIntegerLikeGo(text) ?? NaN);
}
