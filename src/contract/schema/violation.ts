import { Consequence, FieldPath, FieldProblem } from '../field-problem';

/** What of a schema a value breaks: a keyword of it, a CEL rule, or one of the rules that hold for every kind. */
export type BrokenRule =
  | 'type' | 'enum' | 'minimum' | 'maximum' | 'multipleOf' | 'minLength' | 'maxLength' | 'pattern' | 'format' | 'minItems' | 'maxItems' | 'uniqueItems'
  | 'minProperties' | 'maxProperties' | 'required' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'list-type' | 'unknown-field' | 'cel' | 'scale' | 'metadata' | 'size' | 'runtime';

/** One thing that is wrong with an object, at the field that it is wrong at. */
export interface Violation extends FieldProblem {
  readonly rule: BrokenRule;
}

/** After these the API server looks at no CEL rule of the object. */
const BLOCKING: readonly BrokenRule[] = ['type', 'required', 'enum', 'maxLength', 'maxItems', 'maxProperties', 'format'];

export function isBlocking({ rule }: Violation): boolean {
  return BLOCKING.includes(rule);
}

export function refusal(
  rule: BrokenRule, path: FieldPath, problem: string, got: unknown, remedy: string, apiServer: string, consequence: Consequence = 'rejected',
): Violation {
  return { rule, path, problem, got, remedy, consequence, apiServer };
}

/** A path as the API server's schema check prints it: `spec.tags.a`, with keys of maps as if they were fields. */
export function schemaPath(path: FieldPath): string {
  return path.map((step, i) => typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`).join('');
}

/** `<path>: Invalid value: <value>: <detail>` */
export function invalid(path: FieldPath, value: unknown, detail: string): string {
  return `${schemaPath(path)}: Invalid value: ${JSON.stringify(value) ?? 'null'}: ${detail}`;
}

/** Whether the first path is the second one, or leads into it. */
export function isInside(path: FieldPath, ancestor: FieldPath): boolean {
  return path.length >= ancestor.length && ancestor.every((step, i) => path[i] === step);
}
