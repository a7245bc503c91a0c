import { prepareCluster } from './prepared-cluster';
import { offsetsOfYear, offsetText, zoneOffset } from './time-zone';
import { allowedByMinute, DEFAULT_START, DISRUPTION_REASONS, DisruptionReason } from '../../disruption';
import { Label } from '../../model';
import { CheckSession } from '../context/check-session';
import { READING_RULES } from '../manifest';
import { Finding } from '../vocabulary/verdict';

const HOURS_PER_DAY = 24;
const DAYS_PER_WEEK = 7;
const MINUTE_MS = 60_000;
const DAY_MS = 1_440 * MINUTE_MS;
/** Percentages of a NodePool without nodes are of this many. */
const ASSUMED_NODES = 10;

/** How many nodes may be disrupted at the same time in an hour; null without a limit. */
export interface CalendarHour {
  readonly least: number | null;
  readonly most: number | null;
}

/** The week of one or more reasons in one time zone: seven days from Monday on, with 24 hours each. */
export interface CalendarWeek {
  readonly reasons: readonly DisruptionReason[];
  readonly timeZone: string;
  readonly days: ReadonlyArray<readonly CalendarHour[]>;
}

export interface BudgetCalendar {
  readonly nodePool: string;
  readonly nodes: number;
  /** Whether the NodePool has no nodes, so that the number is assumed. */
  readonly isAssumed: boolean;
  /** First in UTC, then in the other time zone. */
  readonly weeks: readonly CalendarWeek[];
}

export interface BudgetCalendars {
  /** The Monday that the week begins with, such as `2026-01-05`. */
  readonly week: string;
  readonly calendars: readonly BudgetCalendar[];
  readonly notes: readonly string[];
  /** Input that could not be read. */
  readonly problems: readonly Finding[];
}

/**
 * How many nodes the disruption budgets of each NodePool allow, hour by hour.
 *
 * @param at a time in the week; @default - the start of simulations
 * @throws RangeError for an unknown time zone
 */
export function budgetCalendars(
  session: CheckSession,
  { timeZone = 'UTC', at = DEFAULT_START }: { readonly timeZone?: string; readonly at?: number } = {},
): BudgetCalendars {
  const monday = mondayOf(at);
  zoneOffset(timeZone, monday);
  const { cluster, notes } = prepareCluster(session);
  const zones = timeZone === 'UTC' ? ['UTC'] : ['UTC', timeZone];
  const calendars = [...cluster.pools].map(([nodePool, { budgets }]): BudgetCalendar => {
    const count = cluster.nodes.filter(({ labels, claim }) => claim && labels[Label.NODE_POOL] === nodePool).length;
    const nodes = count === 0 ? ASSUMED_NODES : count;
    // A day more on each side, because the week of another time zone begins and ends at another time.
    const from = monday - DAY_MS;
    const minutes = (DAYS_PER_WEEK + 2) * 1_440;
    const byReason = DISRUPTION_REASONS.map((reason) => ({
      reason,
      allowed: allowedByMinute(budgets, nodes, reason, from, minutes),
    }));
    return {
      nodePool,
      nodes,
      isAssumed: count === 0,
      weeks: withEqualReasons(byReason).flatMap(({ reasons, allowed }) =>
        zones.map((zone): CalendarWeek => ({ reasons, timeZone: zone, days: daysIn(zone, monday, from, allowed) })),
      ),
    };
  });
  return {
    week: new Date(monday).toISOString().slice(0, 'YYYY-MM-DD'.length),
    calendars,
    notes: [...notes, ...zoneNotes(timeZone, monday)],
    problems: session.model.problems.filter(
      ({ rule, severity }) => rule === READING_RULES.unreadable.rule && severity === 'error',
    ),
  };
}

function mondayOf(instant: number): number {
  const midnight = Math.floor(instant / DAY_MS) * DAY_MS;
  return midnight - ((new Date(midnight).getUTCDay() + DAYS_PER_WEEK - 1) % DAYS_PER_WEEK) * DAY_MS;
}

interface AllowedOfReasons {
  readonly reasons: DisruptionReason[];
  readonly allowed: Float64Array;
}

function withEqualReasons(
  rows: ReadonlyArray<{ readonly reason: DisruptionReason; readonly allowed: Float64Array }>,
): AllowedOfReasons[] {
  const groups: AllowedOfReasons[] = [];
  for (const { reason, allowed } of rows) {
    const same = groups.find((group) => group.allowed.every((value, minute) => value === allowed[minute]));
    if (same) same.reasons.push(reason);
    else groups.push({ reasons: [reason], allowed });
  }
  return groups;
}

/** @param allowed by minute since `from` */
function daysIn(timeZone: string, monday: number, from: number, allowed: Float64Array): CalendarHour[][] {
  const offset = zoneOffset(timeZone, monday);
  return Array.from({ length: DAYS_PER_WEEK }, (_, day) =>
    Array.from({ length: HOURS_PER_DAY }, (__, hour) => {
      const first = (monday - from) / MINUTE_MS + day * 1_440 + hour * 60 - offset;
      const values = allowed.subarray(first, first + 60);
      return { least: limitOf(Math.min(...values)), most: limitOf(Math.max(...values)) };
    }),
  );
}

function limitOf(nodes: number): number | null {
  return nodes === Infinity ? null : nodes;
}

function zoneNotes(timeZone: string, monday: number): string[] {
  const offsets = offsetsOfYear(timeZone, monday);
  return offsets.length === 1
    ? []
    : [
        `${timeZone} is ${offsetText(zoneOffset(timeZone, monday))} in this week, and ${offsets
          .filter((offset) => offset !== zoneOffset(timeZone, monday))
          .map(offsetText)
          .join(' or ')} at other times of the year: its hours shift then, because schedules are in UTC`,
      ];
}
