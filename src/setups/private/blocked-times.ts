/** The complement of a weekly window. Karpenter's budgets can forbid disruption at certain times, but not allow it. */

const DAY = 24 * 60;
const WEEK = 7 * DAY;

export interface WindowOnDays {
  /** Days on which the window opens. 0 is Sunday. */
  readonly days: readonly number[];
  /** Minute of the day at which it opens. */
  readonly startMinute: number;
  /** At most one day. */
  readonly minutes: number;
}

export interface BlockedTime {
  readonly minute: number;
  readonly hour: number;
  /** Days on which the blocked time begins. 0 is Sunday. */
  readonly days: readonly number[];
  readonly minutes: number;
}

/** One entry for each length of the time between two windows. */
export function blockedTimes({ days, startMinute, minutes }: WindowOnDays): BlockedTime[] {
  const starts = [...new Set(days)].sort((a, b) => a - b).map((day) => day * DAY + startMinute);
  const byLength = new Map<number, number[]>();
  starts.forEach((start, index) => {
    const next = starts[index + 1] ?? starts[0] + WEEK;
    const length = next - start - minutes;
    if (length > 0) byLength.set(length, [...(byLength.get(length) ?? []), (start + minutes) % WEEK]);
  });
  return [...byLength].map(([length, ends]) => ({
    minute: ends[0] % 60,
    hour: Math.floor((ends[0] % DAY) / 60),
    days: ends.map((end) => Math.floor(end / DAY)).sort((a, b) => a - b),
    minutes: length,
  }));
}
