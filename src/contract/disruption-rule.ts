/**
 * Rules for `spec.disruption` of a NodePool, and for the durations of its template.
 *
 * Source: karpenter.sh_nodepools.yaml of 1.15.1; the meaning of a schedule that cannot be parsed: IsActive in
 * sigs.k8s.io/karpenter v1.15.0 pkg/apis/v1/nodepool.go.
 */
import { FieldPath, FieldProblem } from './field-problem';
import { asRecord, checkEnum, checkPattern, checkSize, ifPresent, IntegerRule, PatternRule, rejected, withConsequence } from './value-rule';

export const CONSOLIDATION_POLICIES: readonly string[] = ['WhenEmpty', 'WhenEmptyOrUnderutilized', 'Balanced'];
export const DISRUPTION_REASONS: readonly string[] = ['Underutilized', 'Empty', 'Drifted', 'Unhealthy'];
export const BUDGETS_COUNT: IntegerRule = { min: 0, max: 50 };
export const BUDGET_REASONS_COUNT: IntegerRule = { min: 0, max: 50 };

/** What the API server fills in where a NodePool says nothing. */
export const DISRUPTION_DEFAULTS = {
  consolidateAfter: '0s',
  consolidationPolicy: 'WhenEmptyOrUnderutilized',
  budgetNodes: '10%',
} as const;

export const DURATION_OR_NEVER: PatternRule = {
  pattern: /^(([0-9]+(s|m|h))+|Never)$/,
  meaning: 'a duration of hours, minutes and seconds, or Never',
  remedy: 'write for example 720h, 1h30m or Never; days have no unit, 30 days are 720h',
};

export const TERMINATION_GRACE_PERIOD: PatternRule = {
  pattern: /^([0-9]+(s|m|h))+$/,
  meaning: 'a duration of hours, minutes and seconds',
  remedy: 'write for example 48h or 30m; leave it out for no limit',
};

export const BUDGET_NODES: PatternRule = {
  pattern: /^((100|[0-9]{1,2})%|[0-9]+)$/,
  meaning: 'a count of nodes or a whole percentage up to 100%, as a string',
  remedy: 'write for example "10%" or "2"',
};

export const BUDGET_DURATION: PatternRule = {
  pattern: /^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$/,
  meaning: 'a duration of hours and minutes',
  remedy: 'write for example 8h, 30m or 1h30m; a schedule has no seconds',
};

export const SCHEDULE_MACROS: readonly string[] = ['@annually', '@yearly', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];

const LONGEST_SCHEDULE = 256;

export function checkDisruption(path: FieldPath, raw: unknown): FieldProblem[] {
  const disruption = asRecord(raw);
  if (!disruption) return [rejected(path, 'must be an object', raw, 'write { consolidationPolicy, consolidateAfter, budgets }')];
  const { consolidateAfter, consolidationPolicy, budgets } = disruption;
  return [
    ...ifPresent(consolidationPolicy, () => checkEnum([...path, 'consolidationPolicy'], consolidationPolicy, CONSOLIDATION_POLICIES)),
    ...ifPresent(consolidateAfter, () => checkPattern([...path, 'consolidateAfter'], consolidateAfter, DURATION_OR_NEVER)),
    ...ifPresent(budgets, () => checkBudgets([...path, 'budgets'], budgets)),
  ];
}

function checkBudgets(path: FieldPath, raw: unknown): FieldProblem[] {
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list of budgets', raw, 'write a list of { nodes }')];
  return [...checkSize(path, raw.length, BUDGETS_COUNT, 'budgets'), ...raw.flatMap((budget, i) => checkBudget([...path, i], budget))];
}

export function checkBudget(path: FieldPath, raw: unknown): FieldProblem[] {
  const budget = asRecord(raw);
  if (!budget) return [rejected(path, 'must be an object with nodes', raw, 'write { nodes: "10%" }')];
  const { nodes, reasons, schedule, duration } = budget;
  return [
    // The API server fills in an absent `nodes` before it looks whether it is there.
    ...ifPresent(nodes, () => checkPattern([...path, 'nodes'], nodes, BUDGET_NODES)),
    ...ifPresent(reasons, () => checkReasons([...path, 'reasons'], reasons)),
    ...ifPresent(schedule, () => checkSchedule([...path, 'schedule'], schedule)),
    ...ifPresent(duration, () => checkPattern([...path, 'duration'], duration, BUDGET_DURATION)),
    ...checkWindow(path, schedule ?? undefined, duration ?? undefined),
  ];
}

function checkWindow(path: FieldPath, schedule: unknown, duration: unknown): FieldProblem[] {
  if ((schedule === undefined) === (duration === undefined)) return [];
  const missing = schedule === undefined ? 'schedule' : 'duration';
  return [rejected([...path, missing], 'must be set, because schedule and duration only work together', undefined, `add ${missing}, or remove the other`)];
}

function checkReasons(path: FieldPath, raw: unknown): FieldProblem[] {
  if (!Array.isArray(raw)) return [rejected(path, 'must be a list of reasons', raw, `write a list of ${DISRUPTION_REASONS.join(', ')}`)];
  const repeated = raw.find((reason, i) => raw.indexOf(reason) !== i);
  return [
    ...checkSize(path, raw.length, BUDGET_REASONS_COUNT, 'reasons'),
    ...raw.flatMap((reason, i) => checkEnum([...path, i], reason, DISRUPTION_REASONS)),
    ...(repeated === undefined ? [] : [rejected(path, 'must not repeat a reason', repeated, 'remove the second one')]),
  ];
}

/**
 * The schema's pattern is loose (it accepts `@dailyx`), and slow on long texts. What it lets through and the cron parser
 * does not, makes the budget allow no disruption at all.
 */
function checkSchedule(path: FieldPath, value: unknown): FieldProblem[] {
  const remedy = `write five fields such as "0 9 * * mon-fri", or one of ${SCHEDULE_MACROS.join(', ')}; times are UTC`;
  if (typeof value !== 'string' || value.length > LONGEST_SCHEDULE) return [rejected(path, 'must be a cron schedule', value, remedy)];
  const fields = value.trim().split(/\s+/);
  if (SCHEDULE_MACROS.includes(value.toLowerCase())) return [];
  if (fields.length === 5 && fields.every((field) => /^[-0-9A-Za-z*?/,]+$/.test(field))) return [];
  const macroLike = SCHEDULE_MACROS.some((macro) => value.startsWith(macro));
  if (fields.length < 5 && !macroLike) return [rejected(path, 'must be a cron schedule', value, remedy)];
  return [withConsequence('misread', path, 'must be a cron schedule, or no disruption is allowed at any time', value, remedy)];
}
