/** Whether an open claim takes one more pod of a class, and whether a template can open a claim for it. */
import { Claim, claimRequests, claims, claimTypes, minimaOfClaim, portsOfClaim, reservationsOf } from './claims';
import { conflicts } from './host-ports';
import * as input from './input';
import { allocate, allocatePersistent } from './memory';
import { minValuesMet } from './min-values';
import { alternativesOf, tolerated, variantSetOf, withVolumes } from './pod-classes';
import { recordAt } from './records';
import { combine, INCOMPATIBLE } from './requirement-combinations';
import * as reservations from './reservations';
import { allowedByLimits, minimaCountOf, minimaOf, setOf, viewOf } from './templates';
import { constrain, constrainByLabels, failedForGood, failedGroup, refusesHost } from './topology';
import { continueDraws, pauseDraws } from './topology-domains';
import { filter, filteredTypes, filterFlags, vectorBytes } from './type-filter';
import { isEmpty, typeBytes } from './type-masks';

/** Why a template refuses a pod. FILTERED is combined with the flags of the filter. */
export const ACCEPTED: i32 = 0;
export const TAINTED: i32 = 1;
export const REQUIREMENTS: i32 = 2;
export const NODE_LIMIT: i32 = 3;
export const LIMITS: i32 = 4;
export const MIN_VALUES: i32 = 5;
/**
 * The bits from 8 on have 1 + the number of the topology group; 0 if the choices of several groups contradict each
 * other.
 */
export const TOPOLOGY: i32 = 6;
export const VOLUMES: i32 = 7;
/** The pod waits until other claims are launched, which hold the reservations that it could use. */
export const RESERVED: i32 = 8;
export const RESERVATIONS_FULL: i32 = 9;
export const FILTERED: i32 = 64;

let noRequests: usize = 0;
let noReservations: usize = 0;

export function initialise(): void {
  noRequests = allocate(vectorBytes + 8);
  noReservations = allocate(reservations.setBytes);
}

/** The answers of an open claim or a node to a pod. */
export const NEVER: i32 = 0;
export const TAKEN: i32 = 1;
/** Refused because of other pods. It may be accepted after more pods are placed. */
export const NOT_NOW: i32 = 2;

/** What a pod with the stamp was answered by a claim with the set, and what both combine to. */
@unmanaged
class Compatibility {
  podStamp: i32;
  answer: i32;
  joined: i32;
  constrained: i32;
}

/**
 * Per set, the answer that depends only on the requirement set of a claim. It is cached for one pod. There may be
 * thousands of open claims, but only a few distinct sets.
 */
let compatibility: usize = 0;
let compatibilityCapacity: i32 = 0;
let podStamp: i32 = 0;

/** Starts a new pod: cached answers are valid for one pod only. */
export function beginAttempt(): void {
  podStamp++;
}

/** Whether an open claim takes one more pod. If so, `claims.accept` adds it. */
export function tryClaim(claim: i32, podClass: i32, variant: i32, requests: usize): i32 {
  const record = recordAt<Claim>(claims, claim);
  const template = record.template;
  if (!tolerated(variant, template) || conflicts(podClass, portsOfClaim(claim))) return NEVER;
  if (refusesHost(podClass, variant, input.nodeCount + claim)) return failedForGood ? NEVER : NOT_NOW;
  const end = alternativesOf(podClass);
  if (end == 1) {
    const cached = compatibilityOf(record.set, podClass, variant);
    return cached.answer == TAKEN ? fill(claim, podClass, template, cached.joined, cached.constrained, requests) : cached.answer;
  }
  const joined = combine(record.set, variantSetOf(variant));
  if (joined == INCOMPATIBLE) return NEVER;
  let answer = NEVER;
  for (let alternative = 0; alternative < end; alternative++) {
    const set = withVolumes(podClass, alternative, joined);
    if (set == INCOMPATIBLE) continue;
    const constrained = constrain(podClass, variant, input.nodeCount + claim, set);
    const result = constrained == INCOMPATIBLE ? NOT_NOW : fill(claim, podClass, template, set, constrained, requests);
    if (result == TAKEN) return TAKEN;
    if (result == NOT_NOW) answer = NOT_NOW;
  }
  return answer;
}

/** The host has already been checked, so the result depends only on the set. */
function compatibilityOf(set: i32, podClass: i32, variant: i32): Compatibility {
  if (set >= compatibilityCapacity) growCompatibility(set);
  const entry = recordAt<Compatibility>(compatibility, set);
  if (entry.podStamp == podStamp) return entry;
  entry.podStamp = podStamp;
  const own = combine(set, variantSetOf(variant));
  const joined = own == INCOMPATIBLE ? INCOMPATIBLE : withVolumes(podClass, 0, own);
  const constrained = joined == INCOMPATIBLE ? INCOMPATIBLE : constrainByLabels(podClass, variant, joined, false);
  entry.answer = joined == INCOMPATIBLE ? NEVER : constrained == INCOMPATIBLE ? NOT_NOW : TAKEN;
  entry.joined = joined;
  entry.constrained = constrained;
  return entry;
}

function growCompatibility(set: i32): void {
  const capacity = max(256, (set + 1) * 2);
  const larger = allocatePersistent(<usize>capacity * offsetof<Compatibility>());
  memory.copy(larger, compatibility, <usize>compatibilityCapacity * offsetof<Compatibility>());
  compatibility = larger;
  compatibilityCapacity = capacity;
}

/**
 * TAKEN if the claim has instance types in the domains that topology allows; NOT_NOW if it only has some in other
 * domains.
 */
function fill(claim: i32, podClass: i32, template: i32, set: i32, constrained: i32, requests: usize): i32 {
  if (takes(claim, podClass, template, constrained, requests)) {
    // Reservations that other claims hold may be released again.
    return reservations.check(reservationsOf(claim), viewOf(template), constrained, filteredTypes) == reservations.FREE ? TAKEN : NOT_NOW;
  }
  return constrained != set && takes(claim, podClass, template, set, requests) ? NOT_NOW : NEVER;
}

function takes(claim: i32, podClass: i32, template: i32, set: i32, requests: usize): bool {
  return filter(podClass, template, set, claimTypes + <usize>claim * typeBytes, claimRequests + <usize>claim * vectorBytes, requests)
    && minValuesMet(filteredTypes, viewOf(template), set, minimaOfClaim(claim), minimaCountOf(template));
}

/** Whether the template can open a claim for the pod: ACCEPTED, or the reason of the refusal. */
export function tryTemplate(template: i32, podClass: i32, variant: i32, requests: usize): i32 {
  const nodes = load<i64>(input.templateNodes + (<usize>template << 3));
  if (nodes == 0) return NODE_LIMIT;
  // If the pool has more nodes than its limit allows, Karpenter finds no type within the limits.
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

/**
 * A drawn domain may have no instance types. Karpenter then draws again when it retries the pod. The kernel takes the
 * first domain instead: the list begins with the domains that can be launched.
 */
function tryAlternative(template: i32, types: usize, podClass: i32, variant: i32, joined: i32, requests: usize): i32 {
  if (joined == INCOMPATIBLE) return VOLUMES;
  const reason = tryDrawn(template, types, podClass, variant, joined, requests);
  if (reason == ACCEPTED || !pauseDraws()) return reason;
  const again = tryDrawn(template, types, podClass, variant, joined, requests);
  continueDraws();
  return again;
}

function tryDrawn(template: i32, types: usize, podClass: i32, variant: i32, joined: i32, requests: usize): i32 {
  const set = constrain(podClass, variant, -1, joined);
  if (set == INCOMPATIBLE) return TOPOLOGY | ((failedGroup + 1) << 8);
  if (!filter(podClass, template, set, types, noRequests, requests)) return FILTERED | filterFlags(podClass, template, set, types, requests);
  if (input.minValuesBestEffort == 0 && !minValuesMet(filteredTypes, viewOf(template), set, minimaOf(template), minimaCountOf(template))) {
    return MIN_VALUES;
  }
  const reserved = reservations.check(noReservations, viewOf(template), set, filteredTypes);
  if (reserved == reservations.FREE) return ACCEPTED;
  return reserved == reservations.FULL ? RESERVATIONS_FULL : RESERVED;
}
