/** Source: IsActive in pkg/apis/v1/nodepool.go of sigs.k8s.io/karpenter v1.15.0, which parses with github.com/robfig/cron/v3. */
import { parseIntegerLikeGo } from '../../model';
import { FieldPath, FieldProblem } from '../field-problem';
import { asRecord } from '../value-rule';
import { misread } from './misread';

const MACROS: readonly string[] = ['@annually', '@yearly', '@monthly', '@weekly', '@daily', '@midnight', '@hourly'];
/** Fewest and most of each field, and the names that stand for numbers. */
const FIELDS: ReadonlyArray<{ readonly min: number; readonly max: number; readonly names: readonly string[] }> = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const LONGEST_SCHEDULE = 1024;

/** The schema's pattern is loose: what it lets through and the parser does not, makes the budget allow no disruption at all. */
export function adviseOnBudgets(path: FieldPath, raw: unknown): FieldProblem[] {
  return (Array.isArray(raw) ? raw : []).flatMap((item, i) => {
    const schedule = asRecord(item)?.schedule;
    if (typeof schedule !== 'string' || isSchedule(schedule)) return [];
    const remedy = `write five fields such as "0 9 * * mon-fri", or one of ${MACROS.join(', ')}; times are UTC`;
    return [misread([...path, i, 'schedule'], 'must be a cron schedule, or no disruption is allowed at any time', schedule, remedy)];
  });
}

export function isSchedule(text: string): boolean {
  if (text.length > LONGEST_SCHEDULE) return false;
  if (text.startsWith('@')) return MACROS.includes(text);
  const fields = text.split(/\s+/).filter((field) => field !== '');
  return fields.length === FIELDS.length && fields.every((field, i) => field.split(',').every((part) => part === '' || isPart(part, i)));
}

/** `*`, `5`, `1-5` or `mon-fri`, each with `/2` after it. */
function isPart(part: string, index: number): boolean {
  const [range, step, ...more] = part.split('/');
  if (more.length > 0 || (step !== undefined && !(numberOf(step) > 0))) return false;
  const [first, last, ...others] = range.split('-');
  // The parser looks at nothing behind these.
  if (first === '*' || first === '?') return true;
  const { min, max } = FIELDS[index];
  const start = valueOf(first, index);
  const end = last === undefined ? start : valueOf(last, index);
  return others.length === 0 && start >= min && start <= end && end <= max;
}

/** NaN if it is neither a number nor a name of the field. */
function valueOf(text: string, index: number): number {
  const { min, names } = FIELDS[index];
  const name = names.indexOf(text.toLowerCase());
  return name >= 0 ? name + min : numberOf(text);
}

function numberOf(text: string): number {
  return Number(parseIntegerLikeGo(text) ?? NaN);
}
