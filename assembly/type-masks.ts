/**
 * Bitsets of the instance types that a requirement set allows, that have an offering for it, and that are large enough.
 */
import { andBits, anyBit, orBits, setBit } from './bitset';
import { spend } from './bounds';
import * as input from './input';
import { allocatePersistent, allocatePersistentItems } from './memory';
import { endOf, PlaneTerm, recordAt, startOf } from './records';
import { allows, toleratesAbsence } from './requirement-algebra';
import { DEFINED, flagsOf, setCount } from './requirement-rows';

/** Bytes of a type bitset. */
export let typeBytes: usize = 0;

/** Per (view, set): address of two bitsets, compatible types and types with an offering; 0 until they are computed. */
let masks: usize = 0;
let maskCapacity: i32 = 0;

/**
 * Per (view, resource): the distinct allocatable amounts in ascending order, and for each the types with at least that
 * amount.
 */
let levelCount: usize = 0;
let levelAmounts: usize = 0;
let levelTypes: usize = 0;

export function initialise(): void {
  typeBytes = <usize>((input.typeCount + 127) >> 7) << 4;
  maskCapacity = max(256, setCount * 2);
  masks = allocatePersistentItems(<i64>maskCapacity * input.viewCount, 4);
  const columns = <usize>(input.viewCount * input.resourceCount);
  levelCount = allocatePersistent(columns << 2);
  levelAmounts = allocatePersistent(columns << 2);
  levelTypes = allocatePersistent(columns << 2);
  for (let column = 0; column < <i32>columns; column++) buildLevels(column);
}

/**
 * Sorts the amounts of one column (heap sort: no recursion, no extra memory), and accumulates the bitsets from the
 * largest amount down.
 */
function buildLevels(column: i32): void {
  const count = input.typeCount;
  const from = input.allocatable + ((<usize>column * <usize>count) << 3);
  const sorted = allocatePersistent(<usize>count << 3);
  memory.copy(sorted, from, <usize>count << 3);
  heapSort(sorted, count);
  let distinct = 0;
  for (let i = 0; i < count; i++) {
    const amount = load<i64>(sorted + (<usize>i << 3));
    if (distinct == 0 || load<i64>(sorted + (<usize>(distinct - 1) << 3)) != amount) {
      store<i64>(sorted + (<usize>distinct << 3), amount);
      distinct++;
    }
  }
  const types = allocatePersistent(<usize>distinct * typeBytes);
  for (let type = 0; type < count; type++) {
    setBit(types + <usize>lowerBound(sorted, distinct, load<i64>(from + (<usize>type << 3))) * typeBytes, type);
  }
  for (let level = distinct - 2; level >= 0; level--) {
    orBits(types + <usize>level * typeBytes, types + <usize>(level + 1) * typeBytes, typeBytes);
  }
  store<i32>(levelCount + (<usize>column << 2), distinct);
  store<u32>(levelAmounts + (<usize>column << 2), <u32>sorted);
  store<u32>(levelTypes + (<usize>column << 2), <u32>types);
}

function heapSort(amounts: usize, count: i32): void {
  for (let root = (count >> 1) - 1; root >= 0; root--) siftDown(amounts, root, count);
  for (let end = count - 1; end > 0; end--) {
    const largest = load<i64>(amounts);
    store<i64>(amounts, load<i64>(amounts + (<usize>end << 3)));
    store<i64>(amounts + (<usize>end << 3), largest);
    siftDown(amounts, 0, end);
  }
}

function siftDown(amounts: usize, start: i32, count: i32): void {
  let root = start;
  const value = load<i64>(amounts + (<usize>root << 3));
  while (true) {
    let child = root * 2 + 1;
    if (child >= count) break;
    if (child + 1 < count && load<i64>(amounts + (<usize>child << 3)) < load<i64>(amounts + (<usize>(child + 1) << 3))) child++;
    if (load<i64>(amounts + (<usize>child << 3)) <= value) break;
    store<i64>(amounts + (<usize>root << 3), load<i64>(amounts + (<usize>child << 3)));
    root = child;
  }
  store<i64>(amounts + (<usize>root << 3), value);
}

/** The first index whose amount is at least `requested`; `count` if there is none. */
function lowerBound(sorted: usize, count: i32, requested: i64): i32 {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (load<i64>(sorted + (<usize>middle << 3)) < requested) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Clears from `bits` every type of the view that is too small for the requests (i64 per resource). An absent amount is
 * 0.
 */
export function keepFitting(bits: usize, view: i32, requests: usize): void {
  andBits(bits, input.viewUsable + <usize>view * typeBytes, typeBytes);
  const resources = input.resourceCount;
  for (let r = 0; r < resources; r++) {
    const requested = load<i64>(requests + (<usize>r << 3));
    if (requested <= 0) continue;
    const column = <usize>(view * resources + r) << 2;
    const count = load<i32>(levelCount + column);
    const level = lowerBound(<usize>load<u32>(levelAmounts + column), count, requested);
    if (level == count) {
      memory.fill(bits, 0, typeBytes);
      return;
    }
    andBits(bits, <usize>load<u32>(levelTypes + column) + <usize>level * typeBytes, typeBytes);
  }
}

/** The types of the view whose labels the set allows. */
export function compatibleTypes(view: i32, set: i32): usize {
  return masksOf(view, set);
}

/** The types of the view with an available offering for the set. */
export function offeredTypes(view: i32, set: i32): usize {
  return masksOf(view, set) + typeBytes;
}

function masksOf(view: i32, set: i32): usize {
  if (set >= maskCapacity) growMasks();
  const entry = masks + (<usize>(set * input.viewCount + view) << 2);
  const cached = <usize>load<u32>(entry);
  if (cached != 0) return cached;
  const address = allocatePersistent(typeBytes * 2);
  store<u32>(entry, <u32>address);
  fillCompatible(address, view, set);
  fillOffered(address + typeBytes, view, set);
  return address;
}

function growMasks(): void {
  const capacity = max(maskCapacity * 2, setCount + 1);
  const larger = allocatePersistentItems(<i64>capacity * input.viewCount, 4);
  memory.copy(larger, masks, (<usize>(maskCapacity * input.viewCount)) << 2);
  masks = larger;
  maskCapacity = capacity;
}

let carriers: usize = 0;
let admitted: usize = 0;

function fillCompatible(bits: usize, view: i32, set: i32): void {
  if (carriers == 0) {
    carriers = allocatePersistent(typeBytes);
    admitted = allocatePersistent(typeBytes);
  }
  for (let type = 0; type < input.typeCount; type++) setBit(bits, type);
  for (let k = 0; k < input.keyCount; k++) {
    if ((flagsOf(set, k) & DEFINED) == 0) continue;
    if (load<u8>(input.viewHasKey + <usize>(view * input.keyCount + k)) == 0) continue;
    keepAdmitted(bits, view, set, k);
  }
}

/** Type bitset of the view's types with value number `value` of `key`; 0 if there is none. */
export function typesWithValue(view: i32, key: i32, value: i32): usize {
  const slots = load<i32>(input.keyWordStart + (<usize>input.keyCount << 2)) << 6;
  const slot = view * slots + (load<i32>(input.keyWordStart + (<usize>key << 2)) << 6) + value;
  const number = load<i32>(input.viewValueTypes + (<usize>slot << 2));
  return number == 0 ? 0 : input.valueTypes + <usize>(number - 1) * typeBytes;
}

/** A type passes with one allowed value, or without a value if absence satisfies the requirement. */
function keepAdmitted(bits: usize, view: i32, set: i32, key: i32): void {
  memory.fill(carriers, 0, typeBytes);
  memory.fill(admitted, 0, typeBytes);
  const count = load<i32>(input.keyValueCount + (<usize>key << 2));
  const absence = toleratesAbsence(set, key);
  spend(count);
  for (let value = 0; value < count; value++) {
    const types = typesWithValue(view, key, value);
    if (types == 0) continue;
    if (absence) orBits(carriers, types, typeBytes);
    if (allows(set, key, value)) orBits(admitted, types, typeBytes);
  }
  for (let i: usize = 0; i < typeBytes; i += 16) {
    let pass = v128.load(admitted + i);
    if (absence) pass = v128.or(pass, v128.not(v128.load(carriers + i)));
    v128.store(bits + i, v128.and(v128.load(bits + i), pass));
  }
}

function fillOffered(bits: usize, view: i32, set: i32): void {
  const end = endOf(input.planeStart, view);
  for (let plane = startOf(input.planeStart, view); plane < end; plane++) {
    if (planeMatches(plane, set)) orBits(bits, input.planeTypes + <usize>plane * typeBytes, typeBytes);
  }
}

export function planeMatches(plane: i32, set: i32): bool {
  const end = endOf(input.planeTermStart, plane);
  for (let term = startOf(input.planeTermStart, plane); term < end; term++) {
    const required = recordAt<PlaneTerm>(input.planeTerms, term);
    const pass = required.value < 0 ? toleratesAbsence(set, required.key) : allows(set, required.key, required.value);
    if (!pass) return false;
  }
  return true;
}

/** Whether the set allows the zone of the plane, regardless of its other labels. */
export function zoneMatches(plane: i32, set: i32): bool {
  const end = endOf(input.planeTermStart, plane);
  for (let term = startOf(input.planeTermStart, plane); term < end; term++) {
    const required = recordAt<PlaneTerm>(input.planeTerms, term);
    if (required.key == input.zoneKey) return allows(set, required.key, required.value);
  }
  return true;
}

export function isEmpty(bits: usize): bool {
  return !anyBit(bits, typeBytes);
}
