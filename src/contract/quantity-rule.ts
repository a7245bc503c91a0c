/** Rules for maps from resource to quantity: limits and capacity. */
import { FieldPath, FieldProblem } from './field-problem';
import { asRecord, checkPattern, PatternRule, rejected } from './value-rule';

export const RESOURCE_QUANTITY: PatternRule = {
  pattern: /^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$/,
  maxLength: 64,
  meaning: 'a Kubernetes quantity',
  remedy: 'write for example 1000, 500m or 1000Gi',
};

/** @param example of a map, for the remedy */
export function checkQuantities(path: FieldPath, raw: unknown, example: string): FieldProblem[] {
  const quantities = asRecord(raw);
  if (!quantities) return [rejected(path, 'must be a map from resource to quantity', raw, `write for example ${example}`)];
  return Object.entries(quantities).flatMap(([resource, quantity]) =>
    Number.isInteger(quantity) ? [] : checkPattern([...path, resource], quantity, RESOURCE_QUANTITY));
}

/** The resources of which there is less than nothing. */
export function negativeQuantities(raw: unknown): string[] {
  return Object.entries(asRecord(raw) ?? {}).filter(([, quantity]) => isNegative(quantity)).map(([resource]) => resource);
}

function isNegative(quantity: unknown): boolean {
  return typeof quantity === 'string' ? quantity.startsWith('-') : typeof quantity === 'number' && quantity < 0;
}
