import { child, Json, list, recordsIn } from './subject';

/** Requires it of the node, unless the pod says something of the label already. Terms are alternatives, so each of them has to say it. */
export function requireOfNode(pod: Json, key: string, operator: 'In' | 'NotIn', values: readonly string[]): void {
  if (pod.nodeSelector?.[key] !== undefined) return;
  const required = child(child(child(pod, 'affinity'), 'nodeAffinity'), 'requiredDuringSchedulingIgnoredDuringExecution');
  const terms = list(required, 'nodeSelectorTerms');
  if (terms.length === 0) terms.push({});
  for (const term of recordsIn(terms)) {
    const expressions = list(term, 'matchExpressions');
    if (!expressions.some((expression) => expression.key === key)) expressions.push({ key, operator, values: [...values] });
  }
}
