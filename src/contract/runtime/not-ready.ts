import { FieldPath, FieldProblem } from '../field-problem';
import { withConsequence } from '../value-rule';

/** The API server takes it, Karpenter does not. */
export function notReady(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('not-ready', path, problem, got, remedy);
}
