import { LabelSelector } from '../../manifest/model';

/** Kubernetes' selector semantics: every clause holds; no clause selects everything. */
export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const equal = Object.entries(selector.matchLabels ?? {}).every(([key, value]) => labels[key] === value);
  return equal && (selector.matchExpressions ?? []).every((expression) => expressionHolds(expression, labels));
}

function expressionHolds(
  expression: NonNullable<LabelSelector['matchExpressions']>[number],
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.prototype.hasOwnProperty.call(labels, expression.key) ? labels[expression.key] : undefined;
  switch (expression.operator) {
    case 'In': return value !== undefined && (expression.values ?? []).includes(value);
    case 'NotIn': return value === undefined || !(expression.values ?? []).includes(value);
    case 'Exists': return value !== undefined;
    case 'DoesNotExist': return value === undefined;
    // The API server refuses any other operator, so such a selector selects nothing.
    default: return false;
  }
}
