/** What a later step replaces: a CDK token, a CloudFormation reference, a Helm action, a shell variable. None is legal in a label or a quantity. */
const PLACEHOLDER = /[$#]\{|\$\(|\{\{/;
/** CDK writes a number that is not known yet as one near -1.888e+289. */
const LEAST_NUMBER = -1e288;

/** The first text within a value that is not known yet, in document order. */
export function findUnresolved(value: unknown): string | undefined {
  if (typeof value === 'string') {
    return PLACEHOLDER.test(value) ? value : undefined;
  }
  if (typeof value === 'number') {
    return value < LEAST_NUMBER ? 'a number' : undefined;
  }
  if (Array.isArray(value)) {
    return firstOf(value);
  }
  if (value !== null && typeof value === 'object') {
    return firstOf(Object.keys(value)) ?? firstOf(Object.values(value));
  }
  return undefined;
}

function firstOf(values: readonly unknown[]): string | undefined {
  for (const value of values) {
    const found = findUnresolved(value);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}
