import { Consequence, FieldPath, FieldProblem } from '../field-problem';

/** The violated rule: a keyword of the schema, a CEL rule, or a rule for objects of every kind. */
export type ValidationRule =
  | 'type'
  | 'enum'
  | 'minimum'
  | 'maximum'
  | 'multipleOf'
  | 'minLength'
  | 'maxLength'
  | 'pattern'
  | 'format'
  | 'minItems'
  | 'maxItems'
  | 'uniqueItems'
  | 'minProperties'
  | 'maxProperties'
  | 'required'
  | 'allOf'
  | 'anyOf'
  | 'oneOf'
  | 'not'
  | 'list-type'
  | 'unknown-field'
  | 'cel'
  | 'scale'
  | 'metadata'
  | 'size'
  | 'runtime';

/** A problem of one field, with the violated rule. */
export interface Violation extends FieldProblem {
  readonly rule: ValidationRule;
}

/** After a violation of these rules, the API server evaluates no CEL rule of the object. */
const SKIPS_CEL_RULES: readonly ValidationRule[] = [
  'type',
  'required',
  'enum',
  'maxLength',
  'maxItems',
  'maxProperties',
  'format',
];

export function skipsCelRules({ rule }: Violation): boolean {
  return SKIPS_CEL_RULES.includes(rule);
}

export function createViolation(
  rule: ValidationRule,
  path: FieldPath,
  problem: string,
  got: unknown,
  remedy: string,
  apiServer: string,
  consequence: Consequence = 'rejected',
): Violation {
  return { rule, path, problem, got, remedy, consequence, apiServer };
}

/** A path as the API server prints it, such as `spec.tags.a`: keys of maps look like fields. */
export function schemaPath(path: FieldPath): string {
  return path.map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`)).join('');
}

/** `<path>: Invalid value: <value>: <detail>` */
export function invalidValueText(path: FieldPath, value: unknown, detail: string): string {
  return `${schemaPath(path)}: Invalid value: ${JSON.stringify(value) ?? 'null'}: ${detail}`;
}

/** Whether the first path equals the second path or is inside it. */
export function isInside(path: FieldPath, ancestor: FieldPath): boolean {
  return path.length >= ancestor.length && ancestor.every((step, i) => path[i] === step);
}
