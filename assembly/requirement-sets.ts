/**
 * Requirement sets, hash-consed: equal sets have one id, so that everything derived from a set is computed once.
 * The algebra is the one of src/model/requirement.ts, on bits: a set is a row of words (one bit a value of each key), and per
 * key a flag byte and two bounds. For a complement, the bits are the values excluded.
 */
import * as input from './input';
import { allocate } from './memory';

export const DEFINED: u8 = 1;
export const COMPLEMENT: u8 = 2;
export const HAS_GTE: u8 = 4;
export const HAS_LTE: u8 = 8;

/** No id: the two sets cannot be combined. */
export const INCOMPATIBLE: i32 = -1;

let words: i32 = 0;
let rowBytes: usize = 0;
let boundsAt: usize = 0;
let flagsAt: usize = 0;

let rows: usize = 0;
let rowCapacity: i32 = 0;
export let setCount: i32 = 0;

/** Open addressing: id + 1 per slot. */
let index: usize = 0;
let indexSize: i32 = 0;
/** Memo of `combine`: (a, b, result) triples of i32, a + 1 in the first. */
let memo: usize = 0;
let memoSize: i32 = 0;
let memoUsed: i32 = 0;
let scratch: usize = 0;

@inline
function row(id: i32): usize {
  return rows + <usize>id * rowBytes;
}

@inline
export function flagsOf(id: i32, key: i32): u8 {
  return load<u8>(row(id) + flagsAt + <usize>key);
}

@inline
function keyWords(key: i32): usize {
  return <usize>load<i32>(input.keyWordStart + (<usize>key << 2)) << 3;
}

/** Address of the words of `key` in set `id`; `keyWords` gives the offset of the first. */
@inline
export function wordsOf(id: i32, key: i32): usize {
  return row(id) + keyWords(key);
}

@inline
function wordCountOf(key: i32): i32 {
  return load<i32>(input.keyWordStart + (<usize>key << 2), 4) - load<i32>(input.keyWordStart + (<usize>key << 2));
}

@inline
function gteOf(base: usize, key: i32): i64 {
  return load<i64>(base + boundsAt + (<usize>key << 4));
}

@inline
function lteOf(base: usize, key: i32): i64 {
  return load<i64>(base + boundsAt + (<usize>key << 4), 8);
}

@inline
function withinBounds(flags: u8, gte: i64, lte: i64, slot: i32): bool {
  if ((flags & (HAS_GTE | HAS_LTE)) == 0) return true;
  if (load<u8>(input.valueIsInteger + <usize>slot) == 0) return false;
  const value = load<i64>(input.valueInteger + (<usize>slot << 3));
  if ((flags & HAS_GTE) != 0 && value < gte) return false;
  return (flags & HAS_LTE) == 0 || value <= lte;
}

/** Whether the set allows value number `value` of `key` (true where the key is not in the set). */
export function allows(id: i32, key: i32, value: i32): bool {
  const base = row(id);
  const flags = load<u8>(base + flagsAt + <usize>key);
  if ((flags & DEFINED) == 0) return true;
  const word = load<u64>(base + keyWords(key) + (<usize>(value >> 6) << 3));
  const listed = ((word >> (value & 63)) & 1) != 0;
  const complement = (flags & COMPLEMENT) != 0;
  if (listed == complement) return false;
  const slot = <i32>(keyWords(key) << 3) + value;
  return withinBounds(flags, gteOf(base, key), lteOf(base, key), slot);
}

/** NotIn or DoesNotExist, the operators that an absent label satisfies. */
export function toleratesAbsence(id: i32, key: i32): bool {
  const flags = flagsOf(id, key);
  if ((flags & DEFINED) == 0) return true;
  const empty = !anyValue(wordsOf(id, key), wordCountOf(key));
  return ((flags & COMPLEMENT) != 0) != empty;
}

function anyValue(at: usize, count: i32): bool {
  for (let i = 0; i < count; i++) {
    if (load<u64>(at + (<usize>i << 3)) != 0) return true;
  }
  return false;
}

export function initialise(): void {
  const keys = input.keyCount;
  words = load<i32>(input.keyWordStart + (<usize>keys << 2));
  boundsAt = <usize>words << 3;
  flagsAt = boundsAt + (<usize>keys << 4);
  rowBytes = (flagsAt + <usize>keys + 7) & ~7;
  rowCapacity = max(64, input.givenSets * 2);
  rows = allocate(<usize>rowCapacity * rowBytes);
  scratch = allocate(rowBytes);
  indexSize = 256;
  index = allocate(<usize>indexSize << 2);
  memoSize = 256;
  memo = allocate(<usize>memoSize * 12);
  setCount = 0;
  memoUsed = 0;
  // Given sets keep their numbers, so equal ones are not merged: the encoder has done that.
  for (let i = 0; i < input.givenSets; i++) appendGiven(i);
}

function appendGiven(i: i32): void {
  const keys = input.keyCount;
  const at = scratch;
  memory.fill(at, 0, rowBytes);
  memory.copy(at, input.givenWords + <usize>i * (<usize>words << 3), <usize>words << 3);
  for (let k = 0; k < keys; k++) {
    const from = <usize>(i * keys + k);
    store<i64>(at + boundsAt + (<usize>k << 4), load<i64>(input.givenGte + (from << 3)));
    store<i64>(at + boundsAt + (<usize>k << 4), load<i64>(input.givenLte + (from << 3)), 8);
    store<u8>(at + flagsAt + <usize>k, load<u8>(input.givenFlags + from));
  }
  append();
}

/** Puts the scratch row behind the others and into the index. */
function append(): i32 {
  if (setCount == rowCapacity) growRows();
  const id = setCount++;
  memory.copy(row(id), scratch, rowBytes);
  if (setCount * 2 > indexSize) growIndex();
  else insertIndex(id);
  return id;
}

function growRows(): void {
  const larger = allocate(<usize>(rowCapacity * 2) * rowBytes);
  memory.copy(larger, rows, <usize>rowCapacity * rowBytes);
  rows = larger;
  rowCapacity *= 2;
}

function growIndex(): void {
  indexSize *= 4;
  index = allocate(<usize>indexSize << 2);
  for (let id = 0; id < setCount; id++) insertIndex(id);
}

function insertIndex(id: i32): void {
  let slot = hashRow(row(id)) & (indexSize - 1);
  while (load<i32>(index + (<usize>slot << 2)) != 0) slot = (slot + 1) & (indexSize - 1);
  store<i32>(index + (<usize>slot << 2), id + 1);
}

function hashRow(at: usize): i32 {
  let hash: u64 = 0x9e3779b97f4a7c15;
  for (let i: usize = 0; i < rowBytes; i += 8) {
    hash = (hash ^ load<u64>(at + i)) * 0xff51afd7ed558ccd;
    hash ^= hash >> 29;
  }
  return <i32>(hash >> 8);
}

/** The id of the scratch row, new or known. */
function intern(): i32 {
  let slot = hashRow(scratch) & (indexSize - 1);
  while (true) {
    const entry = load<i32>(index + (<usize>slot << 2));
    if (entry == 0) return append();
    if (memory.compare(row(entry - 1), scratch, rowBytes) == 0) return entry - 1;
    slot = (slot + 1) & (indexSize - 1);
  }
}

/** `node` narrowed by `incoming`, or INCOMPATIBLE. Well-known labels that the node side leaves open are allowed. */
export function combine(node: i32, incoming: i32): i32 {
  let slot = memoSlot(node, incoming);
  const at = memo + <usize>slot * 12;
  if (load<i32>(at) != 0) return load<i32>(at, 8);
  const result = compatible(node, incoming) ? intersection(node, incoming) : INCOMPATIBLE;
  if (++memoUsed * 2 > memoSize) {
    growMemo();
    slot = memoSlot(node, incoming);
  }
  const place = memo + <usize>slot * 12;
  store<i32>(place, node + 1);
  store<i32>(place, incoming, 4);
  store<i32>(place, result, 8);
  return result;
}

function memoSlot(node: i32, incoming: i32): i32 {
  let hash: u64 = ((<u64>(node + 1) << 32) | <u64>incoming) * 0x9e3779b97f4a7c15;
  let slot = <i32>(hash >> 32) & (memoSize - 1);
  while (true) {
    const at = memo + <usize>slot * 12;
    const first = load<i32>(at);
    if (first == 0 || (first == node + 1 && load<i32>(at, 4) == incoming)) return slot;
    slot = (slot + 1) & (memoSize - 1);
  }
}

function growMemo(): void {
  const old = memo;
  const oldSize = memoSize;
  memoSize *= 4;
  memo = allocate(<usize>memoSize * 12);
  for (let i = 0; i < oldSize; i++) {
    const from = old + <usize>i * 12;
    const first = load<i32>(from);
    if (first == 0) continue;
    const to = memo + <usize>memoSlot(first - 1, load<i32>(from, 4)) * 12;
    memory.copy(to, from, 12);
  }
}

export function compatible(node: i32, incoming: i32): bool {
  const keys = input.keyCount;
  for (let k = 0; k < keys; k++) {
    if ((flagsOf(incoming, k) & DEFINED) == 0) continue;
    if ((flagsOf(node, k) & DEFINED) == 0) {
      if (load<u8>(input.keyWellKnown + <usize>k) == 0 && !toleratesAbsence(incoming, k)) return false;
      continue;
    }
    if (!hasIntersection(node, incoming, k) && !(toleratesAbsence(node, k) && toleratesAbsence(incoming, k))) return false;
  }
  return true;
}

/** Of two sets that both define `key`. Two complements always have one, whatever they exclude. */
function hasIntersection(a: i32, b: i32, key: i32): bool {
  const fa = flagsOf(a, key);
  const fb = flagsOf(b, key);
  const flags = (fa | fb) & (HAS_GTE | HAS_LTE);
  const gte = joinedGte(fa, fb, row(a), row(b), key);
  const lte = joinedLte(fa, fb, row(a), row(b), key);
  if (flags == (HAS_GTE | HAS_LTE) && gte > lte) return false;
  if ((fa & fb & COMPLEMENT) != 0) return true;
  const count = wordCountOf(key);
  const wa = wordsOf(a, key);
  const wb = wordsOf(b, key);
  const firstSlot = <i32>(keyWords(key) << 3);
  for (let i = 0; i < count; i++) {
    let word = joinedWord(fa, fb, load<u64>(wa + (<usize>i << 3)), load<u64>(wb + (<usize>i << 3)));
    if (flags == 0) {
      if (word != 0) return true;
      continue;
    }
    while (word != 0) {
      if (withinBounds(flags, gte, lte, firstSlot + (i << 6) + <i32>ctz(word))) return true;
      word &= word - 1;
    }
  }
  return false;
}

@inline
function joinedWord(fa: u8, fb: u8, a: u64, b: u64): u64 {
  const ca = (fa & COMPLEMENT) != 0;
  const cb = (fb & COMPLEMENT) != 0;
  if (ca && cb) return a | b;
  if (ca) return b & ~a;
  if (cb) return a & ~b;
  return a & b;
}

@inline
function joinedGte(fa: u8, fb: u8, a: usize, b: usize, key: i32): i64 {
  if ((fa & HAS_GTE) == 0) return gteOf(b, key);
  if ((fb & HAS_GTE) == 0) return gteOf(a, key);
  return max(gteOf(a, key), gteOf(b, key));
}

@inline
function joinedLte(fa: u8, fb: u8, a: usize, b: usize, key: i32): i64 {
  if ((fa & HAS_LTE) == 0) return lteOf(b, key);
  if ((fb & HAS_LTE) == 0) return lteOf(a, key);
  return min(lteOf(a, key), lteOf(b, key));
}

function intersection(a: i32, b: i32): i32 {
  memory.copy(scratch, row(a), rowBytes);
  const keys = input.keyCount;
  for (let k = 0; k < keys; k++) {
    const fb = flagsOf(b, k);
    if ((fb & DEFINED) == 0) continue;
    if ((flagsOf(a, k) & DEFINED) == 0) copyKey(b, k);
    else intersectKey(a, b, k);
  }
  return intern();
}

function copyKey(from: i32, key: i32): void {
  const base = row(from);
  memory.copy(scratch + keyWords(key), base + keyWords(key), <usize>wordCountOf(key) << 3);
  memory.copy(scratch + boundsAt + (<usize>key << 4), base + boundsAt + (<usize>key << 4), 16);
  store<u8>(scratch + flagsAt + <usize>key, load<u8>(base + flagsAt + <usize>key));
}

function intersectKey(a: i32, b: i32, key: i32): void {
  const fa = flagsOf(a, key);
  const fb = flagsOf(b, key);
  let flags: u8 = DEFINED | (fa & fb & COMPLEMENT) | ((fa | fb) & (HAS_GTE | HAS_LTE));
  const gte = joinedGte(fa, fb, row(a), row(b), key);
  const lte = joinedLte(fa, fb, row(a), row(b), key);
  const bounded = flags & (HAS_GTE | HAS_LTE);
  const none = bounded == (HAS_GTE | HAS_LTE) && gte > lte;
  const count = wordCountOf(key);
  const firstSlot = <i32>(keyWords(key) << 3);
  const target = scratch + keyWords(key);
  for (let i = 0; i < count; i++) {
    const at = <usize>i << 3;
    let word = none ? 0 : joinedWord(fa, fb, load<u64>(wordsOf(a, key) + at), load<u64>(wordsOf(b, key) + at));
    if (bounded != 0) word = boundedWord(word, bounded, gte, lte, firstSlot + (i << 6));
    store<u64>(target + at, word);
  }
  if (none) flags = DEFINED;
  // A concrete set has its bounds applied already, and keeps none.
  if ((flags & COMPLEMENT) == 0) flags = DEFINED;
  store<u8>(scratch + flagsAt + <usize>key, flags);
  store<i64>(scratch + boundsAt + (<usize>key << 4), (flags & HAS_GTE) != 0 ? gte : 0);
  store<i64>(scratch + boundsAt + (<usize>key << 4), (flags & HAS_LTE) != 0 ? lte : 0, 8);
}

function boundedWord(word: u64, bounded: u8, gte: i64, lte: i64, firstSlot: i32): u64 {
  let kept: u64 = 0;
  while (word != 0) {
    const bit = <i32>ctz(word);
    if (withinBounds(bounded, gte, lte, firstSlot + bit)) kept |= (<u64>1) << bit;
    word &= word - 1;
  }
  return kept;
}
