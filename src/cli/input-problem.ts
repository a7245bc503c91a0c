import { printable } from '../model';
import type { Finding } from '../validation';

/** What is wrong with the input, and where. */
export interface InputProblem extends Pick<Finding, 'message' | 'remedy'> {
  readonly location: Pick<Finding['location'], 'file' | 'line' | 'column'>;
}

export function describeProblem({ location, message, remedy }: InputProblem): string {
  const where = location.file === '' ? '' : `${location.file}:${location.line}:${location.column}: `;
  return printable(`error: ${where}${message}; ${remedy}\n`);
}
