import { offsetsOfYear, offsetText } from './time-zone';
import {
  Budget,
  budgetsAllowingOnly,
  DEFAULT_START,
  intersectWindows,
  joinWindows,
  MINUTES_PER_DAY,
  MINUTES_PER_WEEK,
  WeeklyWindow,
} from '../../disruption';

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const WINDOW = /^(\S+)\s+(\d{1,2}):(\d{2})-(\d{1,2}):(\d{2})$/;
/** The most budgets of a NodePool. */
const MAX_BUDGETS = 50;

/** Budgets for "only then", with what their reader has to know. */
export interface AllowingBudgets {
  readonly budgets: readonly Budget[];
  readonly notes: readonly string[];
}

/**
 * The windows of a text such as `mon 01:00-05:00`, `mon-fri 22:00-04:00`, `sat,sun 00:00-24:00` or `daily 2:00-4:00`.
 * A window that ends before it begins goes past midnight.
 *
 * @returns undefined if the text is no window
 */
export function parseWindows(text: string): WeeklyWindow[] | undefined {
  const [, days, ...times] = WINDOW.exec(text.trim().toLowerCase()) ?? [];
  if (days === undefined) return undefined;
  const [startHour, startMinute, endHour, endMinute] = times.map(Number);
  const [start, end] = [startHour * 60 + startMinute, endHour * 60 + endMinute];
  const isTime = startHour < 24 && startMinute < 60 && endMinute < 60 && end <= MINUTES_PER_DAY;
  const weekdays = daysOf(days);
  if (!isTime || weekdays === undefined || start === end) return undefined;
  const minutes = end > start ? end - start : end + MINUTES_PER_DAY - start;
  return weekdays.map((day) => ({ start: day * MINUTES_PER_DAY + start, minutes }));
}

/** `mon`, `mon-fri`, `fri-mon`, `sat,sun` or `daily`. */
function daysOf(text: string): number[] | undefined {
  if (text === 'daily') return [0, 1, 2, 3, 4, 5, 6];
  const parts = text.split(',').map((part) => {
    const [first, last = first, ...rest] = part.split('-').map((name) => DAYS.indexOf(name));
    if (first < 0 || last < 0 || rest.length > 0) return undefined;
    return Array.from({ length: ((last - first + 7) % 7) + 1 }, (_, index) => (first + index) % 7);
  });
  return parts.every((part) => part !== undefined) ? [...new Set(parts.flat())] : undefined;
}

/**
 * Budgets that allow disruptions only in windows of a time zone. Karpenter's schedules are in UTC: if the time zone has
 * daylight saving time, only the times are allowed that are within the windows all year.
 *
 * @param year from when the offsets of the time zone are taken; @default - the start of simulations
 * @throws RangeError for an unknown time zone, or if no time or too many budgets are left
 */
export function allowingBudgets(
  windows: readonly WeeklyWindow[],
  timeZone: string,
  reasons?: Budget['reasons'],
  year: number = DEFAULT_START,
): AllowingBudgets {
  const offsets = offsetsOfYear(timeZone, year);
  const [first, ...others] = offsets.map((offset) => inUtc(windows, offset));
  const allowed = others.reduce(intersectWindows, joinWindows(first));
  if (allowed.length === 0)
    throw new RangeError(
      `no time is within the windows both in summer and in winter (${offsets.map(offsetText).join(', ')}); make them longer than the change of the clocks`,
    );
  const budgets = budgetsAllowingOnly(allowed, reasons);
  if (budgets.length > MAX_BUDGETS)
    throw new RangeError(
      `these windows need ${budgets.length} budgets, and a NodePool has ${MAX_BUDGETS} at most; write fewer windows`,
    );
  return {
    budgets,
    notes:
      offsets.length === 1
        ? []
        : [
            `${timeZone} is ${offsets.map(offsetText).join(' or ')}, and schedules are in UTC: only the times are allowed that are within the windows all year`,
          ],
  };
}

function inUtc(windows: readonly WeeklyWindow[], offset: number): WeeklyWindow[] {
  return windows.map(({ start, minutes }) => ({
    start: (start - offset + 2 * MINUTES_PER_WEEK) % MINUTES_PER_WEEK,
    minutes,
  }));
}
