/**
 * Memoizes a pure function of one immutable object. The value is shared between callers, and lives as long as the
 * object.
 *
 * State that changes does not belong here: it needs an owner that creates and drops it.
 */
export function memoizeByIdentity<Key extends object, Value>(compute: (key: Key) => Value): (key: Key) => Value {
  const entries = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    let entry = entries.get(key);
    if (entry === undefined) {
      entry = { value: compute(key) };
      entries.set(key, entry);
    }
    return entry.value;
  };
}
