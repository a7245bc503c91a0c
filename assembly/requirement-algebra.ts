/**
 * The algebra of requirements on rows of bits: what a set allows, whether two sets are compatible, and their
 * intersection.
 */
import { spend } from './bounds';
import * as input from './input';
import { addressOf, IntegerBounds, recordAt } from './records';
import {
  anyValue, boundsAt, COMPLEMENT, DEFINED, flagsAt, flagsOf, gteOf, HAS_GTE, HAS_LTE, intern, keyWords, lteOf, row, rowBytes, scratch,
  wordCountOf, wordsOf,
} from './requirement-rows';

@inline
function withinBounds(flags: u8, gte: i64, lte: i64, slot: i32): bool {
  if ((flags & (HAS_GTE | HAS_LTE)) == 0) return true;
  if (load<u8>(input.valueIsInteger + <usize>slot) == 0) return false;
  const value = load<i64>(input.valueInteger + (<usize>slot << 3));
  if ((flags & HAS_GTE) != 0 && value < gte) return false;
  return (flags & HAS_LTE) == 0 || value <= lte;
}

/** Whether the set allows value number `value` of `key` (true if the key is not in the set). */
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

/**
 * The values of `key` that the set allows, among the given bits of one word; all of them if the key is not in the set.
 */
export function allowedOf(id: i32, key: i32, word: i32, values: u64): u64 {
  const base = row(id);
  const flags = load<u8>(base + flagsAt + <usize>key);
  if (values == 0 || (flags & DEFINED) == 0) return values;
  const listed = load<u64>(base + keyWords(key) + (<usize>word << 3));
  const left = (flags & COMPLEMENT) != 0 ? values & ~listed : values & listed;
  const bounded = flags & (HAS_GTE | HAS_LTE);
  return bounded == 0 ? left : boundedWord(left, bounded, gteOf(base, key), lteOf(base, key), <i32>(keyWords(key) << 3) + (word << 6));
}

/** Whether the set allows only this value of `key`. It must allow it. */
export function isOnlyValue(id: i32, key: i32, value: i32): bool {
  if (flagsOf(id, key) != DEFINED) return false;
  const words = wordsOf(id, key);
  for (let word = 0; word < wordCountOf(key); word++) {
    if (load<u64>(words + (<usize>word << 3)) != (word == value >> 6 ? (<u64>1) << (value & 63) : 0)) return false;
  }
  return true;
}

/** Whether the requirement is NotIn or DoesNotExist, which an absent label satisfies. */
export function toleratesAbsence(id: i32, key: i32): bool {
  const flags = flagsOf(id, key);
  if ((flags & DEFINED) == 0) return true;
  const empty = !anyValue(wordsOf(id, key), wordCountOf(key));
  return ((flags & COMPLEMENT) != 0) != empty;
}

export function compatible(node: i32, incoming: i32): bool {
  return compatibleAllowing(node, incoming, true);
}

/** The same, except that the node side must also define the well-known labels that the incoming side requires. */
export function compatibleStrict(node: i32, incoming: i32): bool {
  return compatibleAllowing(node, incoming, false);
}

function compatibleAllowing(node: i32, incoming: i32, undefinedWellKnown: bool): bool {
  const keys = input.keyCount;
  spend(<i32>(rowBytes >> 3));
  for (let k = 0; k < keys; k++) {
    if ((flagsOf(incoming, k) & DEFINED) == 0) continue;
    if ((flagsOf(node, k) & DEFINED) == 0) {
      const allowed = undefinedWellKnown && load<u8>(input.keyWellKnown + <usize>k) != 0;
      if (!allowed && !toleratesAbsence(incoming, k)) return false;
      continue;
    }
    if (!hasIntersection(node, incoming, k) && !(toleratesAbsence(node, k) && toleratesAbsence(incoming, k))) return false;
  }
  return true;
}

/** Whether two sets that both define `key` have a common value. Two complements always have one. */
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

/** The intersection of two compatible sets. */
export function intersection(a: i32, b: i32): i32 {
  spend(<i32>(rowBytes >> 3));
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
  memory.copy(addressOf<IntegerBounds>(scratch + boundsAt, key), addressOf<IntegerBounds>(base + boundsAt, key), offsetof<IntegerBounds>());
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
    const offset = <usize>i << 3;
    let word = none ? 0 : joinedWord(fa, fb, load<u64>(wordsOf(a, key) + offset), load<u64>(wordsOf(b, key) + offset));
    if (bounded != 0) word = boundedWord(word, bounded, gte, lte, firstSlot + (i << 6));
    store<u64>(target + offset, word);
  }
  if (none) flags = DEFINED;
  // The bounds of a concrete set are already applied to its values.
  if ((flags & COMPLEMENT) == 0) flags = DEFINED;
  store<u8>(scratch + flagsAt + <usize>key, flags);
  const bounds = recordAt<IntegerBounds>(scratch + boundsAt, key);
  bounds.gte = (flags & HAS_GTE) != 0 ? gte : 0;
  bounds.lte = (flags & HAS_LTE) != 0 ? lte : 0;
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
