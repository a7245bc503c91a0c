import { child, Json, ensureList, recordsIn } from './editable-workload';

/**
 * Adds a required node label, unless the pod already constrains that label. Terms are ORed, so each term gets the
 * expression.
 */
export function requireNodeLabel(pod: Json, key: string, operator: 'In' | 'NotIn', values: readonly string[]): void {
  if (pod.nodeSelector?.[key] !== undefined) return;
  const terms = ensureList(
    child(child(child(pod, 'affinity'), 'nodeAffinity'), 'requiredDuringSchedulingIgnoredDuringExecution'),
    'nodeSelectorTerms',
  );
  const own = terms.length === 0 ? [{}] : matchingTerms(terms);
  if (terms.length === 0) terms.push(...own);
  for (const term of own) {
    const expressions = ensureList(term, 'matchExpressions');
    if (!expressions.some((expression) => expression.key === key))
      expressions.push({ key, operator, values: [...values] });
  }
}

/** Returns the expressions about the matching labels, for each node selector term of the pod. */
export function expressionsByTerm(pod: Json, isMeant: (key: string) => boolean): Json[][] {
  const terms = recordsIn(
    pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms,
  );
  return matchingTerms(terms).map(({ matchExpressions }) =>
    recordsIn(matchExpressions).filter(({ key }) => isMeant(key)),
  );
}

/** Leaves out empty terms: an empty term matches no node, and an added expression would make it match some. */
function matchingTerms(terms: readonly Json[]): Json[] {
  return terms.filter(
    ({ matchExpressions, matchFields }) => recordsIn(matchExpressions).length + recordsIn(matchFields).length > 0,
  );
}
