import { allowsNoNode } from './disruption-budgets';
import { timeZoneOfRegion } from '../../../../contract';
import { CronSchedule, parseGoDuration, valueText } from '../../../../model';
import { ManifestBudget, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { defineRule, NOT_APPLICABLE, SubjectFinding, unknown } from '../../define-rule';
import { disruptedPools } from '../../subjects';

const HOUR = 60;
const DAY_MINUTES = 24 * HOUR;
const MINUTE_MS = 60_000;
/** Range of the start of office hours, in minutes since midnight. */
const OFFICE_START = { earliest: 6 * HOUR, latest: 11 * HOUR };
/** Range of the length of office hours, in minutes. */
const OFFICE_DAY = { shortest: 6 * HOUR, longest: 13 * HOUR };
/** A week that starts on a Monday. */
const MONDAY = Date.UTC(2024, 0, 1);
const SATURDAY = Date.UTC(2024, 0, 6);
const WEEK_END = Date.UTC(2024, 0, 8);
/** A winter day and a summer day, both far from changes to and from daylight saving time. */
const SEASON_DAYS = [Date.UTC(2024, 0, 16), Date.UTC(2024, 6, 16)];

interface OfficeHours {
  /** Index of the budget. */
  readonly index: number;
  /** Minutes since midnight UTC. */
  readonly start: number;
  /** Minutes. */
  readonly length: number;
}

interface RegionTime {
  readonly region: string;
  readonly timeZone: string;
  /** Minutes ahead of UTC, in winter and summer; one entry if they are the same. */
  readonly offsets: readonly number[];
}

/** @see https://karpenter.sh/docs/concepts/disruption/#schedule */
export const budgetCronTimezone = defineRule({
  id: 'KARP-420',
  name: 'budget-cron-timezone',
  severity: 'info',
  summary:
    'A disruption budget seems to protect office hours, but its schedule is in UTC, which are other hours in the region.',
  subjects: disruptedPools(),
  judge(disruption, { options: { region } }) {
    const timeZone = region === undefined ? undefined : timeZoneOfRegion(region);
    const hours = disruption.budgets.flatMap((budget, index) => officeHours(budget, index) ?? []);
    if (hours.length === 0) return NOT_APPLICABLE;
    if (region === undefined || timeZone === undefined)
      return unknown('the region, and so its time zone, is not known');
    const offsets = offsetsOf(timeZone);
    const wrong = hours.find(({ start }) => offsets.every((offset) => !isOfficeStart(start + offset)));
    return wrong === undefined ? undefined : finding(disruption, wrong, { region, timeZone, offsets });
  },
});

function finding(
  { budgets }: ManifestDisruption,
  { index, start, length }: OfficeHours,
  { region, timeZone, offsets }: RegionTime,
): SubjectFinding {
  const [winter, summer] = offsets.map(
    (offset) => `${clockTime(start + offset)} to ${clockTime(start + offset + length)}`,
  );
  const local = summer === undefined ? winter : `${winter} in January and ${summer} in July`;
  const [utcStart] = offsets.map((offset) => start - offset);
  return {
    path: ['spec', 'disruption', 'budgets', index, 'schedule'],
    message: `schedule "${budgets[index].schedule}" for ${budgets[index].duration} is in UTC: in ${region} (${timeZone}) it forbids disruption from ${local}`,
    remedy:
      `write the schedule in UTC: ${clockTime(start)} in ${timeZone} is ${clockTime(utcStart)} UTC${dayOf(utcStart)}` +
      `${summer === undefined ? '' : ' in January'}; leave it if ${clockTime(start)} UTC is intended`,
    evidence: { region, timeZone, utc: clockTime(start), local },
  };
}

/**
 * The hours of a budget that forbids disruption from Monday to Friday, once a day, for about the length of a
 * working day.
 */
function officeHours(budget: ManifestBudget, index: number): OfficeHours | undefined {
  const { schedule, duration } = budget;
  const cron = schedule === undefined ? undefined : CronSchedule.tryParse(schedule);
  const length = duration === undefined ? undefined : (parseGoDuration(duration) ?? 0) / MINUTE_MS;
  if (!cron || length === undefined || !allowsNoNode(budget)) return undefined;
  const starts = cron.firings(MONDAY, SATURDAY).map((time) => ((time - MONDAY) / MINUTE_MS) % DAY_MINUTES);
  const [start] = starts;
  const isOnWorkdays =
    starts.length === 5 &&
    starts.every((dayStart) => dayStart === start) &&
    cron.firings(SATURDAY, WEEK_END).length === 0;
  const likeOffice =
    isOnWorkdays && isOfficeStart(start) && length >= OFFICE_DAY.shortest && length <= OFFICE_DAY.longest;
  return likeOffice ? { index, start, length } : undefined;
}

function isOfficeStart(minutes: number): boolean {
  const ofDay = minutesOfDay(minutes);
  return ofDay >= OFFICE_START.earliest && ofDay <= OFFICE_START.latest;
}

function dayOf(minutes: number): string {
  return minutes < 0 ? ' of the day before' : minutes >= DAY_MINUTES ? ' of the day after' : '';
}

function offsetsOf(timeZone: string): number[] {
  const clock = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hourCycle: 'h23',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return [...new Set(SEASON_DAYS.map((midnight) => offsetAt(clock, midnight + (DAY_MINUTES / 2) * MINUTE_MS)))];
}

function offsetAt(clock: Intl.DateTimeFormat, time: number): number {
  const parts = new Map(clock.formatToParts(time).map(({ type, value }) => [type, Number(value)]));
  const date = new Date(time);
  const days = parts.get('day')! - date.getUTCDate();
  return (
    days * DAY_MINUTES + (parts.get('hour')! - date.getUTCHours()) * HOUR + parts.get('minute')! - date.getUTCMinutes()
  );
}

/** `18:00`, from minutes since midnight of any day. */
function clockTime(minutes: number): string {
  const ofDay = minutesOfDay(minutes);
  return `${valueText(Math.floor(ofDay / HOUR)).padStart(2, '0')}:${valueText(ofDay % HOUR).padStart(2, '0')}`;
}

function minutesOfDay(minutes: number): number {
  return ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES;
}
