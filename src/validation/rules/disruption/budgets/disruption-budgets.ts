import { CronSchedule, parseGoDuration, valueText } from '../../../../model';
import { ManifestBudget, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';

const MINUTE_MS = 60_000;
/** A leap year that starts on a Monday. */
const YEAR_START = Date.UTC(2024, 0, 1);
const YEAR_END = Date.UTC(2025, 0, 1);
export const MINUTES_PER_YEAR = (YEAR_END - YEAR_START) / MINUTE_MS;

/**
 * How many of `total` nodes the budget allows to disrupt at the same time; percentages are rounded up. Undefined if
 * `nodes` is neither number nor percentage.
 */
export function allowedNodes({ nodes }: ManifestBudget, total: number): number | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(valueText(nodes)) ?? [];
  if (digits === undefined) return undefined;
  return percent === '' ? Number(digits) : Math.ceil((Number(digits) * total) / 100);
}

/**
 * How many nodes the budgets without a schedule allow to disrupt for a reason; infinite if none limits the reason.
 */
export function allowedWithoutSchedule(budgets: readonly ManifestBudget[], reason: string, total: number): number {
  const limiting = budgets
    .filter(({ schedule }) => schedule === undefined)
    .filter(({ reasons }) => reasons === undefined || reasons === null || reasons.includes(reason));
  return Math.min(Infinity, ...limiting.map((budget) => allowedNodes(budget, total) ?? 0));
}

/** Whether the budget allows no disruption while it is active. */
export function allowsNoNode({ nodes }: ManifestBudget): boolean {
  return nodes === '0' || nodes === '0%';
}

/**
 * Whether the budget, while it is active, blocks the reason. A budget whose schedule Karpenter cannot parse always
 * blocks, which KARP-100 reports, so that here it counts as corrected.
 */
export function blocksReason(budget: ManifestBudget, reason: string): boolean {
  const { schedule } = budget;
  if (schedule !== undefined && !CronSchedule.tryParse(schedule)) return false;
  return allowsNoNode(budget) && limitsReason(budget, reason);
}

/** Minutes of a year in which some budget blocks the reason. */
export function blockedMinutesPerYear({ budgets }: ManifestDisruption, reason: string): number {
  return coveredMinutes(budgets.filter((budget) => blocksReason(budget, reason)).flatMap(windowsOf));
}

/** Whether the budget says something about the reason. */
export function limitsReason({ reasons }: ManifestBudget, reason: string): boolean {
  return reasons === undefined || reasons === null || reasons.includes(reason);
}

/** Minutes of a year in which some budget limits the reason. */
export function limitedMinutesPerYear({ budgets }: ManifestDisruption, reason: string): number {
  return coveredMinutes(budgets.filter((budget) => limitsReason(budget, reason)).flatMap(windowsOf));
}

interface Window {
  readonly start: number;
  readonly end: number;
}

/** When the budget is active: for its duration after each time of its schedule. */
function windowsOf({ schedule, duration }: ManifestBudget): Window[] {
  if (schedule === undefined || duration === undefined) return [{ start: YEAR_START, end: YEAR_END }];
  const milliseconds = parseGoDuration(duration);
  const cron = CronSchedule.tryParse(schedule);
  // Karpenter treats a budget as always active if its schedule never fires.
  if (!cron || milliseconds === undefined || cron.nextAfter(YEAR_START) === undefined)
    return [{ start: YEAR_START, end: YEAR_END }];
  return cron.firings(YEAR_START - milliseconds, YEAR_END).map((start) => ({ start, end: start + milliseconds }));
}

function coveredMinutes(windows: readonly Window[]): number {
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
