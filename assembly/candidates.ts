/**
 * The open claims that may still take a pod of one class, cheapest to try first: a binary heap on the order keys.
 * Keys only grow, so a stale entry is found and sunk when it comes to the top. A claim that once refuses the class refuses it
 * for the rest of its run (its types and requirements only narrow), so it leaves the heap for good.
 */
import { claimCount, claimOrder } from './claims';
import { allocate } from './memory';

/** Per heap (one a variant): address, capacity, size. */
let heaps: usize = 0;
let heapCapacity: i32 = 0;

export function reset(count: i32): void {
  if (count > heapCapacity) {
    const larger = allocate(<usize>count * 12);
    memory.copy(larger, heaps, <usize>heapCapacity * 12);
    heaps = larger;
    heapCapacity = count;
  }
  for (let heap = 0; heap < count; heap++) fill(heap);
}

function fill(heap: i32): void {
  const record = heaps + <usize>heap * 12;
  if (claimCount > load<i32>(record, 4)) reserve(record, max(64, claimCount * 2));
  const entries = <usize>load<u32>(record);
  for (let claim = 0; claim < claimCount; claim++) {
    store<i64>(entries + (<usize>claim << 4), load<i64>(claimOrder + (<usize>claim << 3)));
    store<i32>(entries + (<usize>claim << 4), claim, 8);
  }
  store<i32>(record, claimCount, 8);
  for (let at = (claimCount >> 1) - 1; at >= 0; at--) sink(entries, at, claimCount);
}

function reserve(record: usize, wanted: i32): void {
  const larger = allocate(<usize>wanted << 4);
  memory.copy(larger, <usize>load<u32>(record), <usize>load<i32>(record, 8) << 4);
  store<u32>(record, <u32>larger);
  store<i32>(record, wanted, 4);
}

function sink(entries: usize, start: i32, size: i32): void {
  const key = load<i64>(entries + (<usize>start << 4));
  const claim = load<i32>(entries + (<usize>start << 4), 8);
  let at = start;
  while (true) {
    let child = at * 2 + 1;
    if (child >= size) break;
    if (child + 1 < size && load<i64>(entries + (<usize>(child + 1) << 4)) < load<i64>(entries + (<usize>child << 4))) child++;
    if (load<i64>(entries + (<usize>child << 4)) >= key) break;
    memory.copy(entries + (<usize>at << 4), entries + (<usize>child << 4), 16);
    at = child;
  }
  store<i64>(entries + (<usize>at << 4), key);
  store<i32>(entries + (<usize>at << 4), claim, 8);
}

/** The claim to try next, or -1. */
export function first(heap: i32): i32 {
  const record = heaps + <usize>heap * 12;
  const entries = <usize>load<u32>(record);
  const size = load<i32>(record, 8);
  while (size > 0) {
    const claim = load<i32>(entries, 8);
    const key = load<i64>(claimOrder + (<usize>claim << 3));
    if (load<i64>(entries) == key) return claim;
    store<i64>(entries, key);
    sink(entries, 0, size);
  }
  return -1;
}

/** Drops the claim that `first` gave. */
export function drop(heap: i32): void {
  const record = heaps + <usize>heap * 12;
  const entries = <usize>load<u32>(record);
  const size = load<i32>(record, 8) - 1;
  store<i32>(record, size, 8);
  memory.copy(entries, entries + (<usize>size << 4), 16);
  if (size > 0) sink(entries, 0, size);
}

export function add(heap: i32, claim: i32): void {
  const record = heaps + <usize>heap * 12;
  let at = load<i32>(record, 8);
  if (at == load<i32>(record, 4)) reserve(record, max(64, at * 2));
  store<i32>(record, at + 1, 8);
  const entries = <usize>load<u32>(record);
  const key = load<i64>(claimOrder + (<usize>claim << 3));
  while (at > 0) {
    const parent = (at - 1) >> 1;
    if (load<i64>(entries + (<usize>parent << 4)) <= key) break;
    memory.copy(entries + (<usize>at << 4), entries + (<usize>parent << 4), 16);
    at = parent;
  }
  store<i64>(entries + (<usize>at << 4), key);
  store<i32>(entries + (<usize>at << 4), claim, 8);
}

/** Claims set aside while one pod looks for a place. */
let parked: usize = 0;
let parkedCapacity: i32 = 0;
let parkedCount: i32 = 0;

export function park(claim: i32): void {
  if (parkedCount == parkedCapacity) {
    const capacity = max(64, parkedCapacity * 2);
    const larger = allocate(<usize>capacity << 2);
    memory.copy(larger, parked, <usize>parkedCount << 2);
    parked = larger;
    parkedCapacity = capacity;
  }
  store<i32>(parked + (<usize>parkedCount << 2), claim);
  parkedCount++;
}

/** Puts the parked claims back. */
export function unpark(heap: i32): void {
  while (parkedCount > 0) {
    parkedCount--;
    add(heap, load<i32>(parked + (<usize>parkedCount << 2)));
  }
}
