/** Which domains of a topology group the next pod may go to. Ties go to the first in code point order (values are numbered so). */
import { spend } from './bounds';
import * as input from './input';
import { allocateForGood } from './memory';
import { allowedOf, isOnlyValue } from './requirement-algebra';
import { pick, pickValue, wordCountOf } from './requirement-rows';
import { AFFINITY, ANTI_AFFINITY, countAt, HOST, hostCount, isOccupied, keyOf, knownDomains, SPREAD, typeOf, version } from './topology-counts';

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

/** Of the values of a word, the domains that are known and that the set allows. */
@inline
function domainsOf(group: i32, set: i32, key: i32, word: i32): u64 {
  return allowedOf(set, key, word, load<u64>(knownDomains(group) + (<usize>word << 3)));
}

/** Of these domains, which are values of a word, those with such a pod. */
function withPods(group: i32, word: i32, domains: u64): u64 {
  let found: u64 = 0;
  for (let left = domains; left != 0; left &= left - 1) {
    if (countAt(group, (word << 6) + <i32>ctz(left)) != 0) found |= left & -left;
  }
  return found;
}

function pickSpread(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  const fewest = leastCount(group, strict);
  let best = -1;
  let bestCount = i32.MAX_VALUE;
  for (let word = 0; word < wordCountOf(key); word++) {
    for (let left = domainsOf(group, set, key, word); left != 0; left &= left - 1) {
      const value = (word << 6) + <i32>ctz(left);
      const count = countAt(group, value) + <i32>self;
      // A pod that may go to no known domain has no least count; then nothing is too much.
      if (<i64>count - <i64>fewest > <i64>skewOf(group) || count >= bestCount) continue;
      best = value;
      bestCount = count;
    }
  }
  if (best < 0) return false;
  if (!isOnlyValue(set, key, best)) pickValue(key, best);
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

/** The domains that are picked. */
let words: usize = 0;
let wordsOfKey: i32 = 0;

/** Words for a set of values of `key`. */
function reserveWords(key: i32): void {
  const count = wordCountOf(key);
  if (count <= wordsOfKey) return;
  words = allocateForGood(<usize>count << 3);
  wordsOfKey = count;
}

@inline
function addWord(value: i32): void {
  const at = words + (<usize>(value >> 6) << 3);
  store<u64>(at, load<u64>(at) | ((<u64>1) << (value & 63)));
}

/** All domains with such a pod; without any, a pod that is such a one itself starts the first. */
function pickAffinity(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  reserveWords(key);
  let found = false;
  let isReachable = false;
  for (let word = 0; word < wordCountOf(key); word++) {
    const occupied = withPods(group, word, domainsOf(group, strict, key, word));
    const picked = allowedOf(set, key, word, occupied);
    store<u64>(words + (<usize>word << 3), picked);
    isReachable = isReachable || occupied != 0;
    found = found || picked != 0;
  }
  if (!found && self && !isReachable) found = bootstrap(group, strict, set);
  if (found) pick(key, words);
  return found;
}

/** The first domain that pod and node allow, and the first that the pod allows. */
function bootstrap(group: i32, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  let ofBoth = -1;
  let ofPod = -1;
  for (let word = 0; word < wordCountOf(key); word++) {
    const domains = domainsOf(group, strict, key, word);
    const both = allowedOf(set, key, word, domains);
    if (ofPod < 0 && domains != 0) ofPod = (word << 6) + <i32>ctz(domains);
    if (ofBoth < 0 && both != 0) ofBoth = (word << 6) + <i32>ctz(both);
  }
  if (ofBoth >= 0) addWord(ofBoth);
  if (ofPod >= 0) addWord(ofPod);
  return ofPod >= 0;
}

/** Anti-affinity: every domain without such a pod. */
function pickEmpty(group: i32, strict: i32, set: i32): bool {
  const key = keyOf(group);
  spend(load<i32>(input.keyValueCount + (<usize>key << 2)));
  reserveWords(key);
  let found = false;
  for (let word = 0; word < wordCountOf(key); word++) {
    const domains = allowedOf(strict, key, word, domainsOf(group, set, key, word));
    const picked = domains & ~withPods(group, word, domains);
    store<u64>(words + (<usize>word << 3), picked);
    found = found || picked != 0;
  }
  if (found) pick(key, words);
  return found;
}
