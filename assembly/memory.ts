/** A bump allocator: a solve lives in an instance of its own, so nothing is ever freed. */
import { memoryLimit, outOfMemory } from './bounds';

let top: usize = (__heap_base + 15) & ~15;

/** Zeroed bytes, aligned to 16. Traps where the memory limit is reached. */
export function allocate(bytes: usize): usize {
  const start = top;
  if (<i64>start + <i64>bytes > memoryLimit) outOfMemory();
  top = (start + bytes + 15) & ~15;
  const missing = <i32>((top + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(max(missing, memory.size() >> 1)) < 0 && memory.grow(missing) < 0) outOfMemory();
  return start;
}

/** The same for `count` items: their product may be more than an address can hold. */
export function allocateItems(count: i64, bytes: i64): usize {
  if (count > memoryLimit || count * bytes > memoryLimit) outOfMemory();
  return allocate(<usize>(count * bytes));
}
