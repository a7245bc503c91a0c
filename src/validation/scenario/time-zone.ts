const MINUTE_MS = 60_000;
const WEEK_MS = 7 * 1_440 * MINUTE_MS;

/**
 * The minutes by which a time zone is ahead of UTC at a point in time.
 *
 * @param timeZone a name of the IANA database, such as `Europe/Berlin`
 * @throws RangeError for an unknown name
 */
export function zoneOffset(timeZone: string, instant: number): number {
  const parts = formatterOf(timeZone).formatToParts(instant);
  const valueOf = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value);
  const local = Date.UTC(valueOf('year'), valueOf('month') - 1, valueOf('day'), valueOf('hour'), valueOf('minute'));
  return Math.round((local - Math.floor(instant / MINUTE_MS) * MINUTE_MS) / MINUTE_MS);
}

export function isTimeZone(timeZone: string): boolean {
  try {
    formatterOf(timeZone);
    return true;
  } catch {
    return false;
  }
}

/** The different offsets of a time zone in the year after a point in time: two with daylight saving time. */
export function offsetsOfYear(timeZone: string, from: number): number[] {
  const offsets = Array.from({ length: 53 }, (_, week) => zoneOffset(timeZone, from + week * WEEK_MS));
  return [...new Set(offsets)].sort((left, right) => left - right);
}

/** `UTC+2`, `UTC+5:30`, `UTC`. */
export function offsetText(minutes: number): string {
  if (minutes === 0) return 'UTC';
  const size = Math.abs(minutes);
  const rest = size % 60 === 0 ? '' : `:${String(size % 60).padStart(2, '0')}`;
  return `UTC${minutes < 0 ? '-' : '+'}${Math.floor(size / 60)}${rest}`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are slow to create. */
function formatterOf(timeZone: string): Intl.DateTimeFormat {
  const formatter =
    formatters.get(timeZone) ??
    new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    });
  formatters.set(timeZone, formatter);
  return formatter;
}
