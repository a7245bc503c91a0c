import { Token } from 'aws-cdk-lib';

export type Values = Record<string, unknown>;

/**
 * Helm's own way: maps are merged, everything else of the second, lists and null too, stands in place of the first.
 * What is given is copied: maps that came from Go would be marked as such where Go reads them back.
 */
export function mergeValues(base: Values, over: Values): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(over)) {
    merged[key] = mergeValue(merged[key], value);
  }
  return merged;
}

function mergeValue(below: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => mergeValue(undefined, each));
  return isMap(value) ? mergeValues(isMap(below) ? below : {}, value) : value;
}

/** The value at a path, such as `settings`, `isolatedVPC`. */
export function valueAt(values: Values, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isMap(value) ? value[key] : undefined), values);
}

/** Not so what is known at synthesis only. */
function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}
