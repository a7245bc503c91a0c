/** Keys and list positions from an object's root to a value in it. */
export type Path = readonly (string | number)[];

export function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>((index, step) => (index as Record<string, unknown> | undefined)?.[step], root);
}

/** A copy with another value at a path; undefined removes the field. */
export function withValue(root: unknown, path: Path, value: unknown): unknown {
  const copy = structuredClone(root);
  if (path.length === 0) return value;
  const parent = valueAt(copy, path.slice(0, -1)) as Record<string | number, unknown>;
  const key = path[path.length - 1];
  if (value !== undefined) parent[key] = value;
  else if (Array.isArray(parent)) parent.splice(Number(key), 1);
  else delete parent[key];
  return copy;
}

/** A JSON merge patch (RFC 7386): maps are merged, null removes a field, any other value replaces the old one. */
export function merge(target: unknown, patch: unknown): unknown {
  if (!isMap(patch)) return patch;
  const merged: Record<string, unknown> = isMap(target) ? { ...target } : {};
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete merged[key];
    else merged[key] = merge(merged[key], value);
  }
  return merged;
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
