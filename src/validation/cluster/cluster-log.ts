import { FieldProblem, formatFieldPath, formatValue } from '../../contract';
import { ManifestObject } from '../manifest/model';
import { ProblemLog, READING_RULES } from '../manifest/problem-log';

/**
 * What is wrong in files that say how the cluster is. Their objects have passed the API server once, so that a field that
 * cannot be read makes the file unusable, and is no mistake in a manifest.
 */
export class ClusterLog extends ProblemLog {
  public override addFieldProblem(object: ManifestObject, { path, problem, got, remedy, consequence }: FieldProblem): void {
    if (consequence === 'misread') return;
    const message = `${formatFieldPath(path)}: ${problem}, got ${formatValue(got)}; the ${object.kind} is left out of the cluster`;
    this.add(READING_RULES.unreadable, 'error', object, path, message, `${remedy}, or write the file anew with kubectl get`);
  }

  /** Nothing else of such an object is judged. */
  public override add(...problem: Parameters<ProblemLog['add']>): void {
    if (problem[0] === READING_RULES.unreadable) super.add(...problem);
  }
}
