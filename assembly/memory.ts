/** A bump allocator. All memory of a query is freed together, before the next query. */
import { memoryLimit, outOfMemory } from './bounds';

let top: usize = (__heap_base + 15) & ~15;
/** The start of the current query's memory, and whether it contains something persistent. */
let queryStart: usize = 0;
let hasPersistent: bool = false;
/** A snapshot of the memory of the query lies in a gap of that memory, which ends at `snapshotEnd`. */
let snapshotStart: usize = 0;
let snapshotEnd: usize = 0;
let snapshotCapacity: usize = 0;
let snapshotTop: usize = 0;

/** Zeroed bytes, aligned to 16. Traps if the memory limit is reached. */
export function allocate(bytes: usize): usize {
  const start = top;
  if (<i64>start + <i64>bytes > memoryLimit) outOfMemory();
  top = (start + bytes + 15) & ~15;
  const missing = <i32>((top + 0xffff) >>> 16) - memory.size();
  if (missing > 0 && memory.grow(max(missing, memory.size() >> 1)) < 0 && memory.grow(missing) < 0) outOfMemory();
  return start;
}

/** Like `allocate`, for results that all later queries share. */
export function allocatePersistent(bytes: usize): usize {
  hasPersistent = true;
  return allocate(bytes);
}

/**
 * Frees the memory of the previous query. If it contains something persistent, all of it stays, since nothing is moved.
 */
export function beginQuery(): void {
  if (hasPersistent) {
    queryStart = top;
  } else {
    memory.fill(queryStart, 0, top - queryStart);
    top = queryStart;
  }
  hasPersistent = false;
}

/** Memory for `count` items. Checks for overflow of the product. */
export function allocateItems(count: i64, bytes: i64): usize {
  if (count > memoryLimit || count * bytes > memoryLimit) outOfMemory();
  return allocate(<usize>(count * bytes));
}

export function allocatePersistentItems(count: i64, bytes: i64): usize {
  hasPersistent = true;
  return allocateItems(count, bytes);
}

/**
 * Reserves memory for a snapshot of the query. Its capacity is twice what the query uses by now, plus SPARE_BYTES.
 *
 * @returns the address of `extraBytes` that are neither saved nor restored
 */
export function reserveSnapshot(extraBytes: usize): usize {
  snapshotCapacity = ((top - queryStart) * 2 + SPARE_BYTES + 15) & ~15;
  snapshotStart = allocate(snapshotCapacity + extraBytes);
  snapshotEnd = top;
  return snapshotStart + snapshotCapacity;
}

const SPARE_BYTES: usize = 0x10000;

/**
 * Takes a snapshot of the memory of the query. False if it contains something persistent, or if the capacity is too
 * small.
 */
export function saveQuery(): bool {
  const before = snapshotStart - queryStart;
  if (hasPersistent || before + (top - snapshotEnd) > snapshotCapacity) return false;
  memory.copy(snapshotStart, queryStart, before);
  memory.copy(snapshotStart + before, snapshotEnd, top - snapshotEnd);
  snapshotTop = top;
  return true;
}

/** Restores the snapshot. Memory that was allocated since is freed, unless something in it is persistent. */
export function restoreQuery(): void {
  const before = snapshotStart - queryStart;
  memory.copy(queryStart, snapshotStart, before);
  memory.copy(snapshotEnd, snapshotStart + before, snapshotTop - snapshotEnd);
  if (hasPersistent) return;
  memory.fill(snapshotTop, 0, top - snapshotTop);
  top = snapshotTop;
}
