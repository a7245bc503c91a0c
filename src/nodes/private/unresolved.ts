/**
 * Values that are known only at synth: cdk8s `Lazy`, tokens of other construct libraries, and pending lookups of the
 * AWS CDK. They cannot be checked at construction.
 */
import { FieldPath, FieldProblem, hasDummyValue } from '../../contract';
import { isTokenNumber, isTokenText } from '../../model';

export function isUnresolved(value: unknown): boolean {
  if (typeof value === 'string') return isTokenText(value) || hasDummyValue(value);
  if (typeof value === 'number') return isTokenNumber(value);
  return typeof value === 'object' && value !== null && (isProducer(value) || 'resolve' in value);
}

function isProducer(value: object): value is { produce(): unknown } {
  return typeof (value as { produce?: unknown }).produce === 'function';
}

/** The same tree with every `Lazy` replaced by its current value. */
export function produceLazies(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(produceLazies);
  if (typeof value !== 'object' || value === null) return value;
  if (isProducer(value)) return produceLazies(value.produce());
  if (isUnresolved(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, produceLazies(child)]));
}

/** Drops the problems of values that are unresolved or contain an unresolved value. */
export function dropUnresolvedProblems(problems: readonly FieldProblem[], manifest: unknown): FieldProblem[] {
  return problems.filter((problem) => !dependsOnUnresolved(manifest, problem.path));
}

function dependsOnUnresolved(value: unknown, path: FieldPath): boolean {
  if (isUnresolved(value)) return true;
  if (path.length === 0) return containsUnresolved(value);
  if (typeof value !== 'object' || value === null) return false;
  return dependsOnUnresolved((value as Record<string | number, unknown>)[path[0]], path.slice(1));
}

function containsUnresolved(value: unknown): boolean {
  if (isUnresolved(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(containsUnresolved);
}
