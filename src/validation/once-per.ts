/** What `find` says of an object, found once for each: many rules ask the same of thousands of workloads. The answer is shared, so never changed. */
export function oncePer<Key extends object, Value>(find: (key: Key) => Value): (key: Key) => Value {
  const known = new WeakMap<Key, { readonly value: Value }>();
  return (key) => {
    const entry = known.get(key) ?? { value: find(key) };
    known.set(key, entry);
    return entry.value;
  };
}
