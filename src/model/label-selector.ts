import { memoizeByIdentity } from './memoize-by-identity';

/** A Kubernetes label selector: every clause must hold. A selector without clauses selects everything. */
export interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly LabelSelectorExpression[];
}

export interface LabelSelectorExpression {
  readonly key: string;
  /** In, NotIn, Exists or DoesNotExist. */
  readonly operator: string;
  readonly values?: readonly string[];
}

/** @see https://kubernetes.io/docs/concepts/overview/working-with-objects/labels/#label-selectors */
export function selects(selector: LabelSelector, labels: Readonly<Record<string, string>>): boolean {
  const { matchLabels, matchExpressions } = selector;
  if (matchLabels) for (const key of keysOf(matchLabels)) if (labels[key] !== matchLabels[key]) return false;
  return matchExpressions === undefined || matchExpressions.every((expression) => expressionHolds(expression, labels));
}

/** Hot path: most selectors are compared with hundreds of pods. */
const keysOf = memoizeByIdentity((labels: Readonly<Record<string, string>>): readonly string[] => Object.keys(labels));

function expressionHolds(
  { key, operator, values = [] }: LabelSelectorExpression,
  labels: Readonly<Record<string, string>>,
): boolean {
  const value = Object.prototype.hasOwnProperty.call(labels, key) ? labels[key] : undefined;
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    // The API server rejects any other operator, so such a selector selects nothing.
    default:
      return false;
  }
}
