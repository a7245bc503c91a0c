/**
 * Topology spread, pod affinity and anti-affinity: how many pods of which kind are in which domain, and where the next one may go.
 * A domain is a value of the group's label; of the host name label it is the host itself: the existing nodes by number, then the
 * claims, which are domains that can always be made anew. Ties between domains go to the first in code point order (values are
 * numbered so).
 */
import * as input from './input';
import { allocate } from './memory';
import { allows, compatibleStrict, intersection } from './requirement-algebra';
import { combine, combineStrict, INCOMPATIBLE } from './requirement-combinations';
import { beginPicks, commitPicks, COMPLEMENT, DEFINED, flagsOf, pick, wordsOf } from './requirement-rows';

export const SPREAD: i32 = 0;
export const AFFINITY: i32 = 1;
export const ANTI_AFFINITY: i32 = 2;

/** The key of a group over hosts. */
export const HOST: i32 = -1;

/** The group that stood in the way when `constrain` last failed; -1 where the picks of several did not go together. */
export let failedGroup: i32 = -1;
/** Whether it would fail again however many pods are placed: the count on a host only grows. */
export let failedForGood: bool = false;

/** Per group: whether some pod has brought it in yet, and how many domains have a pod. */
let active: usize = 0;
let occupied: usize = 0;
/** Per group: where its counts start in `counts` (i32 per value of its key), or its column in `hostCounts`. */
export let countStart: usize = 0;
/** i32 per domain, and u8 whether the domain is known. */
export let counts: usize = 0;
let known: usize = 0;
/** i32[(existing nodes + claims) × host groups]. */
export let hostCounts: usize = 0;
export let hostGroups: i32 = 0;
export let hostCapacity: i32 = 0;
export let countSize: i32 = 0;

export function initialise(): void {
  const groups = input.topologyCount;
  active = allocate(<usize>groups);
  occupied = allocate(<usize>groups << 2);
  countStart = allocate(<usize>groups << 2);
  let domains = 0;
  hostGroups = 0;
  for (let g = 0; g < groups; g++) {
    const key = keyOf(g);
    store<i32>(countStart + (<usize>g << 2), key == HOST ? hostGroups++ : domains);
    if (key != HOST) domains += load<i32>(input.keyValueCount + (<usize>key << 2));
    if (load<u8>(input.topologyActive + <usize>g) != 0) store<u8>(active + <usize>g, 1);
  }
  countSize = domains;
  counts = allocate(<usize>domains << 2);
  known = allocate(<usize>domains);
  for (let g = 0; g < groups; g++) {
    if (keyOf(g) != HOST) fillKnown(g);
  }
  hostCapacity = 0;
  if (hostGroups > 0 && input.nodeCount > 0) fillHosts();
}

/** What runs on the existing nodes already. */
function fillHosts(): void {
  growHosts(input.nodeCount);
  for (let node = 0; node < input.nodeCount; node++) {
    for (let g = 0; g < input.topologyCount; g++) {
      if (keyOf(g) != HOST) continue;
      const at = <usize>(node * hostGroups + startOf(g)) << 2;
      const count = load<i32>(input.hostInitial + at);
      store<i32>(hostCounts + at, count);
      if (count > 0) countOccupied(g);
    }
  }
}

function fillKnown(group: i32): void {
  const count = load<i32>(input.keyValueCount + (<usize>keyOf(group) << 2));
  const first = load<i32>(input.topologyDomainStart + (<usize>group << 2));
  const words = input.topologyDomains + (<usize>first << 3);
  for (let value = 0; value < count; value++) {
    const listed = (load<u64>(words + (<usize>(value >> 6) << 3)) >> (value & 63)) & 1;
    const initial = load<i32>(input.topologyInitial + (<usize>((first << 6) + value) << 2));
    store<u8>(known + <usize>(startOf(group) + value), <u8>listed);
    store<i32>(counts + (<usize>(startOf(group) + value) << 2), initial);
    if (initial > 0) countOccupied(group);
  }
}

@inline
function keyOf(group: i32): i32 {
  return load<i32>(input.topologyKey + (<usize>group << 2));
}

@inline
function typeOf(group: i32): i32 {
  return load<i32>(input.topologyType + (<usize>group << 2));
}

@inline
function skewOf(group: i32): i32 {
  return load<i32>(input.topologyMaxSkew + (<usize>group << 2));
}

@inline
function startOf(group: i32): i32 {
  return load<i32>(countStart + (<usize>group << 2));
}

@inline
function countAt(group: i32, value: i32): i32 {
  return load<i32>(counts + (<usize>(startOf(group) + value) << 2));
}

@inline
function isKnown(group: i32, value: i32): bool {
  return load<u8>(known + <usize>(startOf(group) + value)) != 0;
}

/** The count on a host; 0 on one that is not there yet (-1). */
function hostCount(group: i32, host: i32): i32 {
  return host < 0 || host >= hostCapacity ? 0 : load<i32>(hostCounts + (<usize>(host * hostGroups + startOf(group)) << 2));
}

/** A relaxed pod may be the first with its constraints: what was placed before is not counted for it, as in Karpenter. */
export function activate(variant: i32): void {
  const end = load<i32>(input.variantGroupStart + (<usize>variant << 2), 4);
  for (let i = load<i32>(input.variantGroupStart + (<usize>variant << 2)); i < end; i++) {
    store<u8>(active + <usize>load<i32>(input.variantGroups + (<usize>i << 2)), 1);
  }
}

/**
 * The requirement set of a host (-1: a claim that is not there yet) with the domains that a pod of the variant may go to, or
 * INCOMPATIBLE. The groups of the variant count, and those of other pods that keep this one away.
 */
export function constrain(podClass: i32, variant: i32, host: i32, set: i32): i32 {
  return constrainWith(podClass, variant, host, set, true);
}

/** The same of a claim whose host allows the pod. */
export function constrainByLabels(podClass: i32, variant: i32, set: i32): i32 {
  return constrainWith(podClass, variant, -1, set, false);
}

function constrainWith(podClass: i32, variant: i32, host: i32, set: i32, hosts: bool): i32 {
  failedGroup = -1;
  failedForGood = false;
  const ownEnd = load<i32>(input.variantGroupStart + (<usize>variant << 2), 4);
  const ownStart = load<i32>(input.variantGroupStart + (<usize>variant << 2));
  const guardEnd = load<i32>(input.classGuardStart + (<usize>podClass << 2), 4);
  const guardStart = load<i32>(input.classGuardStart + (<usize>podClass << 2));
  if (ownStart == ownEnd && guardStart == guardEnd) return set;
  const strict = load<i32>(input.variantStrictSet + (<usize>variant << 2));
  beginPicks();
  let picked = false;
  for (let i = ownStart; i < ownEnd; i++) {
    const group = load<i32>(input.variantGroups + (<usize>i << 2));
    if (!hosts && keyOf(group) == HOST) continue;
    if (!narrow(group, load<u8>(input.variantGroupSelf + <usize>i) != 0, host, strict, set)) return fail(group);
    picked = picked || keyOf(group) != HOST;
  }
  for (let i = guardStart; i < guardEnd; i++) {
    const group = load<i32>(input.classGuards + (<usize>i << 2));
    if (!hosts && keyOf(group) == HOST) continue;
    if (!narrow(group, false, host, strict, set)) return fail(group);
    picked = picked || keyOf(group) != HOST;
  }
  if (!picked) return set;
  return withPicks(set, commitPicks(), host >= 0 && host < input.nodeCount);
}

/**
 * The picks count with what the node leaves of them: on a node that excludes every picked value, the label is then absent, which
 * goes together with the exclusion.
 */
function withPicks(set: i32, picks: i32, isNode: bool): i32 {
  const combined = isNode ? combineStrict(set, picks) : combine(set, picks);
  if (combined != INCOMPATIBLE) return combined;
  const left = intersection(set, picks);
  return isNode ? combineStrict(set, left) : combine(set, left);
}

/** Whether what runs on the host keeps the pod away, whatever labels the host has. */
export function refusesHost(podClass: i32, variant: i32, host: i32): bool {
  if (hostGroups == 0) return false;
  const ownEnd = load<i32>(input.variantGroupStart + (<usize>variant << 2), 4);
  for (let i = load<i32>(input.variantGroupStart + (<usize>variant << 2)); i < ownEnd; i++) {
    const group = load<i32>(input.variantGroups + (<usize>i << 2));
    if (keyOf(group) != HOST || hostAllows(group, load<u8>(input.variantGroupSelf + <usize>i) != 0, host)) continue;
    fail(group);
    return true;
  }
  const guardEnd = load<i32>(input.classGuardStart + (<usize>podClass << 2), 4);
  for (let i = load<i32>(input.classGuardStart + (<usize>podClass << 2)); i < guardEnd; i++) {
    const group = load<i32>(input.classGuards + (<usize>i << 2));
    if (keyOf(group) != HOST || hostAllows(group, false, host)) continue;
    fail(group);
    return true;
  }
  return false;
}

function fail(group: i32): i32 {
  failedGroup = group;
  failedForGood = keyOf(group) == HOST && typeOf(group) != AFFINITY;
  return INCOMPATIBLE;
}

/** Picks the domains of one group; false where there is none. */
function narrow(group: i32, self: bool, host: i32, strict: i32, set: i32): bool {
  if (keyOf(group) == HOST) return hostAllows(group, self, host);
  const type = typeOf(group);
  if (type == SPREAD) return pickSpread(group, self, strict, set);
  return type == AFFINITY ? pickAffinity(group, self, strict, set) : pickEmpty(group, strict, set);
}

/** `self`: whether the pod is one of those that the group counts. */
function hostAllows(group: i32, self: bool, host: i32): bool {
  const count = hostCount(group, host);
  const type = typeOf(group);
  if (type == ANTI_AFFINITY) return count == 0;
  if (type == SPREAD) return count + <i32>self <= skewOf(group);
  return count > 0 || (self && load<i32>(occupied + (<usize>group << 2)) == 0);
}

function pickSpread(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
  const least = leastCount(group, strict);
  let best = -1;
  let bestCount = i32.MAX_VALUE;
  for (let value = 0; value < size; value++) {
    if (!isKnown(group, value) || !allows(set, key, value)) continue;
    const count = countAt(group, value) + <i32>self;
    // A pod that may go to no known domain has no least count; then nothing is too much.
    if (<i64>count - <i64>least > <i64>skewOf(group) || count >= bestCount) continue;
    best = value;
    bestCount = count;
  }
  if (best < 0) return false;
  pickOne(key, best);
  return true;
}

/** Over the domains that the pod itself allows; 0 where there are fewer of them than minDomains. */
function leastCount(group: i32, strict: i32): i32 {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
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
    words = allocate(<usize>count << 3);
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

function pickOne(key: i32, value: i32): void {
  clearWords(key);
  addWord(value);
  pick(key, words);
}

/** All domains with such a pod; without any, a pod that is such a one itself starts the first. */
function pickAffinity(group: i32, self: bool, strict: i32, set: i32): bool {
  const key = keyOf(group);
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
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

/** Counts a pod that was just placed on a host with these taints and this requirement set. */
export function record(podClass: i32, taintSet: i32, host: i32, set: i32): void {
  const end = load<i32>(input.classCountedStart + (<usize>podClass << 2), 4);
  for (let i = load<i32>(input.classCountedStart + (<usize>podClass << 2)); i < end; i++) {
    const group = load<i32>(input.classCounted + (<usize>i << 2));
    if (load<u8>(active + <usize>group) != 0 && nodeCounts(group, taintSet, set)) recordDomains(group, host, set);
  }
  const inverseEnd = load<i32>(input.classInverseStart + (<usize>podClass << 2), 4);
  for (let i = load<i32>(input.classInverseStart + (<usize>podClass << 2)); i < inverseEnd; i++) {
    recordDomains(load<i32>(input.classInverse + (<usize>i << 2)), host, set);
  }
}

/** Whether hosts with these taints and requirements take part in the group at all. */
function nodeCounts(group: i32, taintSet: i32, set: i32): bool {
  if (load<u8>(input.topologyTolerates + <usize>(group * input.taintSetCount + taintSet)) == 0) return false;
  const end = load<i32>(input.topologyFilterStart + (<usize>group << 2), 4);
  const start = load<i32>(input.topologyFilterStart + (<usize>group << 2));
  if (start == end) return true;
  for (let i = start; i < end; i++) {
    if (compatibleStrict(set, load<i32>(input.topologyFilters + (<usize>i << 2)))) return true;
  }
  return false;
}

/**
 * Anti-affinity blocks every domain where the pod could still land; the others count only one that is certain. A set of excluded
 * values counts as those values, as it does in Karpenter.
 */
function recordDomains(group: i32, host: i32, set: i32): void {
  const key = keyOf(group);
  if (key == HOST) {
    recordHost(group, host);
    return;
  }
  const flags = flagsOf(set, key);
  if ((flags & DEFINED) == 0) return;
  const size = load<i32>(input.keyValueCount + (<usize>key << 2));
  const row = wordsOf(set, key);
  if (typeOf(group) != ANTI_AFFINITY && ((flags & COMPLEMENT) != 0 || countValues(row, size) != 1)) return;
  for (let value = 0; value < size; value++) {
    if (((load<u64>(row + (<usize>(value >> 6) << 3)) >> (value & 63)) & 1) != 0) increment(group, value);
  }
}

function countValues(row: usize, size: i32): i32 {
  let count: i64 = 0;
  for (let word = 0; word < (size + 63) >> 6; word++) count += popcnt<i64>(load<i64>(row + (<usize>word << 3)));
  return <i32>count;
}

function increment(group: i32, value: i32): void {
  const at = counts + (<usize>(startOf(group) + value) << 2);
  const count = load<i32>(at);
  store<i32>(at, count + 1);
  store<u8>(known + <usize>(startOf(group) + value), 1);
  if (count == 0) countOccupied(group);
}

function recordHost(group: i32, host: i32): void {
  if (host >= hostCapacity) growHosts(host + 1);
  const at = hostCounts + (<usize>(host * hostGroups + startOf(group)) << 2);
  const count = load<i32>(at);
  store<i32>(at, count + 1);
  if (count == 0) countOccupied(group);
}

@inline
function countOccupied(group: i32): void {
  const at = occupied + (<usize>group << 2);
  store<i32>(at, load<i32>(at) + 1);
}

function growHosts(wanted: i32): void {
  const capacity = max(64, max(wanted, hostCapacity * 2));
  const larger = allocate(<usize>(capacity * hostGroups) << 2);
  memory.copy(larger, hostCounts, <usize>(hostCapacity * hostGroups) << 2);
  hostCounts = larger;
  hostCapacity = capacity;
}
