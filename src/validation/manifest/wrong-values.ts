import { isToken } from './field-reader';
import { ManifestObject } from './model';
import { ProblemLog } from './problem-log';
import { wrongKubernetesValues } from '../../contract';

/** Left by a program that renders the manifest, in a notation of its own. */
const TEMPLATE = /\$\{|\{\{|\$\(|<%/;

/**
 * Logs values that the API server cannot decode, or that its enumerations lack. Places with a finding of another check
 * stay as they are. Returns whether the API server refuses the object.
 */
export function logWrongValues(object: ManifestObject, log: ProblemLog): boolean {
  // An operator makes the rest of its object itself, and Terraform turns the numbers of its arguments into texts.
  if (object.madeBy !== undefined || object.locate([]).file.endsWith('.tf')) return false;
  const problems = wrongKubernetesValues(object.apiVersion, object.kind, object.raw).filter(
    ({ got, path }) =>
      !isToken(got) && !(typeof got === 'string' && TEMPLATE.test(got)) && !path.some((step) => isToken(step)),
  );
  for (const problem of problems) if (!log.hasProblemAt(object, problem.path)) log.addFieldProblem(object, problem);
  return problems.length > 0;
}
