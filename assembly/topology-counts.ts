/**
 * How many pods of which kind are in which domain. A domain is a value of the group's label; of the host name label it is the host
 * itself: the existing nodes by number, then the claims, which are domains that can always be made anew.
 */
import { spend } from './bounds';
import * as input from './input';
import { allocate, allocateItems } from './memory';
import { compatibleStrict } from './requirement-algebra';
import { COMPLEMENT, DEFINED, flagsOf, wordsOf } from './requirement-rows';

export const SPREAD: i32 = 0;
export const AFFINITY: i32 = 1;
export const ANTI_AFFINITY: i32 = 2;

/** The key of a group over hosts. */
export const HOST: i32 = -1;

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
/** Goes up with every change of a count of a domain. */
export let version: i64 = 0;

export function initialise(): void {
  version++;
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
export function keyOf(group: i32): i32 {
  return load<i32>(input.topologyKey + (<usize>group << 2));
}

@inline
export function typeOf(group: i32): i32 {
  return load<i32>(input.topologyType + (<usize>group << 2));
}

@inline
function startOf(group: i32): i32 {
  return load<i32>(countStart + (<usize>group << 2));
}

@inline
export function countAt(group: i32, value: i32): i32 {
  return load<i32>(counts + (<usize>(startOf(group) + value) << 2));
}

@inline
export function isKnown(group: i32, value: i32): bool {
  return load<u8>(known + <usize>(startOf(group) + value)) != 0;
}

/** The count on a host; 0 on one that is not there yet (-1). */
export function hostCount(group: i32, host: i32): i32 {
  return host < 0 || host >= hostCapacity ? 0 : load<i32>(hostCounts + (<usize>(host * hostGroups + startOf(group)) << 2));
}

/** A relaxed pod may be the first with its constraints: what was placed before is not counted for it, as in Karpenter. */
export function activate(variant: i32): void {
  const end = load<i32>(input.variantGroupStart + (<usize>variant << 2), 4);
  for (let i = load<i32>(input.variantGroupStart + (<usize>variant << 2)); i < end; i++) {
    store<u8>(active + <usize>load<i32>(input.variantGroups + (<usize>i << 2)), 1);
  }
}

let keptHostCounts: usize = 0;
let keptHostCapacity: i32 = 0;

/** To go back to with `restore`, as far as it is not in the memory of the question. */
export function keep(): void {
  keptHostCounts = hostCounts;
  keptHostCapacity = hostCapacity;
}

export function restore(): void {
  version++;
  hostCounts = keptHostCounts;
  hostCapacity = keptHostCapacity;
}

/** Takes pods out of the count of a domain, or of a host by its number: they go elsewhere. */
export function uncount(group: i32, domain: i32, pods: i32): void {
  version++;
  const at = keyOf(group) == HOST
    ? hostCounts + (<usize>(domain * hostGroups + startOf(group)) << 2)
    : counts + (<usize>(startOf(group) + domain) << 2);
  const left = load<i32>(at) - pods;
  store<i32>(at, left);
  if (left == 0) store<i32>(occupied + (<usize>group << 2), load<i32>(occupied + (<usize>group << 2)) - 1);
}

/** Counts a pod that was just placed on a host with these taints and this requirement set. */
export function record(podClass: i32, taintSet: i32, host: i32, set: i32): void {
  const end = load<i32>(input.classCountedStart + (<usize>podClass << 2), 4);
  for (let i = load<i32>(input.classCountedStart + (<usize>podClass << 2)); i < end; i++) {
    spend(1);
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
  spend(size);
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
  version++;
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
  const larger = allocateItems(<i64>capacity * hostGroups, 4);
  memory.copy(larger, hostCounts, <usize>(hostCapacity * hostGroups) << 2);
  hostCounts = larger;
  hostCapacity = capacity;
}

/** Whether some domain of the group has a pod. */
@inline
export function isOccupied(group: i32): bool {
  return load<i32>(occupied + (<usize>group << 2)) != 0;
}
