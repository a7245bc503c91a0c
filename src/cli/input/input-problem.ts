import { printableLine } from '../../model';
import type { Finding, CheckOptions } from '../../validation';
import { lazy } from '../lazy';

/** A problem of the input, and its place. */
export interface InputProblem extends Pick<Finding, 'message' | 'remedy'> {
  readonly location: Pick<Finding['location'], 'file' | 'line' | 'column'>;
}

/**
 * Whether a cluster file could not be read. Then nothing is printed, because the result would be about another cluster.
 */
export function isClusterUnread(
  problems: readonly InputProblem[],
  cluster: ReadonlyArray<{ readonly path: string }> = [],
): boolean {
  const files = new Set(cluster.map(({ path }) => path));
  return problems.some(({ location: { file } }) => files.has(file));
}

export function describeProblem({ location, message, remedy }: InputProblem): string {
  const where = location.file === '' ? '' : `${location.file}:${location.line}:${location.column}: `;
  return `${printableLine(`error: ${where}${message}; ${remedy}`)}\n`;
}

/**
 * The result for one of several roots. If an unexpected error ends it, this is the sentence on the error, so that the
 * other roots still get their results.
 */
export function withoutInternalError<Result>(options: CheckOptions, action: () => Result): Result | string {
  try {
    return action();
  } catch (error) {
    if (error instanceof lazy.catalog.CatalogProblem) throw error;
    options.onInternalError?.(error);
    return `${lazy.validation.internalErrorText(error)}; ${lazy.validation.INTERNAL_ERROR_REMEDY}`;
  }
}
