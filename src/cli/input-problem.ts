import { printable } from '../model';
import type { Finding } from '../validation';

/** What is wrong with the input, and where. */
export interface InputProblem extends Pick<Finding, 'message' | 'remedy'> {
  readonly location: Pick<Finding['location'], 'file' | 'line' | 'column'>;
}

/** Whether some of the problems are of the files that say how the cluster is: what is said of another one is worse than nothing. */
export function isClusterUnread(problems: readonly InputProblem[], cluster: ReadonlyArray<{ readonly path: string }> = []): boolean {
  const files = new Set(cluster.map(({ path }) => path));
  return problems.some(({ location: { file } }) => files.has(file));
}

export function describeProblem({ location, message, remedy }: InputProblem): string {
  const where = location.file === '' ? '' : `${location.file}:${location.line}:${location.column}: `;
  return printable(`error: ${where}${message}; ${remedy}\n`);
}
