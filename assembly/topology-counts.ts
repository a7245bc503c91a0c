/**
 * How many pods each topology group counts per domain. A domain is a value of the group's label. For the host name
 * label it is the host itself: existing nodes by number, then claims, since a new claim is always a new domain.
 */
import { spend } from './bounds';
import * as input from './input';
import { allocate, allocateItems } from './memory';
import { endOf, startOf } from './records';
import { meetsStrict } from './requirement-combinations';
import { COMPLEMENT, DEFINED, flagsOf, wordsOf } from './requirement-rows';

export const SPREAD: i32 = 0;
export const AFFINITY: i32 = 1;
export const ANTI_AFFINITY: i32 = 2;

/** The key of a group over hosts. */
export const HOST: i32 = -1;

/** Per group over hosts, i32: how many of them have a pod. */
let occupied: usize = 0;
/** i32[(existing nodes + claims) × host groups]. */
export let hostCounts: usize = 0;
export let hostGroups: i32 = 0;
export let hostCapacity: i32 = 0;
export let countSize: i32 = 0;
/** Increases with every change of a count. */
export let version: i64 = 0;

/** Counts the groups, which all queries share. */
export function prepare(): void {
  for (let g = 0; g < input.topologyCount; g++) {
    const key = keyOf(g);
    if (key == HOST) hostGroups++;
    else countSize += load<i32>(input.keyValueCount + (<usize>key << 2));
  }
}

/** Counts and domains are updated in place in the input of the query. */
export function initialise(): void {
  version++;
  hostCapacity = 0;
  occupied = allocate(<usize>hostGroups << 2);
  if (hostGroups > 0 && input.nodeCount > 0) fillHosts();
}

/** Copies the pods that run on existing nodes. */
function fillHosts(): void {
  growHosts(input.nodeCount);
  memory.copy(hostCounts, input.hostInitial, <usize>(input.nodeCount * hostGroups) << 2);
  for (let node = 0; node < input.nodeCount; node++) {
    for (let column = 0; column < hostGroups; column++) {
      if (load<i32>(hostCounts + (<usize>(node * hostGroups + column) << 2)) > 0) addOccupied(column, 1);
    }
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
function firstCountOf(group: i32): i32 {
  return load<i32>(input.topologyCountStart + (<usize>group << 2));
}

@inline
export function countAt(group: i32, value: i32): i32 {
  return load<i32>(input.topologyInitial + (<usize>(firstCountOf(group) + value) << 2));
}

/** Address of the words of the group with a bit for each known domain. */
@inline
export function knownDomains(group: i32): usize {
  return input.topologyDomains + (<usize>load<i32>(input.topologyDomainStart + (<usize>group << 2)) << 3);
}

/** The count on a host; 0 on a claim that is not open yet (-1). */
export function hostCount(group: i32, host: i32): i32 {
  return host < 0 || host >= hostCapacity ? 0 : load<i32>(hostCounts + (<usize>(host * hostGroups + firstCountOf(group)) << 2));
}

/**
 * Activates the groups of a variant. A relaxed pod may be the first with its constraints; earlier pods are not counted
 * for them, as in Karpenter.
 */
export function activate(variant: i32): void {
  const end = endOf(input.variantGroupStart, variant);
  for (let i = startOf(input.variantGroupStart, variant); i < end; i++) {
    store<u8>(input.topologyActive + <usize>load<i32>(input.variantGroups + (<usize>i << 2)), 1);
  }
}

let savedHostCounts: usize = 0;
let savedHostCapacity: i32 = 0;

/** Saves the variables that are not in query memory, for `restoreState`. */
export function saveState(): void {
  savedHostCounts = hostCounts;
  savedHostCapacity = hostCapacity;
}

export function restoreState(): void {
  version++;
  hostCounts = savedHostCounts;
  hostCapacity = savedHostCapacity;
}

/** Removes pods from the count of a domain, or of a host. */
export function removePods(group: i32, domain: i32, pods: i32): void {
  version++;
  const isHost = keyOf(group) == HOST;
  const address = isHost
    ? hostCounts + (<usize>(domain * hostGroups + firstCountOf(group)) << 2)
    : input.topologyInitial + (<usize>(firstCountOf(group) + domain) << 2);
  const left = load<i32>(address) - pods;
  store<i32>(address, left);
  if (isHost && left == 0) addOccupied(firstCountOf(group), -1);
}

/** Counts a pod that was just placed on a host with these taints and this requirement set. */
export function record(podClass: i32, taintSet: i32, host: i32, set: i32): void {
  const end = endOf(input.classCountedStart, podClass);
  for (let i = startOf(input.classCountedStart, podClass); i < end; i++) {
    spend(1);
    const group = load<i32>(input.classCounted + (<usize>i << 2));
    if (load<u8>(input.topologyActive + <usize>group) != 0 && nodeCounts(group, taintSet, set)) recordDomains(group, host, set);
  }
  const inverseEnd = endOf(input.classOwnAntiAffinityStart, podClass);
  for (let i = startOf(input.classOwnAntiAffinityStart, podClass); i < inverseEnd; i++) {
    recordDomains(load<i32>(input.classOwnAntiAffinity + (<usize>i << 2)), host, set);
  }
}

/** Whether nodes with these taints and requirements count in the group. */
function nodeCounts(group: i32, taintSet: i32, set: i32): bool {
  if (load<u8>(input.topologyTolerates + <usize>(group * input.taintSetCount + taintSet)) == 0) return false;
  const end = endOf(input.topologyFilterStart, group);
  const start = startOf(input.topologyFilterStart, group);
  if (start == end) return true;
  for (let i = start; i < end; i++) {
    if (meetsStrict(set, load<i32>(input.topologyFilters + (<usize>i << 2)))) return true;
  }
  return false;
}

/**
 * Anti-affinity counts the pod in every domain that its node may still end up in; the other types only if one domain is
 * left. A set of excluded values counts as those values, as in Karpenter.
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
  for (let word = 0; word < (size + 63) >> 6; word++) {
    for (let left = load<u64>(row + (<usize>word << 3)); left != 0; left &= left - 1) increment(group, (word << 6) + <i32>ctz(left));
  }
}

function countValues(row: usize, size: i32): i32 {
  let count: i64 = 0;
  for (let word = 0; word < (size + 63) >> 6; word++) count += popcnt<i64>(load<i64>(row + (<usize>word << 3)));
  return <i32>count;
}

function increment(group: i32, value: i32): void {
  version++;
  const address = input.topologyInitial + (<usize>(firstCountOf(group) + value) << 2);
  store<i32>(address, load<i32>(address) + 1);
  const word = knownDomains(group) + (<usize>(value >> 6) << 3);
  store<u64>(word, load<u64>(word) | ((<u64>1) << (value & 63)));
}

function recordHost(group: i32, host: i32): void {
  if (host >= hostCapacity) growHosts(host + 1);
  const address = hostCounts + (<usize>(host * hostGroups + firstCountOf(group)) << 2);
  const count = load<i32>(address);
  store<i32>(address, count + 1);
  if (count == 0) addOccupied(firstCountOf(group), 1);
}

@inline
function addOccupied(column: i32, more: i32): void {
  const address = occupied + (<usize>column << 2);
  store<i32>(address, load<i32>(address) + more);
}

function growHosts(newCapacity: i32): void {
  const capacity = max(64, max(newCapacity, hostCapacity * 2));
  const larger = allocateItems(<i64>capacity * hostGroups, 4);
  memory.copy(larger, hostCounts, <usize>(hostCapacity * hostGroups) << 2);
  hostCounts = larger;
  hostCapacity = capacity;
}

/** Whether some host has a pod of a group over hosts. */
@inline
export function isOccupied(group: i32): bool {
  return load<i32>(occupied + (<usize>firstCountOf(group) << 2)) != 0;
}
