/** Which domains of a topology group the next pod may go to. Ties go to the first in code point order (values are numbered so). */
import { spend } from './bounds';
import * as input from './input';
import { allocateForGood } from './memory';
import { allows } from './requirement-algebra';
import { pick, pickValue } from './requirement-rows';
import { AFFINITY, ANTI_AFFINITY, countAt, HOST, hostCount, isKnown, isOccupied, keyOf, SPREAD, typeOf, version } from './topology-counts';

@inline
function skewOf(group: i32): i32 {
  return load<i32>(input.topologyMaxSkew + (<usize>group << 2));
}

/** Picks the domains of one group; false where there is none. */
export function narrow(group: i32, self: bool, host: i32, strict: i32, set: i32): bool {
  if (keyOf(group) == HOST) return hostAllows(group, self, host);
  const type = typeOf(group);
  if (type == SPREAD) return pickSpread(group, self, strict, set);
  return type == AFFINITY ? pickAffinity(group, self, strict, set) : pickEmpty(group, strict, set);
}

/** `self`: whether the pod is one of those that the group counts. */
export function hostAllows(group: i32, self: bool, host: i32): bool {
  const count = hostCount(group, host);
  const type = typeOf(group);
  if (type == ANTI_AFFINITY) return count == 0;
  if (type == SPREAD) return count + <i32>self <= skewOf(group);
  return count > 0 || (self && !isOccupied(group));
}

function pickSpread(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
  spend(size);
  const fewest = leastCount(group, strict);
  let best = -1;
  let bestCount = i32.MAX_VALUE;
  for (let value = 0; value < size; value++) {
    if (!isKnown(group, value) || !allows(set, key, value)) continue;
    const count = countAt(group, value) + <i32>self;
    // A pod that may go to no known domain has no least count; then nothing is too much.
    if (<i64>count - <i64>fewest > <i64>skewOf(group) || count >= bestCount) continue;
    best = value;
    bestCount = count;
  }
  if (best < 0) return false;
  pickValue(key, best);
  return true;
}

/** What was found last: the same for all nodes that a pod is offered to. */
let leastGroup: i32 = -1;
let leastStrict: i32 = 0;
let leastVersion: i64 = -1;
let least: i32 = 0;

/** Over the domains that the pod itself allows; 0 where there are fewer of them than minDomains. */
function leastCount(group: i32, strict: i32): i32 {
  if (group != leastGroup || strict != leastStrict || version != leastVersion) {
    least = findLeast(group, strict);
    leastGroup = group;
    leastStrict = strict;
    leastVersion = version;
  }
  return least;
}

function findLeast(group: i32, strict: i32): i32 {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
  spend(size);
  let least = i32.MAX_VALUE;
  let domains = 0;
  for (let value = 0; value < size; value++) {
    if (!isKnown(group, value) || !allows(strict, key, value)) continue;
    domains++;
    least = min(least, countAt(group, value));
  }
  const wanted = load<i32>(input.topologyMinDomains + (<usize>group << 2));
  return wanted >= 0 && domains < wanted ? 0 : least;
}

let words: usize = 0;
let wordsOfKey: i32 = 0;

/** Zeroed words for a set of values of `key`. */
function clearWords(key: i32): void {
  const count = load<i32>(input.keyWordStart + (<usize>key << 2), 4) - load<i32>(input.keyWordStart + (<usize>key << 2));
  if (count > wordsOfKey) {
    words = allocateForGood(<usize>count << 3);
    wordsOfKey = count;
  } else {
    memory.fill(words, 0, <usize>count << 3);
  }
}

@inline
function addWord(value: i32): void {
  const at = words + (<usize>(value >> 6) << 3);
  store<u64>(at, load<u64>(at) | ((<u64>1) << (value & 63)));
}

/** All domains with such a pod; without any, a pod that is such a one itself starts the first. */
function pickAffinity(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
  spend(size);
  clearWords(key);
  let found = false;
  let reachable = false;
  for (let value = 0; value < size; value++) {
    if (!isKnown(group, value) || countAt(group, value) == 0 || !allows(strict, key, value)) continue;
    reachable = true;
    if (!allows(set, key, value)) continue;
    addWord(value);
    found = true;
  }
  if (!found && self && !reachable) found = bootstrap(group, strict, set);
  if (found) pick(key, words);
  return found;
}

/** The first domain that pod and node allow, and the first that the pod allows. */
function bootstrap(group: i32, strict: i32, set: i32): bool {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
  spend(size);
  let ofBoth = -1;
  let ofPod = -1;
  for (let value = 0; value < size; value++) {
    if (!isKnown(group, value) || !allows(strict, key, value)) continue;
    if (ofPod < 0) ofPod = value;
    if (ofBoth < 0 && allows(set, key, value)) ofBoth = value;
  }
  if (ofBoth >= 0) addWord(ofBoth);
  if (ofPod >= 0) addWord(ofPod);
  return ofPod >= 0;
}

/** Anti-affinity: every domain without such a pod. */
function pickEmpty(group: i32, strict: i32, set: i32): bool {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
  spend(size);
  clearWords(key);
  let found = false;
  for (let value = 0; value < size; value++) {
    if (!isKnown(group, value) || countAt(group, value) != 0 || !allows(set, key, value) || !allows(strict, key, value)) continue;
    addWord(value);
    found = true;
  }
  if (found) pick(key, words);
  return found;
}
