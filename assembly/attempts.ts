/** Whether an open claim takes one more pod of a class, and whether a template can open a claim for it. */
import { claims, claimRequests, claimTypes, minimaOfClaim, portsOfClaim, reservationsOf } from './claims';
import { conflicts } from './host-ports';
import * as input from './input';
import { allocate, allocateForGood } from './memory';
import { minValuesMet } from './min-values';
import { alternativesOf, tolerated, variantSetOf, withVolumes } from './pod-classes';
import { combine, INCOMPATIBLE } from './requirement-combinations';
import * as reservations from './reservations';
import { allowedByLimits, minimaCountOf, minimaOf, setOf, viewOf } from './templates';
import { constrain, constrainByLabels, failedForGood, failedGroup, refusesHost } from './topology';
import { filter, filterFlags, foundTypes, vectorBytes } from './type-filter';
import { isEmpty, typeBytes } from './type-masks';

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

let noRequests: usize = 0;
let noReservations: usize = 0;

export function initialise(): void {
  noRequests = allocate(vectorBytes + 8);
  noReservations = allocate(reservations.setBytes);
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
  const constrained = joined == INCOMPATIBLE ? INCOMPATIBLE : constrainByLabels(podClass, variant, joined, false);
  store<i32>(outlook, joined == INCOMPATIBLE ? NEVER : constrained == INCOMPATIBLE ? NOT_NOW : TAKEN, 4);
  store<i32>(outlook, joined, 8);
  store<i32>(outlook, constrained, 12);
  return outlook;
}

function growOutlooks(set: i32): void {
  const capacity = max(256, (set + 1) * 2);
  const larger = allocateForGood(<usize>capacity << 4);
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

function takes(claim: i32, podClass: i32, template: i32, set: i32, requests: usize): bool {
  return filter(podClass, template, set, claimTypes + <usize>claim * typeBytes, claimRequests + <usize>claim * vectorBytes, requests)
    && minValuesMet(foundTypes, viewOf(template), set, minimaOfClaim(claim), minimaCountOf(template));
}

/** Whether the template can open a claim for the pod; a reason (above) where not. */
export function tryTemplate(template: i32, podClass: i32, variant: i32, requests: usize): i32 {
  const nodes = load<i64>(input.templateNodes + (<usize>template << 3));
  if (nodes == 0) return NODE_LIMIT;
  // With more nodes than it may have, no type is within the limits, by Karpenter's reckoning.
  if (nodes < 0) return LIMITS;
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
