import type { CheckOptions } from '../../validation';
import { lazy } from '../lazy';

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
