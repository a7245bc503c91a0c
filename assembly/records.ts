/**
 * Records in linear memory: fields with names instead of offsets. `recordAt` gives a view of the bytes at an address;
 * nothing is allocated or copied.
 */

/** The record with this number in an array of records. */
@inline
export function recordAt<T>(records: usize, index: i32): T {
  return changetype<T>(records + <usize>index * offsetof<T>());
}

/** The address of the record with this number. */
@inline
export function addressOf<T>(records: usize, index: i32): usize {
  return records + <usize>index * offsetof<T>();
}

/** Where the items of `index` start in an array that `starts` (i32 per index, and one more) divides. */
@inline
export function startOf(starts: usize, index: i32): i32 {
  return load<i32>(starts + (<usize>index << 2));
}

/** Where they end. */
@inline
export function endOf(starts: usize, index: i32): i32 {
  return load<i32>(starts + (<usize>index << 2), 4);
}

/** Equal pods that are next to each other in the queue, as the host writes them. */
@unmanaged
export class Run {
  podClass: i32;
  pods: i32;
  group: i32;
}

/** A label that a plane of offerings requires. The value is a slot within the key, or -1 for DoesNotExist. */
@unmanaged
export class PlaneTerm {
  key: i32;
  value: i32;
}

/** minValues of one label. */
@unmanaged
export class ValueMinimum {
  key: i32;
  minimum: i32;
}

/** What Gte and Lte leave of the integers of one label. */
@unmanaged
export class IntegerBounds {
  gte: i64;
  lte: i64;
}
