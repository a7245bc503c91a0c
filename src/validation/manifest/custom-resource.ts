import { isToken } from './field-reader';
import { FieldPath, ManifestObject } from './model';
import { ProblemLog } from './problem-log';
import { Consequence, FieldProblem, formatFieldPath } from '../../contract';

export interface TokenField {
  readonly steps: FieldPath;
  readonly text: string;
}

/**
 * Logs what is wrong with one of Karpenter's own objects. Of a field that holds a token nothing is known, and so nothing is said:
 * such fields are returned.
 */
export function addProblems(
  object: ManifestObject, problems: readonly FieldProblem[], log: ProblemLog,
): { tokens: TokenField[]; kept: FieldProblem[] } {
  const tokens = tokenFields(object.raw, []);
  const kept = problems.filter(({ path }) => !tokens.some((token) => overlap(token.steps, path)));
  for (const problem of kept) log.addFieldProblem(object, problem);
  return { tokens, kept };
}

/** Whether Karpenter leaves an object with such a field out, rather than using it in another way than it is meant. */
export function preventsUse(consequence: Consequence): boolean {
  return consequence === 'rejected' || consequence === 'not-ready';
}

function tokenFields(value: unknown, path: FieldPath): TokenField[] {
  if (isToken(value)) return [{ steps: path, text: formatFieldPath(path) }];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    return isToken(key) ? [{ steps: at, text: formatFieldPath(at) }] : tokenFields(item, at);
  });
}

/** Whether one of the paths is inside the other. */
function overlap(left: FieldPath, right: FieldPath): boolean {
  const length = Math.min(left.length, right.length);
  return left.slice(0, length).every((step, i) => step === right[i]);
}
