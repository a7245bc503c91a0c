/** The part of `node:util` that the engine uses, for values as in JSON or YAML. */
export function isDeepStrictEqual(left: unknown, right: unknown): boolean {
  if (Object.is(left, right)) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right)) return false;
  if (left instanceof Date) return left.getTime() === (right as Date).getTime();
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    (!Array.isArray(left) || left.length === (right as unknown[]).length) &&
    keys.every(
      (key) =>
        Object.hasOwn(right, key) &&
        isDeepStrictEqual((left as Record<string, unknown>)[key], (right as Record<string, unknown>)[key]),
    )
  );
}
