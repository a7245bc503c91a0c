/**
 * Requirement sets, hash-consed: equal sets have one id, so that everything derived from a set is computed once.
 * The algebra is the same as in src/model/requirement.ts, on bits: a set is a row of words with one bit per value of
 * each key, and a flag byte and two bounds per key. For a complement, the bits are the excluded values.
 */
import * as input from './input';
import { allocatePersistent, allocatePersistentItems } from './memory';
import { endOf, IntegerBounds, recordAt, startOf } from './records';

export const DEFINED: u8 = 1;
export const COMPLEMENT: u8 = 2;
export const HAS_GTE: u8 = 4;
export const HAS_LTE: u8 = 8;

let words: i32 = 0;
export let rowBytes: usize = 0;
export let boundsAt: usize = 0;
export let flagsAt: usize = 0;

export let rows: usize = 0;
let rowCapacity: i32 = 0;
export let setCount: i32 = 0;

/** A hash table with open addressing: id + 1 per slot. */
let index: usize = 0;
let indexSize: i32 = 0;
/** The row in which the next set is built. */
export let scratch: usize = 0;
/** Per value slot: id + 1 of the set that only requires this value of its key; 0 if that set does not exist yet. */
let singleValueSets: usize = 0;

@inline
export function row(id: i32): usize {
  return rows + <usize>id * rowBytes;
}

@inline
export function flagsOf(id: i32, key: i32): u8 {
  return load<u8>(row(id) + flagsAt + <usize>key);
}

@inline
export function keyWords(key: i32): usize {
  return <usize>startOf(input.keyWordStart, key) << 3;
}

/** Address of the words of `key` in set `id`; `keyWords` gives the offset of the first. */
@inline
export function wordsOf(id: i32, key: i32): usize {
  return row(id) + keyWords(key);
}

@inline
export function wordCountOf(key: i32): i32 {
  return endOf(input.keyWordStart, key) - startOf(input.keyWordStart, key);
}

@inline
export function gteOf(base: usize, key: i32): i64 {
  return recordAt<IntegerBounds>(base + boundsAt, key).gte;
}

@inline
export function lteOf(base: usize, key: i32): i64 {
  return recordAt<IntegerBounds>(base + boundsAt, key).lte;
}

export function initialise(): void {
  const keys = input.keyCount;
  words = load<i32>(input.keyWordStart + (<usize>keys << 2));
  boundsAt = <usize>words << 3;
  flagsAt = boundsAt + <usize>keys * offsetof<IntegerBounds>();
  rowBytes = (flagsAt + <usize>keys + 7) & ~7;
  rowCapacity = max(64, input.givenSets * 2);
  rows = allocatePersistentItems(rowCapacity, rowBytes);
  scratch = allocatePersistent(rowBytes);
  singleValueSets = allocatePersistent(<usize>words << 8);
  indexSize = 256;
  index = allocatePersistent(<usize>indexSize << 2);
  setCount = 0;
  // Given sets keep their numbers. The encoder has already merged equal ones.
  for (let i = 0; i < input.givenSets; i++) appendGiven(i);
}

function appendGiven(i: i32): void {
  const keys = input.keyCount;
  memory.fill(scratch, 0, rowBytes);
  memory.copy(scratch, input.givenWords + <usize>i * (<usize>words << 3), <usize>words << 3);
  for (let k = 0; k < keys; k++) {
    const from = <usize>(i * keys + k);
    const bounds = recordAt<IntegerBounds>(scratch + boundsAt, k);
    bounds.gte = load<i64>(input.givenGte + (from << 3));
    bounds.lte = load<i64>(input.givenLte + (from << 3));
    store<u8>(scratch + flagsAt + <usize>k, load<u8>(input.givenFlags + from));
  }
  append();
}

/** Appends the scratch row, and adds it to the index. */
function append(): i32 {
  if (setCount == rowCapacity) growRows();
  const id = setCount++;
  memory.copy(row(id), scratch, rowBytes);
  if (setCount * 2 > indexSize) growIndex();
  else insertIndex(id);
  return id;
}

function growRows(): void {
  const larger = allocatePersistentItems(rowCapacity * 2, rowBytes);
  memory.copy(larger, rows, <usize>rowCapacity * rowBytes);
  rows = larger;
  rowCapacity *= 2;
}

function growIndex(): void {
  indexSize *= 4;
  index = allocatePersistent(<usize>indexSize << 2);
  for (let id = 0; id < setCount; id++) insertIndex(id);
}

function insertIndex(id: i32): void {
  let slot = hashRow(row(id)) & (indexSize - 1);
  while (load<i32>(index + (<usize>slot << 2)) != 0) slot = (slot + 1) & (indexSize - 1);
  store<i32>(index + (<usize>slot << 2), id + 1);
}

function hashRow(address: usize): i32 {
  let hash: u64 = 0x9e3779b97f4a7c15;
  for (let i: usize = 0; i < rowBytes; i += 8) {
    hash = (hash ^ load<u64>(address + i)) * 0xff51afd7ed558ccd;
    hash ^= hash >> 29;
  }
  return <i32>(hash >> 8);
}

/** The id of the scratch row, which is appended if no equal row exists. */
export function intern(): i32 {
  let slot = hashRow(scratch) & (indexSize - 1);
  while (true) {
    const entry = load<i32>(index + (<usize>slot << 2));
    if (entry == 0) return append();
    if (memory.compare(row(entry - 1), scratch, rowBytes) == 0) return entry - 1;
    slot = (slot + 1) & (indexSize - 1);
  }
}

export function anyValue(words: usize, count: i32): bool {
  for (let i = 0; i < count; i++) {
    if (load<u64>(words + (<usize>i << 3)) != 0) return true;
  }
  return false;
}

/** The only pick so far, if it is of one value. Most sets of picks have no more, and need no row to be looked up. */
let onlyKey: i32 = -1;
let onlyValue: i32 = 0;
let isBegun: bool = false;

/** Starts a set of picked values. `pick` and `pickValue` add to it, `commitPicks` finishes it. */
export function beginPicks(): void {
  onlyKey = -1;
  isBegun = false;
}

/** Whether a value was picked since `beginPicks`. */
export function isPicked(): bool {
  return isBegun || onlyKey >= 0;
}

/** Allows only this value, if earlier picks of the key allow it. */
export function pickValue(key: i32, value: i32): void {
  if (onlyKey < 0 && !isBegun) {
    onlyKey = key;
    onlyValue = value;
    return;
  }
  writePicks();
  pickWord(key, value);
}

/** Allows only the values in `words` that earlier picks of the key allow. */
export function pick(key: i32, words: usize): void {
  writePicks();
  const target = scratch + keyWords(key);
  const count = wordCountOf(key);
  const first = load<u8>(scratch + flagsAt + <usize>key) == 0;
  for (let i = 0; i < count; i++) {
    const offset = <usize>i << 3;
    store<u64>(target + offset, load<u64>(words + offset) & (first ? ~(<u64>0) : load<u64>(target + offset)));
  }
  store<u8>(scratch + flagsAt + <usize>key, DEFINED);
}

export function commitPicks(): i32 {
  if (onlyKey < 0) return intern();
  const entry = singleValueSets + (((keyWords(onlyKey) << 3) + <usize>onlyValue) << 2);
  const setNumber = load<i32>(entry);
  if (setNumber != 0) return setNumber - 1;
  writePicks();
  const id = intern();
  store<i32>(entry, id + 1);
  return id;
}

/** Writes the picks so far into the scratch row. */
function writePicks(): void {
  if (!isBegun) memory.fill(scratch, 0, rowBytes);
  isBegun = true;
  const key = onlyKey;
  onlyKey = -1;
  if (key >= 0) pickWord(key, onlyValue);
}

function pickWord(key: i32, value: i32): void {
  const target = scratch + keyWords(key);
  const first = load<u8>(scratch + flagsAt + <usize>key) == 0;
  const count = wordCountOf(key);
  for (let i = 0; i < count; i++) {
    const offset = <usize>i << 3;
    const word = i == value >> 6 ? (<u64>1) << (value & 63) : 0;
    store<u64>(target + offset, first ? word : word & load<u64>(target + offset));
  }
  store<u8>(scratch + flagsAt + <usize>key, DEFINED);
}
