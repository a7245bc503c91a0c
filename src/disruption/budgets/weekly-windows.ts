import { CronSchedule } from '../../model';
import { Budget } from '../cluster';

export const MINUTES_PER_DAY = 1_440;
export const MINUTES_PER_WEEK = 7 * MINUTES_PER_DAY;
const MINUTE_MS = 60_000;
/** A Sunday, 00:00 UTC. */
const WEEK_START = Date.UTC(2026, 0, 4);
/** As cron counts them. */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

/** A part of every week, in whole minutes of UTC. */
export interface WeeklyWindow {
  /** Minutes since Sunday, 00:00. */
  readonly start: number;
  /** May reach into the next week. */
  readonly minutes: number;
}

/**
 * The windows in which a scheduled budget is active, joined where they overlap.
 *
 * @returns undefined if the budget has no valid schedule and duration, or if not every week is the same
 */
export function weeklyWindowsOf({ schedule, duration }: Budget): WeeklyWindow[] | undefined {
  const parsed = schedule === undefined ? undefined : CronSchedule.tryParse(schedule);
  if (!parsed?.isWeekly || duration === undefined || duration % MINUTE_MS !== 0) return undefined;
  const firings = parsed.firings(WEEK_START, WEEK_START + MINUTES_PER_WEEK * MINUTE_MS);
  const minutes = duration / MINUTE_MS;
  return joinWindows(firings.map((firing) => ({ start: (firing - WEEK_START) / MINUTE_MS, minutes })));
}

/**
 * Budgets with which Karpenter disrupts nodes only in the given windows. A budget can only forbid, so these forbid
 * disruptions at all other times.
 *
 * @param reasons the reasons that the budgets are about; @default - all reasons
 */
export function budgetsAllowingOnly(windows: readonly WeeklyWindow[], reasons?: Budget['reasons']): Budget[] {
  const common = { nodes: '0', ...(reasons === undefined ? {} : { reasons }) };
  const groups = new Map<string, { readonly start: number; readonly minutes: number; readonly days: number[] }>();
  for (const { start, minutes } of gapsBetween(windows)) {
    if (minutes === MINUTES_PER_WEEK) return [common];
    const timeOfDay = start % MINUTES_PER_DAY;
    const key = `${timeOfDay} ${minutes}`;
    const group = groups.get(key) ?? { start: timeOfDay, minutes, days: [] };
    group.days.push(Math.floor(start / MINUTES_PER_DAY));
    groups.set(key, group);
  }
  return [...groups.values()].map(({ start, minutes, days }) => ({
    ...common,
    schedule: `${start % 60} ${Math.floor(start / 60)} * * ${daysText(days)}`,
    duration: minutes * MINUTE_MS,
  }));
}

/** Windows in order, each at most a week, without overlaps. A window at the end of the week may reach into the next. */
export function joinWindows(windows: readonly WeeklyWindow[]): WeeklyWindow[] {
  return runs(minutesIn(windows), true);
}

/** The times that both lists of windows contain. */
export function intersectWindows(left: readonly WeeklyWindow[], right: readonly WeeklyWindow[]): WeeklyWindow[] {
  const [first, second] = [minutesIn(left), minutesIn(right)];
  return runs(
    first.map((isInside, minute) => isInside && second[minute]),
    true,
  );
}

function gapsBetween(windows: readonly WeeklyWindow[]): WeeklyWindow[] {
  return runs(minutesIn(windows), false);
}

/** For each minute of the week whether a window contains it. */
function minutesIn(windows: readonly WeeklyWindow[]): boolean[] {
  /** By minute: how many more windows begin than end there. */
  const changes = new Int32Array(MINUTES_PER_WEEK + 1);
  const add = (from: number, to: number) => {
    changes[from]++;
    changes[to]--;
  };
  for (const { start, minutes } of windows) {
    const end = start + Math.min(minutes, MINUTES_PER_WEEK);
    add(start, Math.min(end, MINUTES_PER_WEEK));
    if (end > MINUTES_PER_WEEK) add(0, end - MINUTES_PER_WEEK);
  }
  let open = 0;
  return Array.from({ length: MINUTES_PER_WEEK }, (_, minute) => (open += changes[minute]) > 0);
}

/** The longest stretches of minutes with the value. The week is a circle. */
function runs(minutes: readonly boolean[], value: boolean): WeeklyWindow[] {
  const starts = minutes.flatMap((current, minute) =>
    current === value && minutes[(minute || MINUTES_PER_WEEK) - 1] !== value ? [minute] : [],
  );
  if (starts.length === 0) return minutes[0] === value ? [{ start: 0, minutes: MINUTES_PER_WEEK }] : [];
  return starts.map((start) => {
    let length = 1;
    while (minutes[(start + length) % MINUTES_PER_WEEK] === value) length++;
    return { start, minutes: length };
  });
}

/** The days of a cron schedule: `*`, `mon-thu`, `sun,sat`. A range of cron does not go beyond Saturday. */
function daysText(days: readonly number[]): string {
  if (days.length === DAYS.length) return '*';
  const ranges: Array<[first: number, last: number]> = [];
  for (const day of days) {
    const range = ranges.at(-1);
    if (range?.[1] === day - 1) range[1] = day;
    else ranges.push([day, day]);
  }
  return ranges
    .map(([first, last]) =>
      first === last ? DAYS[first] : `${DAYS[first]}${last === first + 1 ? ',' : '-'}${DAYS[last]}`,
    )
    .join(',');
}
