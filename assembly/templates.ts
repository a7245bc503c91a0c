/**
 * NodePools as templates: the types that each can launch, grouped by the DaemonSets that would run on them, and its
 * limits.
 */
import { andBits, andNotBits, anyBit, anyCommonBit, clearBit, copyBits, hasBit, orBits, setBit } from './bitset';
import { spend } from './bounds';
import { addPorts } from './host-ports';
import * as input from './input';
import { allocatePersistent, allocatePersistentItems } from './memory';
import { minValuesMet } from './min-values';
import { addressOf, endOf, startOf, ValueMinimum } from './records';
import { compatible } from './requirement-algebra';
import { compatibleTypes, keepFitting, offeredTypes, typeBytes } from './type-masks';

/**
 * Type bitset per template: the types that it can launch without any pod. A template with an empty bitset is never
 * used.
 */
export let options: usize = 0;
/** DaemonSet groups: i32[templateCount + 1] starts; per group a type bitset and i64[resourceCount] overhead. */
export let groupStart: usize = 0;
export let groupTypes: usize = 0;
export let groupOverhead: usize = 0;
/** Per (group, DaemonSet) u8: 1 if the DaemonSet runs on the group's types. */
export let groupDaemons: usize = 0;
/** u64[groups × portWords]: host ports of the DaemonSets. */
export let groupPorts: usize = 0;

/** Per DaemonSet i32: the first variant that Karpenter has not dropped. */
let daemonTerm: usize = 0;
let groupCount: i32 = 0;
let groupCapacity: i32 = 0;
let vectorBytes: usize = 0;
let scratch: usize = 0;
let zeroRequests: usize = 0;
/** Type bitset per template: types within what is left of the limits. */
let withinLimits: usize = 0;

export function initialise(): void {
  vectorBytes = <usize>input.resourceCount << 3;
  scratch = allocatePersistent(typeBytes * 2);
  zeroRequests = allocatePersistent(vectorBytes + 8);
  options = allocatePersistentItems(input.templateCount, typeBytes);
  withinLimits = allocatePersistentItems(input.templateCount, typeBytes);
  groupStart = allocatePersistent(<usize>(input.templateCount + 1) << 2);
  daemonTerm = allocatePersistent(<usize>input.daemonCount << 2);
  memory.copy(daemonTerm, input.daemonVariantStart, <usize>input.daemonCount << 2);
  groupCapacity = 0;
  groupCount = 0;
  growGroups(max(16, input.templateCount * 4));
  for (let t = 0; t < input.templateCount; t++) {
    store<i32>(groupStart + (<usize>t << 2), groupCount);
    prefilter(t);
    splitByDaemons(t);
  }
  store<i32>(groupStart + (<usize>input.templateCount << 2), groupCount);
}

/** Applies the limits of the current query. */
export function applyLimits(): void {
  isCutByLimits = false;
  for (let t = 0; t < input.templateCount; t++) refreshLimits(t);
}

@inline
export function viewOf(template: i32): i32 {
  return load<i32>(input.templateView + (<usize>template << 2));
}

@inline
export function setOf(template: i32): i32 {
  return load<i32>(input.templateSet + (<usize>template << 2));
}

/** Address of the template's minValues. */
export function minimaOf(template: i32): usize {
  return addressOf<ValueMinimum>(input.minValues, startOf(input.minValuesStart, template));
}

export function minimaCountOf(template: i32): i32 {
  return endOf(input.minValuesStart, template) - startOf(input.minValuesStart, template);
}

function prefilter(template: i32): void {
  const address = options + <usize>template * typeBytes;
  const view = viewOf(template);
  copyBits(address, compatibleTypes(view, setOf(template)), typeBytes);
  andBits(address, offeredTypes(view, setOf(template)), typeBytes);
  keepFitting(address, view, zeroRequests);
  const minima = minimaOf(template);
  if (input.minValuesBestEffort == 0 && !minValuesMet(address, view, setOf(template), minima, minimaCountOf(template))) {
    memory.fill(address, 0, typeBytes);
  }
}

function growGroups(capacity: i32): void {
  const types = allocatePersistentItems(capacity, typeBytes);
  const overhead = allocatePersistentItems(capacity, vectorBytes);
  const daemons = allocatePersistentItems(capacity, input.daemonCount);
  const ports = allocatePersistentItems(capacity, <i64>input.portWords << 3);
  if (groupCount > 0) {
    memory.copy(ports, groupPorts, <usize>(groupCount * input.portWords) << 3);
    memory.copy(types, groupTypes, <usize>groupCount * typeBytes);
    memory.copy(overhead, groupOverhead, <usize>groupCount * vectorBytes);
    memory.copy(daemons, groupDaemons, <usize>(groupCount * input.daemonCount));
  }
  groupTypes = types;
  groupOverhead = overhead;
  groupDaemons = daemons;
  groupPorts = ports;
  groupCapacity = capacity;
}

/**
 * Types with the same set of DaemonSets end up in one group: each DaemonSet splits a group if it runs on only some of
 * its types.
 */
function splitByDaemons(template: i32): void {
  const first = groupCount;
  if (!anyBit(options + <usize>template * typeBytes, typeBytes)) return;
  if (groupCount == groupCapacity) growGroups(groupCapacity * 2);
  copyBits(groupTypes + <usize>groupCount * typeBytes, options + <usize>template * typeBytes, typeBytes);
  groupCount++;
  const host = scratch;
  for (let d = 0; d < input.daemonCount; d++) {
    fillHosts(host, template, d);
    const end = groupCount;
    for (let g = first; g < end; g++) splitGroup(g, d, host);
  }
}

/**
 * The types of the template on which DaemonSet `d` would run. Karpenter uses the first of its ORed terms, and drops a
 * term for good once a type does not meet it, unless it is the last one. Later types are compared with the remaining
 * terms only.
 */
function fillHosts(bits: usize, template: i32, d: i32): void {
  memory.fill(bits, 0, typeBytes);
  if (load<u8>(input.daemonTolerates + <usize>(d * input.templateCount + template)) == 0) return;
  const last = endOf(input.daemonVariantStart, d) - 1;
  const address = daemonTerm + (<usize>d << 2);
  let hosts = termHosts(template, load<i32>(address));
  if (load<i32>(address) == last) {
    if (hosts != 0) orBits(bits, hosts, typeBytes);
    return;
  }
  const types = options + <usize>template * typeBytes;
  for (let type = 0; type < input.typeCount; type++) {
    if (!hasBit(types, type)) continue;
    while (load<i32>(address) < last && (hosts == 0 || !hasBit(hosts, type))) {
      store<i32>(address, load<i32>(address) + 1);
      hosts = termHosts(template, load<i32>(address));
    }
    if (hosts != 0 && hasBit(hosts, type)) setBit(bits, type);
  }
}

/** Bitset of the types that meet a variant of a DaemonSet; 0 if the template itself does not. */
function termHosts(template: i32, variant: i32): usize {
  const set = load<i32>(input.daemonVariantSet + (<usize>variant << 2));
  return compatible(setOf(template), set) ? compatibleTypes(viewOf(template), set) : 0;
}

function splitGroup(group: i32, d: i32, host: usize): void {
  const types = groupTypes + <usize>group * typeBytes;
  if (!anyCommonBit(types, host, typeBytes)) return;
  const rest = scratch + typeBytes;
  copyBits(rest, types, typeBytes);
  andNotBits(rest, host, typeBytes);
  if (anyBit(rest, typeBytes)) {
    if (groupCount == groupCapacity) growGroups(groupCapacity * 2);
    copyBits(groupTypes + <usize>groupCount * typeBytes, rest, typeBytes);
    memory.copy(groupOverhead + <usize>groupCount * vectorBytes, groupOverhead + <usize>group * vectorBytes, vectorBytes);
    memory.copy(groupDaemons + <usize>(groupCount * input.daemonCount), groupDaemons + <usize>(group * input.daemonCount), <usize>input.daemonCount);
    memory.copy(portsOf(groupCount), portsOf(group), <usize>input.portWords << 3);
    groupCount++;
    andBits(groupTypes + <usize>group * typeBytes, host, typeBytes);
  }
  addRequests(groupOverhead + <usize>group * vectorBytes, input.daemonRequests + <usize>d * vectorBytes);
  addPorts(portsOf(group), input.daemonPorts + (<usize>(d * input.portWords) << 3));
  store<u8>(groupDaemons + <usize>(group * input.daemonCount + d), 1);
}

@inline
export function portsOf(group: i32): usize {
  return groupPorts + (<usize>(group * input.portWords) << 3);
}

/** Far above any amount that a node can have, and low enough that the sum of two does not overflow. */
const CEILING: i64 = 1 << 61;

export function addRequests(target: usize, more: usize): void {
  for (let address: usize = 0; address < vectorBytes; address += 8) {
    store<i64>(target + address, min(CEILING, load<i64>(target + address) + load<i64>(more + address)));
  }
}

/** Whether a limit excludes some type. */
export let isCutByLimits: bool = false;

/** The types that the limits of the template still allow. */
export function allowedByLimits(template: i32): usize {
  return withinLimits + <usize>template * typeBytes;
}

function refreshLimits(template: i32): void {
  const bits = allowedByLimits(template);
  copyBits(bits, options + <usize>template * typeBytes, typeBytes);
  for (let l = 0; l < input.limitCount; l++) {
    const left = load<i64>(input.limitRemaining + (<usize>(template * input.limitCount + l) << 3));
    if (left == i64.MAX_VALUE) continue;
    const capacity = capacityColumn(template, l);
    spend(input.typeCount);
    for (let type = 0; type < input.typeCount; type++) {
      if (load<i64>(capacity + (<usize>type << 3)) <= left || !hasBit(bits, type)) continue;
      clearBit(bits, type);
      isCutByLimits = true;
    }
  }
}

@inline
function capacityColumn(template: i32, limit: i32): usize {
  return input.limitCapacity + ((<usize>((viewOf(template) * input.limitCount + limit) * input.typeCount)) << 3);
}

/** After a new claim: every limit loses the largest capacity among the types that the claim may become. */
export function chargeLimits(template: i32, types: usize): void {
  let limited = false;
  for (let l = 0; l < input.limitCount; l++) {
    const address = input.limitRemaining + (<usize>(template * input.limitCount + l) << 3);
    const left = load<i64>(address);
    if (left == i64.MAX_VALUE) continue;
    limited = true;
    let largest: i64 = 0;
    const capacity = capacityColumn(template, l);
    spend(input.typeCount);
    for (let type = 0; type < input.typeCount; type++) {
      if (hasBit(types, type)) largest = max(largest, load<i64>(capacity + (<usize>type << 3)));
    }
    store<i64>(address, max(-CEILING, left - largest));
  }
  if (limited) refreshLimits(template);
}
