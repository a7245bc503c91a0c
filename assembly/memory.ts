/** A bump allocator. What one question took is given back together, before the next. */
import { memoryLimit, outOfMemory } from './bounds';

let top: usize = (__heap_base + 15) & ~15;
/** Where the memory of the question at hand begins; and whether something there is to outlast it. */
let mark: usize = 0;
let isKept: bool = false;

/** Zeroed bytes, aligned to 16. Traps where the memory limit is reached. */
export function allocate(bytes: usize): usize {
  const start = top;
  if (<i64>start + <i64>bytes > memoryLimit) outOfMemory();
  top = (start + bytes + 15) & ~15;
  const missing = <i32>((top + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(max(missing, memory.size() >> 1)) < 0 && memory.grow(missing) < 0) outOfMemory();
  return start;
}

/** The same for what outlasts the question: what is worked out once for all. */
export function allocateForGood(bytes: usize): usize {
  isKept = true;
  return allocate(bytes);
}

/** From here on memory is for one question. Where something outlasts it, all that stands before that stays too. */
export function forget(): void {
  if (isKept) {
    mark = top;
  } else {
    memory.fill(mark, 0, top - mark);
    top = mark;
  }
  isKept = false;
}

/** `count` items: their product may be more than an address can hold. */
export function allocateItems(count: i64, bytes: i64): usize {
  if (count > memoryLimit || count * bytes > memoryLimit) outOfMemory();
  return allocate(<usize>(count * bytes));
}

export function allocateItemsForGood(count: i64, bytes: i64): usize {
  isKept = true;
  return allocateItems(count, bytes);
}
