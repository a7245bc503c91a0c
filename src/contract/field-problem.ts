import { FieldFix } from './field-edit';
import { FieldPath } from './field-path';

export type { FieldPath } from './field-path';

/**
 * A problem of one field. Constructs throw it as an error, and the validator reports it as a finding. Both must print
 * the same text, so the problem is data and this file formats it.
 */

/**
 * The consequence of applying the object as written:
 * - `rejected`: the API server rejects the object;
 * - `not-ready`: the API server accepts the object, but Karpenter marks it as not ready and ignores it;
 * - `launch-fails`: Karpenter accepts the object, but EC2 rejects every launch, or the API server every NodeClaim;
 * - `misread`: Karpenter uses the object, but the field has another effect than the manifest suggests.
 */
export type Consequence = 'rejected' | 'not-ready' | 'launch-fails' | 'misread';

export interface FieldProblem {
  readonly path: FieldPath;
  /** What is wrong, in lower case and without a full stop. */
  readonly problem: string;
  /** The value in the manifest. Absent if the field is missing. */
  readonly got?: unknown;
  /** What to write instead, in the imperative. */
  readonly remedy: string;
  readonly consequence: Consequence;
  /** The remedy as a change of the object, if it leaves no choice. */
  readonly fix?: FieldFix;
  /** Whether a misread field keeps Karpenter from working, so that it is an error. @default false */
  readonly isSevere?: boolean;
  /** The API server's own message, if the API server rejects the object. */
  readonly apiServer?: string;
}

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_VALUE_LENGTH = 120;
/** A number or boolean in quotes, and a problem that wants it without: only its type is wrong. */
const SCALAR = /^(?:-?\d+(?:\.\d+)?|true|false)$/;
const WANTS_SCALAR = /^must be (?:an integer|a number|a boolean|true or false)/;

/** `spec.template.spec.requirements[2].values`; keys other than plain identifiers are quoted. */
export function formatFieldPath(path: FieldPath): string {
  return path
    .map((step, i) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!PLAIN_KEY.test(step)) return `[${JSON.stringify(step)}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join('');
}

/** `<problem>, got <value>; <remedy>`. */
export function formatFieldProblem(problem: FieldProblem): string {
  return `${problem.problem}, got ${formatGot(problem)}; ${problem.remedy}`;
}

/** The value, with its type if only the type is wrong: `"4" (a string)`. */
export function formatGot({ problem, got }: Pick<FieldProblem, 'problem' | 'got'>): string {
  const isQuoted = typeof got === 'string' && SCALAR.test(got) && WANTS_SCALAR.test(problem);
  return `${formatValue(got)}${isQuoted ? ' (a string)' : ''}`;
}

/** The value as JSON, shortened to 120 characters. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

/** The API server accepts the object, but Karpenter marks it as not ready. */
export function notReady(path: FieldPath, problem: string, got: unknown, remedy: string, fix?: FieldFix): FieldProblem {
  return withConsequence('not-ready', path, problem, got, remedy, fix);
}

/** Karpenter uses the object, but the field has another effect than the manifest suggests. */
export function misread(path: FieldPath, problem: string, got: unknown, remedy: string, fix?: FieldFix): FieldProblem {
  return withConsequence('misread', path, problem, got, remedy, fix);
}

/** Karpenter accepts the object, but every launch fails: EC2 rejects it, or the API server rejects the NodeClaim. */
export function launchFails(
  path: FieldPath,
  problem: string,
  got: unknown,
  remedy: string,
  fix?: FieldFix,
): FieldProblem {
  return withConsequence('launch-fails', path, problem, got, remedy, fix);
}

/** The API server rejects the object. */
export function rejected(path: FieldPath, problem: string, got: unknown, remedy: string, fix?: FieldFix): FieldProblem {
  return withConsequence('rejected', path, problem, got, remedy, fix);
}

export function withConsequence(
  consequence: Consequence,
  path: FieldPath,
  problem: string,
  got: unknown,
  remedy: string,
  fix?: FieldFix,
): FieldProblem {
  return { path, problem, got, remedy, consequence, ...(fix ? { fix } : {}) };
}

/** The value if it is a plain object. Undefined otherwise, so that invalid input reads as empty. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : undefined;
}
