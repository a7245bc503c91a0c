/** A mapping without prototype, so that any key is a plain property. */
export type PlainFields = Record<string, unknown>;

export function isFields(value: unknown): value is PlainFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function newFields(entries: Readonly<PlainFields> = {}): PlainFields {
  return Object.assign(Object.create(null) as PlainFields, entries);
}

/** A deep copy, whose mappings have no prototype. */
export function clone<T>(value: T): T {
  if (Array.isArray(value)) return value.map(clone) as T;
  if (!isFields(value)) return value;
  const copy = newFields();
  for (const key of Object.keys(value)) copy[key] = clone(value[key]);
  return copy as T;
}

/** The text of a scalar. A missing value, a mapping and a list have none. */
export function textOf(value: unknown): string {
  return typeof value === 'object' || value === undefined ? '' : String(value);
}

export function isScalar(value: unknown): boolean {
  return value !== undefined && value !== null && typeof value !== 'object';
}

export function isMissing(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** The inner mapping of a field, made if it is missing. */
export function mappingAt(fields: PlainFields, key: string): PlainFields {
  const inner = fields[key];
  if (isFields(inner)) return inner;
  return (fields[key] = newFields()) as PlainFields;
}

/** The entries of a mapping as texts, such as labels. */
export function textEntries(value: unknown): Map<string, string> {
  const entries = isFields(value) ? Object.entries(value) : [];
  return new Map(entries.map(([key, inner]) => [key, inner === null ? 'null' : textOf(inner)]));
}

/** Writes texts as a field of a mapping, in the order of their keys. Without texts, removes the field. */
export function setTextMap(fields: PlainFields, key: string, texts: ReadonlyMap<string, string>): void {
  delete fields[key];
  if (texts.size === 0) return;
  const sorted = [...texts].sort(([left], [right]) => (left < right ? -1 : 1));
  fields[key] = newFields(Object.fromEntries(sorted));
}

/** Whether two values are equal as JSON, in any order of their fields. */
export function isEqual(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) || Array.isArray(other))
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isEqual(item, other[index]))
    );
  if (!isFields(one) || !isFields(other)) return one === other;
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length && keys.every((key) => isEqual(one[key], other[key]));
}
