import { Consequence, FieldPath, FieldProblem } from './field-problem';

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
