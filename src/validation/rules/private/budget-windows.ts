import { DisruptionBudget, PoolDisruption } from './pool-disruption';
import { CronSchedule, parseGoDuration } from '../../../model';

const MINUTE_MS = 60_000;
/** A leap year that begins on a Monday: each date, and each weekday. */
const YEAR_START = Date.UTC(2024, 0, 1);
const YEAR_END = Date.UTC(2025, 0, 1);
export const YEAR_MINUTES = (YEAR_END - YEAR_START) / MINUTE_MS;

/** Whether the budget lets no node go while it counts. */
export function allowsNone({ nodes }: DisruptionBudget): boolean {
  return nodes === '0' || nodes === '0%';
}

/** Whether the budget lets no node go for a reason while it counts: one that Karpenter cannot read does so, whatever it says. */
export function blocks(budget: DisruptionBudget, reason: string): boolean {
  const { reasons, schedule } = budget;
  if (schedule !== undefined && !CronSchedule.tryParse(schedule)) return true;
  return allowsNone(budget) && (reasons === undefined || reasons === null || reasons.includes(reason));
}

/** Minutes of a year in which some budget lets no node go for the reason. */
export function blockedMinutes({ budgets }: PoolDisruption, reason: string): number {
  return covered(budgets.filter((budget) => blocks(budget, reason)).flatMap(windowsOf));
}

interface Window {
  readonly start: number;
  readonly end: number;
}

/** Karpenter looks back for as long as the budget lasts: from each firing on it counts for so long. */
function windowsOf({ schedule, duration }: DisruptionBudget): Window[] {
  if (schedule === undefined || duration === undefined) return [{ start: YEAR_START, end: YEAR_END }];
  const lasts = parseGoDuration(duration);
  const cron = CronSchedule.tryParse(schedule);
  // Karpenter takes a schedule that it cannot read, or that never fires, for one that always counts.
  if (!cron || lasts === undefined || cron.nextAfter(YEAR_START) === undefined) return [{ start: YEAR_START, end: YEAR_END }];
  return cron.firings(YEAR_START - lasts, YEAR_END).map((start) => ({ start, end: start + lasts }));
}

function covered(windows: readonly Window[]): number {
  let minutes = 0;
  let until = YEAR_START;
  for (const { start, end } of [...windows].sort((a, b) => a.start - b.start)) {
    const from = Math.max(start, until);
    const to = Math.min(end, YEAR_END);
    if (to > from) {
      minutes += (to - from) / MINUTE_MS;
      until = to;
    }
  }
  return minutes;
}
