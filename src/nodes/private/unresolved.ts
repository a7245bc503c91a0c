/**
 * Values that are only known at synth: cdk8s `Lazy`, the tokens of other construct libraries, and what the AWS CDK is
 * yet to look up. What is wrong with them cannot be said before.
 */
import { FieldPath, FieldProblem, hasStandIn } from '../../contract';

/** How aws-cdk-lib writes a token into a text. */
const TOKEN_IN_TEXT = '${Token[';
/** aws-cdk-lib writes a token into a number as one far below this. */
const TOKEN_AS_NUMBER = -1e280;

export function isUnresolved(value: unknown): boolean {
  if (typeof value === 'string') return value.includes(TOKEN_IN_TEXT) || hasStandIn(value);
  if (typeof value === 'number') return value < TOKEN_AS_NUMBER;
  return typeof value === 'object' && value !== null && (isProducer(value) || 'resolve' in value);
}

function isProducer(value: object): value is { produce(): unknown } {
  return typeof (value as { produce?: unknown }).produce === 'function';
}

/** The same tree with every `Lazy` replaced by what it produces now. */
export function produceLazies(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(produceLazies);
  if (typeof value !== 'object' || value === null) return value;
  if (isProducer(value)) return produceLazies(value.produce());
  if (isUnresolved(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, produceLazies(child)]));
}

/** Without the problems that are about a value that is not known yet, or about something that contains one. */
export function withoutUnresolved(problems: readonly FieldProblem[], manifest: unknown): FieldProblem[] {
  return problems.filter((problem) => !meetsUnresolved(manifest, problem.path));
}

function meetsUnresolved(value: unknown, path: FieldPath): boolean {
  if (isUnresolved(value)) return true;
  if (path.length === 0) return containsUnresolved(value);
  if (typeof value !== 'object' || value === null) return false;
  return meetsUnresolved((value as Record<string | number, unknown>)[path[0]], path.slice(1));
}

function containsUnresolved(value: unknown): boolean {
  if (isUnresolved(value)) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(containsUnresolved);
}
