import { child, Json, list, recordsIn } from './subject';

/** Requires it of the node, unless the pod says something of the label already. Terms are alternatives, so each of them has to say it. */
export function requireOfNode(pod: Json, key: string, operator: 'In' | 'NotIn', values: readonly string[]): void {
  if (pod.nodeSelector?.[key] !== undefined) return;
  const terms = list(child(child(child(pod, 'affinity'), 'nodeAffinity'), 'requiredDuringSchedulingIgnoredDuringExecution'), 'nodeSelectorTerms');
  const own = terms.length === 0 ? [{}] : matchingTerms(terms);
  if (terms.length === 0) terms.push(...own);
  for (const term of own) {
    const expressions = list(term, 'matchExpressions');
    if (!expressions.some((expression) => expression.key === key)) expressions.push({ key, operator, values: [...values] });
  }
}

/** For each of the terms of the pod what it says of these labels. */
export function expressionsByTerm(pod: Json, isMeant: (key: string) => boolean): Json[][] {
  const terms = recordsIn(pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms);
  return matchingTerms(terms).map(({ matchExpressions }) => recordsIn(matchExpressions).filter(({ key }) => isMeant(key)));
}

/** A term without anything in it matches no node, and has to stay so. */
function matchingTerms(terms: readonly Json[]): Json[] {
  return terms.filter(({ matchExpressions, matchFields }) => recordsIn(matchExpressions).length + recordsIn(matchFields).length > 0);
}
