/** What is found of an object, kept for as long as the object lasts: the same answer each time. The object is not to be changed. */
export function oncePer<Key extends object, Value extends {}>(find: (of: Key) => Value): (of: Key) => Value {
  const found = new WeakMap<Key, Value>();
  return (of) => {
    const known = found.get(of);
    if (known !== undefined) return known;
    const value = find(of);
    found.set(of, value);
    return value;
  };
}
