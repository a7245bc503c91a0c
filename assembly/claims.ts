/** Node claims in flight: what each may still become, and whether it takes one more pod of a class. */
import { andBits, copyBits, orBits } from './bitset';
import { conflicts, takePorts } from './host-ports';
import * as input from './input';
import { allocate } from './memory';
import { minValuesMet, relaxMinima } from './min-values';
import { combine, INCOMPATIBLE } from './requirement-combinations';
import * as reservations from './reservations';
import { addRequests, allowedByLimits, groupOverhead, groupStart, groupTypes, minimaCountOf, minimaOf, portsOf, setOf, viewOf } from './templates';
import { constrain, constrainByLabels, failedForGood, failedGroup, record as countPod, refusesHost } from './topology';
import { compatibleTypes, isEmpty, keepFitting, offeredTypes, typeBytes } from './type-masks';

/** Why a template or claim refuses a pod; the filter's own flags come on top of FILTERED. */
export const ACCEPTED: i32 = 0;
export const TAINTED: i32 = 1;
export const REQUIREMENTS: i32 = 2;
export const NODE_LIMIT: i32 = 3;
export const LIMITS: i32 = 4;
export const MIN_VALUES: i32 = 5;
/** With the number of the topology group in the bits from 8 on, one more than it is; 0 where several did not go together. */
export const TOPOLOGY: i32 = 6;
export const VOLUMES: i32 = 7;
/** The pod waits for other claims to be launched, or for room in a reservation. */
export const RESERVED: i32 = 8;
export const RESERVATIONS_FULL: i32 = 9;
export const FILTERED: i32 = 64;

export let claimCount: i32 = 0;
/** Per claim, i32: template, requirement set, pods. */
export let claims: usize = 0;
/** Type bitset per claim; i64[resourceCount] requests of its pods per claim; u64[portWords] host ports of its pods. */
export let claimTypes: usize = 0;
export let claimRequests: usize = 0;
let claimPorts: usize = 0;
/** Per claim the set of reservations that it keeps. */
export let claimReservations: usize = 0;

/** Per claim its minValues, (key, minimum) pairs: BestEffort lowers them when the claim is opened. */
let claimMinima: usize = 0;
let minimaBytes: usize = 0;
let capacity: i32 = 0;
let vectorBytes: usize = 0;
/** What `tryAdd` found, for `accept` to take over. */
let foundTypes: usize = 0;
let foundSet: i32 = 0;
let total: usize = 0;
let withOverhead: usize = 0;
let groupBits: usize = 0;
let noRequests: usize = 0;
let noReservations: usize = 0;

export function initialise(): void {
  vectorBytes = <usize>input.resourceCount << 3;
  foundTypes = allocate(typeBytes);
  groupBits = allocate(typeBytes);
  total = allocate(vectorBytes + 8);
  withOverhead = allocate(vectorBytes + 8);
  noRequests = allocate(vectorBytes + 8);
  noReservations = allocate(reservations.setBytes);
  for (let t = 0; t < input.templateCount; t++) minimaBytes = max(minimaBytes, <usize>minimaCountOf(t) << 3);
  claimCount = 0;
  capacity = 0;
  grow(64);
}

function grow(wanted: i32): void {
  const records = allocate(<usize>wanted * 12);
  const types = allocate(<usize>wanted * typeBytes);
  const requests = allocate(<usize>wanted * vectorBytes);
  const minima = allocate(<usize>wanted * minimaBytes);
  const ports = allocate(<usize>(wanted * input.portWords) << 3);
  const reserved = allocate(<usize>wanted * reservations.setBytes);
  memory.copy(reserved, claimReservations, <usize>claimCount * reservations.setBytes);
  memory.copy(ports, claimPorts, <usize>(claimCount * input.portWords) << 3);
  memory.copy(records, claims, <usize>claimCount * 12);
  memory.copy(types, claimTypes, <usize>claimCount * typeBytes);
  memory.copy(requests, claimRequests, <usize>claimCount * vectorBytes);
  memory.copy(minima, claimMinima, <usize>claimCount * minimaBytes);
  claims = records;
  claimTypes = types;
  claimRequests = requests;
  claimMinima = minima;
  claimPorts = ports;
  claimReservations = reserved;
  capacity = wanted;
}

/** What an open claim says to a pod. */
export const NEVER: i32 = 0;
export const TAKEN: i32 = 1;
/** Not while the others are where they are; it may when more pods are placed. */
export const NOT_NOW: i32 = 2;

/**
 * What one pod meets with at every claim with the same requirements, host names aside: i32 per set (stamp, answer, joined set,
 * constrained set). Of thousands of open claims few differ in their requirements.
 */
let outlooks: usize = 0;
let outlookCapacity: i32 = 0;
let stamp: i32 = 0;

/** Before a pod is offered to claims. */
export function beginAttempt(): void {
  stamp++;
}

/** Whether an open claim takes one more pod; if so, `accept` puts it there. */
export function tryClaim(claim: i32, podClass: i32, variant: i32, requests: usize): i32 {
  const record = claims + <usize>claim * 12;
  const template = load<i32>(record);
  if (!tolerated(variant, template) || conflicts(podClass, portsOfClaim(claim))) return NEVER;
  if (refusesHost(podClass, variant, input.nodeCount + claim)) return failedForGood ? NEVER : NOT_NOW;
  const end = alternativesOf(podClass);
  if (end == 1) {
    const outlook = outlookOf(load<i32>(record, 4), podClass, variant);
    const answer = load<i32>(outlook, 4);
    return answer == TAKEN ? fill(claim, podClass, template, load<i32>(outlook, 8), load<i32>(outlook, 12), requests) : answer;
  }
  const joined = combine(load<i32>(record, 4), variantSetOf(variant));
  if (joined == INCOMPATIBLE) return NEVER;
  let answer = NEVER;
  for (let alternative = 0; alternative < end; alternative++) {
    const set = withVolumes(podClass, alternative, joined);
    if (set == INCOMPATIBLE) continue;
    const constrained = constrain(podClass, variant, input.nodeCount + claim, set);
    const one = constrained == INCOMPATIBLE ? NOT_NOW : fill(claim, podClass, template, set, constrained, requests);
    if (one == TAKEN) return TAKEN;
    if (one == NOT_NOW) answer = NOT_NOW;
  }
  return answer;
}

/** The host allows the pod already, so what is left to ask depends on the set alone. */
function outlookOf(set: i32, podClass: i32, variant: i32): usize {
  if (set >= outlookCapacity) growOutlooks(set);
  const outlook = outlooks + (<usize>set << 4);
  if (load<i32>(outlook) == stamp) return outlook;
  store<i32>(outlook, stamp);
  const own = combine(set, variantSetOf(variant));
  const joined = own == INCOMPATIBLE ? INCOMPATIBLE : withVolumes(podClass, 0, own);
  const constrained = joined == INCOMPATIBLE ? INCOMPATIBLE : constrainByLabels(podClass, variant, joined);
  store<i32>(outlook, joined == INCOMPATIBLE ? NEVER : constrained == INCOMPATIBLE ? NOT_NOW : TAKEN, 4);
  store<i32>(outlook, joined, 8);
  store<i32>(outlook, constrained, 12);
  return outlook;
}

function growOutlooks(set: i32): void {
  const capacity = max(256, (set + 1) * 2);
  const larger = allocate(<usize>capacity << 4);
  memory.copy(larger, outlooks, <usize>outlookCapacity << 4);
  outlooks = larger;
  outlookCapacity = capacity;
}

/** Whether the claim has instance types for the pod in the domains that topology leaves, or would have them in others. */
function fill(claim: i32, podClass: i32, template: i32, set: i32, constrained: i32, requests: usize): i32 {
  if (takes(claim, podClass, template, constrained, requests)) {
    // What others keep they may give back.
    return reservations.check(reservationsOf(claim), viewOf(template), constrained, foundTypes) == reservations.FREE ? TAKEN : NOT_NOW;
  }
  return constrained != set && takes(claim, podClass, template, set, requests) ? NOT_NOW : NEVER;
}

@inline
function reservationsOf(claim: i32): usize {
  return claimReservations + <usize>claim * reservations.setBytes;
}

@inline
function portsOfClaim(claim: i32): usize {
  return claimPorts + (<usize>(claim * input.portWords) << 3);
}

/** How many ways its volumes can be met: those without any need have one. */
export function alternativesOf(podClass: i32): i32 {
  const at = input.classVolumeStart + (<usize>podClass << 2);
  return max(1, load<i32>(at, 4) - load<i32>(at));
}

/** The requirements that the volumes put on the node in one of these ways, or -1 for none. */
export function volumeSetOf(podClass: i32, alternative: i32): i32 {
  const at = input.classVolumeStart + (<usize>podClass << 2);
  const start = load<i32>(at);
  return start == load<i32>(at, 4) ? -1 : load<i32>(input.classVolumeSets + (<usize>(start + alternative) << 2));
}

function withVolumes(podClass: i32, alternative: i32, set: i32): i32 {
  const volumes = volumeSetOf(podClass, alternative);
  return volumes < 0 ? set : combine(set, volumes);
}

function takes(claim: i32, podClass: i32, template: i32, set: i32, requests: usize): bool {
  return filter(podClass, template, set, claimTypes + <usize>claim * typeBytes, claimRequests + <usize>claim * vectorBytes, requests)
    && minValuesMet(foundTypes, viewOf(template), set, claimMinima + <usize>claim * minimaBytes, minimaCountOf(template));
}

/** Whether the template can open a claim for the pod; a reason (above) where not. */
export function tryTemplate(template: i32, podClass: i32, variant: i32, requests: usize): i32 {
  if (load<i64>(input.templateNodes + (<usize>template << 3)) == 0) return NODE_LIMIT;
  const types = allowedByLimits(template);
  if (isEmpty(types)) return LIMITS;
  if (!tolerated(variant, template)) return TAINTED;
  const joined = combine(setOf(template), variantSetOf(variant));
  if (joined == INCOMPATIBLE) return REQUIREMENTS;
  let reason = ACCEPTED;
  const end = alternativesOf(podClass);
  for (let alternative = 0; alternative < end; alternative++) {
    reason = tryAlternative(template, types, podClass, variant, withVolumes(podClass, alternative, joined), requests);
    if (reason == ACCEPTED) break;
  }
  return reason;
}

function tryAlternative(template: i32, types: usize, podClass: i32, variant: i32, joined: i32, requests: usize): i32 {
  if (joined == INCOMPATIBLE) return VOLUMES;
  const set = constrain(podClass, variant, -1, joined);
  if (set == INCOMPATIBLE) return TOPOLOGY | ((failedGroup + 1) << 8);
  if (!filter(podClass, template, set, types, noRequests, requests)) return FILTERED | filterFlags(podClass, template, set, types, requests);
  if (input.minValuesBestEffort == 0 && !minValuesMet(foundTypes, viewOf(template), set, minimaOf(template), minimaCountOf(template))) {
    return MIN_VALUES;
  }
  const reserved = reservations.check(noReservations, viewOf(template), set, foundTypes);
  if (reserved == reservations.FREE) return ACCEPTED;
  return reserved == reservations.FULL ? RESERVATIONS_FULL : RESERVED;
}

@inline
export function tolerated(variant: i32, taintSet: i32): bool {
  return load<u8>(input.variantTolerates + <usize>(variant * input.taintSetCount + taintSet)) != 0;
}

@inline
export function variantSetOf(variant: i32): i32 {
  return load<i32>(input.variantSet + (<usize>variant << 2));
}

/** Leaves in `foundTypes` the types that stay possible with `more` on top of `requests`, daemonsets included. */
function filter(podClass: i32, template: i32, set: i32, types: usize, requests: usize, more: usize): bool {
  const view = viewOf(template);
  foundSet = set;
  memory.copy(total, requests, vectorBytes);
  addRequests(total, more);
  fitting(foundTypes, podClass, template, types);
  andBits(foundTypes, compatibleTypes(view, set), typeBytes);
  andBits(foundTypes, offeredTypes(view, set), typeBytes);
  return !isEmpty(foundTypes);
}

/** The types among `types` that hold `total` and the daemonsets of their group; none of a group that has taken the pod's ports. */
function fitting(bits: usize, podClass: i32, template: i32, types: usize): void {
  memory.fill(bits, 0, typeBytes);
  const end = load<i32>(groupStart + (<usize>template << 2), 4);
  for (let g = load<i32>(groupStart + (<usize>template << 2)); g < end; g++) {
    if (conflicts(podClass, portsOf(g))) continue;
    copyBits(groupBits, types, typeBytes);
    andBits(groupBits, groupTypes + <usize>g * typeBytes, typeBytes);
    memory.copy(withOverhead, total, vectorBytes);
    addRequests(withOverhead, groupOverhead + <usize>g * vectorBytes);
    keepFitting(groupBits, viewOf(template), withOverhead);
    orBits(bits, groupBits, typeBytes);
  }
}

/**
 * Which of Karpenter's criteria some type met: 1 requirements, 2 fits, 4 offering, 8 requirements and fits only,
 * 16 requirements and offering only, 32 fits and offering only. A type fits only where it has an offering too.
 */
function filterFlags(podClass: i32, template: i32, set: i32, types: usize, requests: usize): i32 {
  memory.copy(total, requests, vectorBytes);
  fitting(foundTypes, podClass, template, types);
  const free = freeTypes(podClass, template);
  const compatible = compatibleTypes(viewOf(template), set);
  const offered = offeredTypes(viewOf(template), set);
  let flags = 0;
  for (let i: usize = 0; i < typeBytes; i += 8) {
    const eligible = load<u64>(types + i) & load<u64>(free + i);
    const c = load<u64>(compatible + i) & eligible;
    const o = load<u64>(offered + i) & eligible;
    const f = load<u64>(foundTypes + i) & o;
    if (c != 0) flags |= 1;
    if (f != 0) flags |= 2;
    if (o != 0) flags |= 4;
    if ((c & f & ~o) != 0) flags |= 8;
    if ((c & o & ~f) != 0) flags |= 16;
    if ((f & o & ~c) != 0) flags |= 32;
  }
  return flags;
}

/** The types whose daemonsets leave the pod's ports free. */
function freeTypes(podClass: i32, template: i32): usize {
  memory.fill(groupBits, 0, typeBytes);
  const end = load<i32>(groupStart + (<usize>template << 2), 4);
  for (let g = load<i32>(groupStart + (<usize>template << 2)); g < end; g++) {
    if (!conflicts(podClass, portsOf(g))) orBits(groupBits, groupTypes + <usize>g * typeBytes, typeBytes);
  }
  return groupBits;
}

/** Takes over what the last successful try found. */
export function accept(claim: i32, podClass: i32, requests: usize): void {
  const record = claims + <usize>claim * 12;
  store<i32>(record, foundSet, 4);
  store<i32>(record, load<i32>(record, 8) + 1, 8);
  copyBits(claimTypes + <usize>claim * typeBytes, foundTypes, typeBytes);
  addRequests(claimRequests + <usize>claim * vectorBytes, requests);
  takePorts(podClass, portsOfClaim(claim));
  reservations.keep(reservationsOf(claim));
  countPod(podClass, load<i32>(record), input.nodeCount + claim, foundSet);
}

/** A new claim from the last successful `tryTemplate`. */
export function open(template: i32, podClass: i32, requests: usize): i32 {
  if (claimCount == capacity) grow(capacity * 2);
  const claim = claimCount++;
  store<i32>(claims + <usize>claim * 12, template);
  const minima = claimMinima + <usize>claim * minimaBytes;
  memory.copy(minima, minimaOf(template), <usize>minimaCountOf(template) << 3);
  if (input.minValuesBestEffort != 0) relaxMinima(foundTypes, viewOf(template), foundSet, minima, minimaCountOf(template));
  accept(claim, podClass, requests);
  return claim;
}
