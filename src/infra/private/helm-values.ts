import { Token } from 'aws-cdk-lib';

export type Values = Record<string, unknown>;

/**
 * Merges values as Helm does: maps are merged, and anything else in `overrides`, such as a list or null, replaces the
 * value in `base`. The maps are copied, because jsii marks maps that came from Go, and Go would read the marks back.
 */
export function mergeValues(base: Values, overrides: Values): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    merged[key] = mergeValue(merged[key], value);
  }
  return merged;
}

function mergeValue(base: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mergeValue(undefined, item));
  return isMap(value) ? mergeValues(isMap(base) ? base : {}, value) : value;
}

/** The value at a path, such as `settings`, `isolatedVPC`. */
export function valueAt(values: Values, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isMap(value) ? value[key] : undefined), values);
}

/** A token is not a map: its value is known only when the app is synthesised. */
function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}
