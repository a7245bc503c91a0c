/** A bump allocator: a solve lives in an instance of its own, so nothing is ever freed. */

/** Bytes that a solve may take before it gives up: 1 GiB. */
const LIMIT: usize = 1 << 30;

let top: usize = (__heap_base + 15) & ~15;

/** Set once the limit was hit; results are then incomplete and must not be used. */
export let exhausted: i32 = 0;

/** Zeroed bytes, aligned to 16; address 0 where the memory limit is reached. */
export function allocate(bytes: usize): usize {
  const start = top;
  if (bytes > LIMIT || start + bytes > LIMIT) {
    exhausted = 1;
    return 0;
  }
  top = (start + bytes + 15) & ~15;
  const pages = <i32>((top + 0xffff) >>> 16);
  const missing = pages - memory.size();
  if (missing > 0 && memory.grow(max(missing, memory.size() >> 1)) < 0 && memory.grow(missing) < 0) {
    exhausted = 1;
    return 0;
  }
  return start;
}
