import { allowsNoNode } from './disruption-budgets';
import { setField, unsafeFix } from '../../../../contract';
import { countText, CronSchedule, parseGoDuration } from '../../../../model';
import { ManifestBudget } from '../../../manifest/karpenter/pool-disruption';
import { defineRule, SubjectFinding } from '../../define-rule';
import { disruptedPools } from '../../subjects';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A leap year. */
const YEAR = [Date.UTC(2024, 0, 1), Date.UTC(2025, 0, 1)] as const;
const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/**
 * A schedule says when a window begins. A range of hours, which is meant as the window itself, begins one in each hour.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#schedule
 */
export const budgetWindowsOverlap = defineRule({
  id: 'KARP-446',
  name: 'budget-windows-overlap',
  severity: 'warning',
  summary: 'The schedule of a disruption budget fires again within its own duration, so that the window is longer.',
  subjects: disruptedPools(),
  judge: ({ budgets }) => budgets.flatMap((budget, index) => finding(budget, index) ?? []),
});

function finding(budget: ManifestBudget, index: number): SubjectFinding | undefined {
  const { schedule, duration } = budget;
  const length = duration === undefined ? undefined : parseGoDuration(duration);
  const times = (schedule !== undefined && CronSchedule.tryParse(schedule)?.firings(...YEAR)) || [];
  if (length === undefined || schedule === undefined) return undefined;
  const starts = times.filter((time, at) => at === 0 || time - times[at - 1] >= length);
  const firings = times.filter((time) => starts.length > 1 && time < starts[1]);
  const [first, last] = [firings[0], firings[firings.length - 1]];
  // A window that ends before the last one begins is not meant to be the only one.
  if (firings.length < 2 || last - first > length || last - first < HOUR_MS) return undefined;
  const path = ['spec', 'disruption', 'budgets', index, 'schedule'];
  const once = onceSchedule(schedule, starts);
  const limit = allowsNoNode(budget) ? 'no disruption is allowed' : `nodes: "${budget.nodes}" applies`;
  const intended = periodText(first, first + length);
  return {
    path,
    message:
      `schedule "${schedule}" begins ${countText(firings.length, 'window')} of ${duration} that overlap: ` +
      `${limit} from ${periodText(first, last + length)} UTC, not only from ${intended}`,
    remedy: `${once === undefined ? 'write a schedule with one time for each window' : `write schedule: "${once}"`}, if ${intended} is meant`,
    evidence: { schedule, duration, windows: firings.length, hours: (last - first + length) / HOUR_MS },
    ...(once === undefined ? {} : { fix: unsafeFix(setField(path, once)) }),
  };
}

/** The schedule that fires at the first time of each group only. */
function onceSchedule(schedule: string, starts: readonly number[]): string | undefined {
  const [, , dayOfMonth, month, dayOfWeek] = schedule.trim().split(/\s+/);
  const date = new Date(starts[0]);
  const days = [dayOfWeek, DAYS[date.getUTCDay()].slice(0, 3).toLowerCase()];
  return days
    .map((day) => [date.getUTCMinutes(), date.getUTCHours(), dayOfMonth, month, day].join(' '))
    .find(
      (text) =>
        CronSchedule.tryParse(text)
          ?.firings(...YEAR)
          .join() === starts.join(),
    );
}

/** `09:00 to 01:00 of the next day`, or `Saturday 00:00 to Tuesday 00:00`. */
function periodText(from: number, to: number): string {
  const [clockFrom, clockTo] = [from, to].map((time) => new Date(time).toISOString().slice(11, 16));
  if (to - from > DAY_MS) return `${dayOf(from)} ${clockFrom} to ${dayOf(to)} ${clockTo}`;
  return `${clockFrom} to ${clockTo}${Math.floor(to / DAY_MS) > Math.floor(from / DAY_MS) ? ' of the next day' : ''}`;
}

function dayOf(time: number): string {
  return DAYS[new Date(time).getUTCDay()];
}
