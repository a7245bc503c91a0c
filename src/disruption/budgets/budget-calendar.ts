import { CronSchedule } from '../../model';
import { Budget, DisruptionReason, Instant } from '../cluster';
import { isBudgetActive } from './budget-windows';
import { scaledRoundedUp } from './pdb-limit';

export const DISRUPTION_REASONS: readonly DisruptionReason[] = ['Empty', 'Underutilized', 'Drifted', 'Unhealthy'];

const MINUTE_MS = 60_000;

/**
 * How many nodes budgets allow to be disrupted in each minute, infinite without a limit. The same as
 * `allowedDisruptions` for each minute, but schedules are evaluated once.
 *
 * @param nodes of the NodePool
 * @param from the first minute
 */
export function allowedByMinute(
  budgets: readonly Budget[],
  nodes: number,
  reason: DisruptionReason,
  from: Instant,
  minutes: number,
): Float64Array {
  const allowed = new Float64Array(minutes).fill(Infinity);
  for (const budget of budgets) {
    const isInvalid = isBudgetActive(budget, from) === undefined;
    const limit = isInvalid ? undefined : scaledRoundedUp(budget.nodes, nodes);
    // A budget that Karpenter cannot parse forbids everything for all reasons.
    if (limit !== undefined && budget.reasons?.includes(reason) === false) continue;
    const active = isInvalid ? undefined : activeMinutes(budget, from, minutes);
    for (let minute = 0; minute < minutes; minute++)
      if (active === undefined || active[minute] === 1) allowed[minute] = Math.min(allowed[minute], limit ?? 0);
  }
  return allowed;
}

/** 1 for each minute in which the budget applies; undefined if it always does. */
function activeMinutes(budget: Budget, from: Instant, minutes: number): Uint8Array | undefined {
  const { schedule, duration = 0 } = budget;
  const parsed = schedule === undefined ? undefined : CronSchedule.tryParse(schedule);
  if (parsed?.nextAfter(from - duration) === undefined) return undefined;
  const active = new Uint8Array(minutes);
  for (const firing of parsed.firings(from - duration, from + minutes * MINUTE_MS)) {
    const first = Math.max(0, Math.ceil((firing - from) / MINUTE_MS));
    const end = Math.min(minutes, Math.ceil((firing + duration - from) / MINUTE_MS));
    if (end > first) active.fill(1, first, end);
  }
  return active;
}
