/** A bump allocator. What one question took is given back together, before the next. */
import { memoryLimit, outOfMemory } from './bounds';

let top: usize = (__heap_base + 15) & ~15;
/** Where the memory of the question at hand begins; and whether something there is to outlast it. */
let mark: usize = 0;
let isKept: bool = false;
/** A copy of the question's memory as it was at some moment stands in a gap of that memory, up to `copyEnd`. */
let copyStart: usize = 0;
let copyEnd: usize = 0;
let copyRoom: usize = 0;
let copiedTop: usize = 0;

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

/**
 * Makes room for a copy of all that the question at hand holds by now, and of about as much again.
 *
 * @returns where `beside` bytes begin that are neither copied nor put back
 */
export function reserveCopy(beside: usize): usize {
  copyRoom = ((top - mark) * 2 + COPY_ROOM + 15) & ~15;
  copyStart = allocate(copyRoom + beside);
  copyEnd = top;
  return copyStart + copyRoom;
}

const COPY_ROOM: usize = 0x10000;

/** Copies the memory of the question at hand; false where there is something in it that is to last, or where there is no room. */
export function copyQuestion(): bool {
  const before = copyStart - mark;
  if (isKept || before + (top - copyEnd) > copyRoom) return false;
  memory.copy(copyStart, mark, before);
  memory.copy(copyStart + before, copyEnd, top - copyEnd);
  copiedTop = top;
  return true;
}

/** Puts the memory back as it was copied. What was allocated since is given back, where none of it is to last. */
export function restoreQuestion(): void {
  const before = copyStart - mark;
  memory.copy(mark, copyStart, before);
  memory.copy(copyEnd, copyStart + before, copiedTop - copyEnd);
  if (isKept) return;
  memory.fill(copiedTop, 0, top - copiedTop);
  top = copiedTop;
}
