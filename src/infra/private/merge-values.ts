export type Values = Record<string, unknown>;

/** Helm's own way: maps are merged, everything else of the second, lists and null too, stands in place of the first. */
export function mergeValues(base: Values, over: Values): Values {
  const merged: Values = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key];
    merged[key] = isMap(below) && isMap(value) ? mergeValues(below, value) : value;
  }
  return merged;
}

/** The value at a path, such as `settings`, `isolatedVPC`. */
export function valueAt(values: Values, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isMap(value) ? value[key] : undefined), values);
}

function isMap(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
