/** A winter day and a summer day, on both of which clocks stand as they do for months. */
const DAYS = [Date.UTC(2024, 0, 16), Date.UTC(2024, 6, 16)];
const DAY_MINUTES = 1440;

/** Minutes that clocks of the time zone are ahead of UTC, on each of the days; once where they are always the same. */
export function offsetsOf(timeZone: string): number[] {
  const clock = new Intl.DateTimeFormat('en-GB', { timeZone, hourCycle: 'h23', day: 'numeric', hour: '2-digit', minute: '2-digit' });
  return [...new Set(DAYS.map((noon) => offsetAt(clock, noon + 12 * 3_600_000)))];
}

function offsetAt(clock: Intl.DateTimeFormat, moment: number): number {
  const parts = new Map(clock.formatToParts(moment).map(({ type, value }) => [type, Number(value)]));
  const date = new Date(moment);
  const days = parts.get('day')! - date.getUTCDate();
  return days * DAY_MINUTES + (parts.get('hour')! - date.getUTCHours()) * 60 + parts.get('minute')! - date.getUTCMinutes();
}

/** `18:00`, of minutes since midnight of any day. */
export function clockTime(minutes: number): string {
  const ofDay = (minutes % DAY_MINUTES + DAY_MINUTES) % DAY_MINUTES;
  return `${String(Math.floor(ofDay / 60)).padStart(2, '0')}:${String(ofDay % 60).padStart(2, '0')}`;
}
