/** Values of a Helm chart. */
export type HelmValues = Record<string, unknown>;

/**
 * Merges values as Helm does: maps are merged, and anything else in `overrides`, such as a list or null, replaces the
 * value in `base`. The maps are copied, because jsii marks maps that came from Go, and Go would read the marks back.
 */
export function mergeValues(base: HelmValues, overrides: HelmValues): HelmValues {
  const merged: HelmValues = { ...base };
  for (const [key, value] of Object.entries(overrides)) {
    merged[key] = mergeValue(merged[key], value);
  }
  return merged;
}

function mergeValue(base: unknown, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => mergeValue(undefined, item));
  return isValueMap(value) ? mergeValues(isValueMap(base) ? base : {}, value) : value;
}

/** The value at a path, such as `settings`, `isolatedVPC`. */
export function helmValue(values: HelmValues, ...path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isValueMap(value) ? value[key] : undefined), values);
}

/** An object of a class, such as a CDK token, is not a map: its value is known only when the app is synthesised. */
function isValueMap(value: unknown): value is HelmValues {
  if (typeof value !== 'object' || value === null) return false;
  return [Object.prototype, null].includes(Object.getPrototypeOf(value));
}
