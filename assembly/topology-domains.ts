/**
 * Which domains of a topology group the next pod may go to. Ties go to the first in code point order, in which values
 * are numbered, or to one that is drawn.
 */
import { spend } from './bounds';
import * as input from './input';
import { allocatePersistent } from './memory';
import { allowedOf, isOnlyValue } from './requirement-algebra';
import { pick, pickValue, wordCountOf } from './requirement-rows';
import { AFFINITY, ANTI_AFFINITY, countAt, HOST, hostCount, isOccupied, keyOf, knownDomains, SPREAD, typeOf, version } from './topology-counts';

let isDrawing: bool = false;
/** The state of Mulberry32. */
let drawState: u32 = 0;

export function initialise(): void {
  drawState = <u32>input.tieSeed;
  isDrawing = drawState != 0;
}

/** Stops the draws until `continueDraws`; false if nothing is drawn anyway. */
export function pauseDraws(): bool {
  const wasDrawing = isDrawing;
  isDrawing = false;
  return wasDrawing;
}

export function continueDraws(): void {
  isDrawing = true;
}

/** Whether the latest of `count` equals replaces the one that was picked among the others. */
function isDrawn(count: u32): bool {
  if (!isDrawing) return false;
  drawState += 0x6d2b79f5;
  let mixed = (drawState ^ (drawState >>> 15)) * (1 | drawState);
  mixed = (mixed + (mixed ^ (mixed >>> 7)) * (61 | mixed)) ^ mixed;
  return (mixed ^ (mixed >>> 14)) % count == 0;
}

@inline
function skewOf(group: i32): i32 {
  return load<i32>(input.topologyMaxSkew + (<usize>group << 2));
}

/** Picks the domains of one group; false if there is none. */
export function narrow(group: i32, self: bool, host: i32, strict: i32, set: i32): bool {
  if (keyOf(group) == HOST) return hostAllows(group, self, host);
  const type = typeOf(group);
  if (type == SPREAD) return pickSpread(group, self, strict, set);
  return type == AFFINITY ? pickAffinity(group, self, strict, set) : pickEmpty(group, strict, set);
}

/** `self`: whether the group counts the pod itself. */
export function hostAllows(group: i32, self: bool, host: i32): bool {
  const count = hostCount(group, host);
  const type = typeOf(group);
  if (type == ANTI_AFFINITY) return count == 0;
  if (type == SPREAD) return count + <i32>self <= skewOf(group);
  return count > 0 || (self && !isOccupied(group));
}

/** The known domains that the set allows, among the values of one word. */
@inline
function domainsOf(group: i32, set: i32, key: i32, word: i32): u64 {
  return allowedOf(set, key, word, load<u64>(knownDomains(group) + (<usize>word << 3)));
}

/** The domains that have a counted pod, among the given values of one word. */
function occupiedDomains(group: i32, word: i32, domains: u64): u64 {
  let occupied: u64 = 0;
  for (let left = domains; left != 0; left &= left - 1) {
    if (countAt(group, (word << 6) + <i32>ctz(left)) != 0) occupied |= left & -left;
  }
  return occupied;
}

function pickSpread(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  const fewest = leastCount(group, strict);
  let best = -1;
  let bestCount = i32.MAX_VALUE;
  let equals: u32 = 1;
  for (let word = 0; word < wordCountOf(key); word++) {
    for (let left = domainsOf(group, set, key, word); left != 0; left &= left - 1) {
      const value = (word << 6) + <i32>ctz(left);
      const count = countAt(group, value) + <i32>self;
      // A pod that may go to no known domain has no minimum; then no skew is too large.
      if (<i64>count - <i64>fewest > <i64>skewOf(group) || count > bestCount) continue;
      if (count < bestCount) equals = 1;
      else if (!isDrawn(++equals)) continue;
      best = value;
      bestCount = count;
    }
  }
  if (best < 0) return false;
  if (!isOnlyValue(set, key, best)) pickValue(key, best);
  return true;
}

/** The last result of `findLeast`, which is the same for all nodes that a pod is tried on. */
let leastGroup: i32 = -1;
let leastStrict: i32 = 0;
let leastVersion: i64 = -1;
let cachedLeast: i32 = 0;

/** The lowest count of the domains that the pod itself allows; 0 if there are fewer of them than minDomains. */
function leastCount(group: i32, strict: i32): i32 {
  if (group != leastGroup || strict != leastStrict || version != leastVersion) {
    cachedLeast = findLeast(group, strict);
    leastGroup = group;
    leastStrict = strict;
    leastVersion = version;
  }
  return cachedLeast;
}

function findLeast(group: i32, strict: i32): i32 {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  let least = i32.MAX_VALUE;
  let domains = 0;
  for (let word = 0; word < wordCountOf(key); word++) {
    for (let left = domainsOf(group, strict, key, word); left != 0; left &= left - 1) {
      domains++;
      least = min(least, countAt(group, (word << 6) + <i32>ctz(left)));
    }
  }
  const wanted = load<i32>(input.topologyMinDomains + (<usize>group << 2));
  return wanted >= 0 && domains < wanted ? 0 : least;
}

/** The domains that are picked: one bit each. */
let words: usize = 0;
let wordsOfKey: i32 = 0;

/** Allocates words for a set of values of `key`. */
function reserveWords(key: i32): void {
  const count = wordCountOf(key);
  if (count <= wordsOfKey) return;
  words = allocatePersistent(<usize>count << 3);
  wordsOfKey = count;
}

@inline
function addWord(value: i32): void {
  const word = words + (<usize>(value >> 6) << 3);
  store<u64>(word, load<u64>(word) | ((<u64>1) << (value & 63)));
}

/** Picks all domains that have a counted pod. If there is none, a pod that the group counts may start a new domain. */
function pickAffinity(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  reserveWords(key);
  let isAnyPicked = false;
  let isReachable = false;
  for (let word = 0; word < wordCountOf(key); word++) {
    const occupied = occupiedDomains(group, word, domainsOf(group, strict, key, word));
    const picked = allowedOf(set, key, word, occupied);
    store<u64>(words + (<usize>word << 3), picked);
    isReachable = isReachable || occupied != 0;
    isAnyPicked = isAnyPicked || picked != 0;
  }
  if (!isAnyPicked && self && !isReachable) isAnyPicked = bootstrap(group, strict, set);
  if (isAnyPicked) pick(key, words);
  return isAnyPicked;
}

/** Picks a domain that pod and node allow, and one that the pod allows: the first ones, or drawn ones. */
function bootstrap(group: i32, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  let ofBoth = -1;
  let ofPod = -1;
  let podDomains: u32 = 0;
  let bothDomains: u32 = 0;
  for (let word = 0; word < wordCountOf(key); word++) {
    const domains = domainsOf(group, strict, key, word);
    const both = allowedOf(set, key, word, domains);
    for (let left = domains; left != 0; left &= left - 1) {
      if (ofPod < 0 || isDrawn(podDomains + 1)) ofPod = (word << 6) + <i32>ctz(left);
      podDomains++;
    }
    for (let left = both; left != 0; left &= left - 1) {
      if (ofBoth < 0 || isDrawn(bothDomains + 1)) ofBoth = (word << 6) + <i32>ctz(left);
      bothDomains++;
    }
  }
  if (ofBoth >= 0) addWord(ofBoth);
  if (ofPod >= 0) addWord(ofPod);
  return ofPod >= 0;
}

/** Anti-affinity: picks every domain without a counted pod. */
function pickEmpty(group: i32, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  reserveWords(key);
  let isAnyPicked = false;
  for (let word = 0; word < wordCountOf(key); word++) {
    const domains = allowedOf(strict, key, word, domainsOf(group, set, key, word));
    const picked = domains & ~occupiedDomains(group, word, domains);
    store<u64>(words + (<usize>word << 3), picked);
    isAnyPicked = isAnyPicked || picked != 0;
  }
  if (isAnyPicked) pick(key, words);
  return isAnyPicked;
}
