import type { Recommendation, Recommendations } from '../../validation';

/** A result as JSON: the edits of the changes are enough to make the files, so the texts of the files are left out. */
export function recommendationsJson(result: Recommendations): Omit<Recommendations, 'recommendations'> & {
  readonly recommendations: ReadonlyArray<Omit<Recommendation, 'files'>>;
} {
  return {
    ...result,
    recommendations: result.recommendations.map(({ files: _, ...recommendation }) => recommendation),
  };
}
