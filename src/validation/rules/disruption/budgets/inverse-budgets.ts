import { Budget, budgetsAllowingOnly, WeeklyWindow, weeklyWindowsOf } from '../../../../disruption';
import { parseGoDuration } from '../../../../model';
import { ManifestBudget } from '../../../manifest/karpenter/pool-disruption';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Budgets that forbid the reasons at all other times; undefined if not every week is the same. */
export function inverseBudgets(
  windows: readonly ManifestBudget[],
  reasons: readonly string[],
): ManifestBudget[] | undefined {
  const weekly = windows.map((budget) =>
    weeklyWindowsOf({ ...budget, duration: parseGoDuration(budget.duration!) } as Budget),
  );
  if (weekly.some((known) => known === undefined)) return undefined;
  return budgetsAllowingOnly(weekly.flat() as WeeklyWindow[], reasons as Budget['reasons']).map(
    ({ nodes, schedule, duration }) => ({
      nodes,
      ...(schedule === undefined ? {} : { schedule, duration: goDuration(duration!) }),
      reasons,
    }),
  );
}

/** Karpenter reads hours and minutes only. */
function goDuration(milliseconds: number): string {
  const [hours, minutes] = [Math.floor(milliseconds / HOUR_MS), (milliseconds % HOUR_MS) / MINUTE_MS];
  return `${hours > 0 ? `${hours}h` : ''}${minutes > 0 ? `${minutes}m` : ''}`;
}

/** The budget as YAML in one line. */
export function budgetText({ nodes, schedule, duration, reasons }: ManifestBudget): string {
  const only = reasons === undefined ? '' : `, reasons: [${reasons.join(', ')}]`;
  const window = schedule === undefined ? '' : `, schedule: "${schedule}", duration: ${duration}`;
  return `{ nodes: "${nodes}"${window}${only} }`;
}
