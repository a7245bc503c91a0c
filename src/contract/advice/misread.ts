import { FieldPath, FieldProblem } from '../field-problem';
import { withConsequence } from '../value-rule';

/** Taken and used, and not as it is written. */
export function misread(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('misread', path, problem, got, remedy);
}

/** Taken, and refused at every launch: by EC2, or the NodeClaim by the API server. */
export function launchFails(path: FieldPath, problem: string, got: unknown, remedy: string): FieldProblem {
  return withConsequence('launch-fails', path, problem, got, remedy);
}
