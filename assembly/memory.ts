/** A bump allocator: a solve lives in an instance of its own, so nothing is ever freed. */

/** Bytes that a solve may take before it gives up: 1 GiB. */
const LIMIT: usize = 1 << 30;

let top: usize = (__heap_base + 15) & ~15;

/** Set where the limit was hit, before the trap that ends the solve. */
export let exhausted: i32 = 0;

/** Zeroed bytes, aligned to 16. Traps where the memory limit is reached. */
export function allocate(bytes: usize): usize {
  const start = top;
  if (bytes > LIMIT || start + bytes > LIMIT) fail();
  top = (start + bytes + 15) & ~15;
  const missing = <i32>((top + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(max(missing, memory.size() >> 1)) < 0 && memory.grow(missing) < 0) fail();
  return start;
}

/** The same for `count` items: their product may be more than an address can hold. */
export function allocateItems(count: i64, bytes: i64): usize {
  if (count > <i64>LIMIT / bytes) fail();
  return allocate(<usize>(count * bytes));
}

function fail(): void {
  exhausted = 1;
  unreachable();
}
