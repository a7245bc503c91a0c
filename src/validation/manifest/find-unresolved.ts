import { isTokenNumber } from '../../model';
import { hasPlaceholder } from './placeholders/placeholder';

/**
 * Text that a later step replaces: a CDK token, a CloudFormation reference, a Helm action, a shell variable. Labels
 * and quantities cannot contain it.
 */
const PLACEHOLDER = /[$#]\{|\$\(|\{\{/;

/** The first text in a value that is known only at deployment, in document order. */
export function findUnresolved(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return PLACEHOLDER.test(value) || hasPlaceholder(value) ? value : undefined;
  }
  if (typeof value === 'number') {
    return isTokenNumber(value) ? 'a number' : undefined;
  }
  if (Array.isArray(value)) {
    return firstUnresolved(value);
  }
  if (value !== null && typeof value === 'object') {
    return firstUnresolved(Object.keys(value)) ?? firstUnresolved(Object.values(value));
  }
  return undefined;
}

/** Why an object with this value cannot be evaluated; undefined if the whole value is known. */
export function whyUnresolved(value: unknown): string | undefined {
  const unresolved = findUnresolved(value);
  return unresolved === undefined ? undefined : `the value of ${unresolved} is known only at deployment`;
}

function firstUnresolved(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const unresolved = findUnresolved(value);
    if (unresolved !== undefined) {
      return unresolved;
    }
  }
  return undefined;
}
