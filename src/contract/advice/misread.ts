import { FieldPath, FieldProblem } from '../field-problem';
import { withConsequence } from '../value-rule';

/** Taken and used, and not as it is written. */
export function misread(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('misread', path, problem, got, remedy);
}

/** Taken, and refused by EC2 at every launch. */
export function launchFails(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('launch-fails', path, problem, got, remedy);
}
