import { CronSchedule, memoizeByIdentity } from '../../model';
import { Budget, Instant } from '../cluster';

/** Stops after as many consecutive windows, because the windows of some schedules overlap without end. */
const MAX_CONSECUTIVE_WINDOWS = 100;
/** How many results of `windowEnd` are chained for one budget. */
const MAX_CHAINED_ENDS = 10;

/** Undefined if Karpenter cannot parse it. Remembered, because a scenario asks each budget thousands of times. */
const scheduleOf = memoizeByIdentity(({ schedule }: Budget) => CronSchedule.tryParse(schedule ?? ''));

/**
 * Whether the budget applies now; undefined if Karpenter cannot parse its schedule. A schedule without any hit is
 * always active, because Karpenter takes the missing hit for one in the past.
 */
export function isBudgetActive(budget: Budget, now: Instant): boolean | undefined {
  const { schedule, duration } = budget;
  if (schedule === undefined && duration === undefined) return true;
  const parsed = scheduleOf(budget);
  if (!parsed) return undefined;
  const hit = parsed.nextAfter(now - (duration ?? 0));
  return hit === undefined || hit <= now;
}

/**
 * The end of the budget's current window, or of its next one. Infinite if it has no window; if windows overlap for
 * long, a time at which to ask again.
 */
export function windowEnd(budget: Budget, now: Instant): Instant {
  const { duration = 0 } = budget;
  const parsed = scheduleOf(budget);
  let end = now;
  for (
    let windows = 0;
    windows < MAX_CONSECUTIVE_WINDOWS && (windows === 0 || isBudgetActive(budget, end));
    windows++
  ) {
    const hit = parsed?.nextAfter(end - duration);
    if (hit === undefined) return Infinity;
    end = hit + duration;
  }
  return end;
}

/** Remembers the last window end of each budget, which takes up to hundreds of cron evaluations to compute. */
export class BudgetWindows {
  private readonly last = new WeakMap<Budget, { readonly from: Instant; readonly end: Instant }>();

  /** When a budget that is active now becomes inactive; infinite if it never does. */
  public activeUntil(budget: Budget, now: Instant): Instant {
    const last = this.last.get(budget);
    if (last && last.from <= now && now < last.end) return last.end;
    let end = windowEnd(budget, now);
    for (let chained = 0; end < Infinity && isBudgetActive(budget, end) !== false; chained++) {
      end = chained < MAX_CHAINED_ENDS ? windowEnd(budget, end) : Infinity;
    }
    this.last.set(budget, { from: now, end });
    return end;
  }
}
