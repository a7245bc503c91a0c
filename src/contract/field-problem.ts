/**
 * What a check finds wrong with one field. Constructs throw it, the validator turns it into a finding: both must say
 * the same thing, so it is data, and its text is made in one place.
 */

/** Keys and list positions from the manifest's root to a field. */
export type FieldPath = readonly (string | number)[];

/**
 * What follows if the field is applied as it is:
 * - `rejected`: the API server refuses the object;
 * - `not-ready`: the object is accepted, and Karpenter then marks it not ready and leaves it out;
 * - `launch-fails`: Karpenter accepts it too, and EC2 then refuses every launch, or the API server every NodeClaim;
 * - `misread`: the object is accepted and used, and the field does something else than it says.
 */
export type Consequence = 'rejected' | 'not-ready' | 'launch-fails' | 'misread';

export interface FieldProblem {
  readonly path: FieldPath;
  /** What is wrong: lower case, no full stop. */
  readonly problem: string;
  /** The value found; absent when the field itself is missing. */
  readonly got?: unknown;
  /** What to write instead, in the imperative. */
  readonly remedy: string;
  readonly consequence: Consequence;
  /** What the API server prints, where it is the one that refuses. */
  readonly apiServer?: string;
}

const PLAIN_KEY = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LONGEST_SHOWN_VALUE = 120;

/** `spec.template.spec.requirements[2].values`; keys that are not plain words are quoted. */
export function formatFieldPath(path: FieldPath): string {
  return path
    .map((step, i) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!PLAIN_KEY.test(step)) return `[${JSON.stringify(step)}]`;
      return i === 0 ? step : `.${step}`;
    })
    .join('');
}

/** `<what is wrong>, got <value>; <what to write instead>`. */
export function formatFieldProblem(problem: FieldProblem): string {
  return `${problem.problem}, got ${formatValue(problem.got)}; ${problem.remedy}`;
}

/** The value as one would write it, shortened. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  const text = JSON.stringify(value) ?? typeof value;
  return text.length > LONGEST_SHOWN_VALUE ? `${text.slice(0, LONGEST_SHOWN_VALUE)}…` : text;
}
