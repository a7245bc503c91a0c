/** The few kinds of rule that the API's schema has for one value, as data, and the checks that read them. */
import { Consequence, FieldPath, FieldProblem } from './field-problem';

export interface IntegerRule {
  readonly min: number;
  /** Absent when there is no upper bound. */
  readonly max?: number;
}

export interface PatternRule {
  readonly pattern: RegExp;
  /** Tested before the pattern, so that a hostile text costs nothing. */
  readonly maxLength?: number;
  /** What the pattern means, as the end of 'must be …'. */
  readonly meaning: string;
  /** What to write instead. */
  readonly remedy: string;
}

/** Longer texts than this are in no field that has a pattern. */
const LONGEST_TEXT = 4096;

export function checkInteger(path: FieldPath, value: unknown, rule: IntegerRule): FieldProblem[] {
  const ok = typeof value === 'number' && Number.isInteger(value) && value >= rule.min && (rule.max === undefined || value <= rule.max);
  if (ok) return [];
  const range = rule.max === undefined ? `of ${rule.min} or more` : `from ${rule.min} to ${rule.max}`;
  return [rejected(path, `must be an integer ${range}`, value, `write an integer ${range}`)];
}

export function checkPattern(path: FieldPath, value: unknown, rule: PatternRule): FieldProblem[] {
  const ok = typeof value === 'string' && value.length <= (rule.maxLength ?? LONGEST_TEXT) && rule.pattern.test(value);
  return ok ? [] : [rejected(path, `must be ${rule.meaning}`, value, rule.remedy)];
}

export function checkEnum(path: FieldPath, value: unknown, allowed: readonly string[]): FieldProblem[] {
  if (typeof value === 'string' && allowed.includes(value)) return [];
  return [rejected(path, `must be one of ${allowed.join(', ')}`, value, `write ${remedyForEnum(value, allowed)}`)];
}

export function checkBoolean(path: FieldPath, value: unknown): FieldProblem[] {
  return typeof value === 'boolean' ? [] : [rejected(path, 'must be a boolean', value, 'write true or false, without quotes')];
}

export function checkString(path: FieldPath, value: unknown): FieldProblem[] {
  return typeof value === 'string' ? [] : [rejected(path, 'must be a string', value, 'put the value in quotes')];
}

export function checkText(path: FieldPath, value: unknown): FieldProblem[] {
  return typeof value === 'string' && value !== '' ? [] : [rejected(path, 'must be a non-empty string', value, 'write the value in quotes')];
}

export function checkSize(path: FieldPath, count: number, rule: IntegerRule, what: string): FieldProblem[] {
  if (count >= rule.min && (rule.max === undefined || count <= rule.max)) return [];
  if (count < rule.min) return [rejected(path, `must hold at least ${rule.min} ${what}`, count, `add ${what}`)];
  return [rejected(path, `must hold at most ${rule.max} ${what}`, count, `remove ${count - rule.max!} ${what}, or split the object`)];
}

/** Runs a check only where the field is written: an absent optional field is always right, and the API server drops nulls. */
export function ifPresent(value: unknown, check: () => FieldProblem[]): FieldProblem[] {
  return value === undefined || value === null ? [] : check();
}

export function rejected(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('rejected', path, problem, got, remedy);
}

export function withConsequence(consequence: Consequence, path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return { path, problem, got, remedy, consequence };
}

/** A plain object of a manifest; anything else is undefined, so that broken input reads as empty. */
export function asRecord(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value as Record<string, unknown> : undefined;
}

function remedyForEnum(value: unknown, allowed: readonly string[]): string {
  const sameWord = allowed.find((a) => typeof value === 'string' && a.toLowerCase() === value.toLowerCase());
  return sameWord ?? (allowed.length > 1 ? `${allowed.slice(0, -1).join(', ')} or ${allowed[allowed.length - 1]}` : allowed[0]);
}
