/**
 * Karpenter's provisioning loop over runs of equal pods: open claims first, then new ones by weight, then relax and try
 * again.
 */
import * as attempts from './attempts';
import { hasBit } from './bitset';
import { spend } from './bounds';
import * as claimOrder from './claim-order';
import { append as appendClaim, begin as beginWalk, markChanged, next, reconsider, refuse, reset } from './claim-order';
import * as claims from './claims';
import * as input from './input';
import { allocate, allocateItems, beginQuery } from './memory';
import * as nodeHeadroom from './node-headroom';
import * as nodes from './nodes';
import * as requirementCombinations from './requirement-combinations';
import * as requirementRows from './requirement-rows';
import * as reservations from './reservations';
import * as templates from './templates';
import * as topologyCounts from './topology-counts';
import * as typeFilter from './type-filter';
import * as typeMasks from './type-masks';

/** Per placed pod, in order: i32 pairs (group, claim), or (group, -1 - existing node). */
export let placements: usize = 0;
export let placementCount: i32 = 0;
/** i32 pairs (group, pods left over). */
export let leftovers: usize = 0;
export let leftoverCount: i32 = 0;
/** i32[classCount × templateCount]: why the template refused the class when it was last tried. */
export let refusals: usize = 0;
/** i32[classCount]: how far the class was relaxed then, as the number of one of its variants. */
export let lastVariants: usize = 0;
/** How many times a claim or a template was tried: the cost of the solve, regardless of the machine. */
export let tries: i64 = 0;

/**
 * u8[claimCount × planesPerClaim], per offering plane of the claim's view: 1 if its requirements and reservations allow
 * the plane, 2 if they only allow its zone, else 0.
 */
export let claimPlanes: usize = 0;
export let planesPerClaim: i32 = 0;

/** A ring buffer of runs: class, count, group, and 1 + the number of placements when the run last failed. i32 each. */
let queue: usize = 0;

export function solve(): void {
  prepare();
  solveQuery();
}

/** Prepares what all queries about the same pools, instance types and pod classes share. */
export function prepare(): void {
  requirementRows.initialise();
  requirementCombinations.initialise();
  typeMasks.initialise();
  templates.initialise();
  typeFilter.initialise();
  topologyCounts.prepare();
  nodeHeadroom.prepare();
  beginQuery();
}

/** Solves one query: its nodes, limits, topology counts and queue. */
export function solveQuery(): void {
  begin(0);
  drain();
  fillPlanes();
}

/** @param addedPods how many pods may be placed in addition to the queue */
export function begin(addedPods: i64): void {
  templates.applyLimits();
  topologyCounts.initialise();
  reservations.initialise();
  attempts.initialise();
  claimOrder.initialise();
  claims.initialise();
  nodes.initialise();
  placementCount = 0;
  leftoverCount = 0;
  tries = 0;
  currentClass = -1;
  failedAt = -1;
  firstWatchedGroup = i32.MAX_VALUE;
  let pods = addedPods;
  for (let run = 0; run < input.runCount; run++) pods += load<i32>(input.runs + <usize>run * 12, 4);
  placements = allocateItems(pods, 8);
  leftovers = allocate(<usize>input.runCount << 3);
  refusals = allocateItems(<i64>input.classCount * input.templateCount, 4);
  lastVariants = allocate(<usize>input.classCount << 2);
  queue = allocate(<usize>input.runCount << 4);
  for (let run = 0; run < input.runCount; run++) {
    memory.copy(queue + (<usize>run << 4), input.runs + <usize>run * 12, 12);
  }
}

/**
 * A run with pods left goes to the back of the queue. If it comes up again and no pod was placed since, no run can make
 * progress.
 */
function drain(): void {
  let head = 0;
  let length = input.runCount;
  while (length > 0) {
    spend(1);
    const record = queue + (<usize>head << 4);
    if (load<i32>(record, 12) == placementCount + 1) break;
    const left = place(load<i32>(record), load<i32>(record, 4), load<i32>(record, 8));
    head = head + 1 == input.runCount ? 0 : head + 1;
    length--;
    if (left == 0) continue;
    const back = queue + (<usize>((head + length) % input.runCount) << 4);
    memory.copy(back, record, 12);
    store<i32>(back, left, 4);
    store<i32>(back, placementCount + 1, 12);
    length++;
  }
  for (; length > 0; length--) {
    const record = queue + (<usize>head << 4);
    store<i32>(leftovers + (<usize>leftoverCount << 3), load<i32>(record, 8));
    store<i32>(leftovers + (<usize>leftoverCount << 3), load<i32>(record, 4), 4);
    leftoverCount++;
    head = head + 1 == input.runCount ? 0 : head + 1;
  }
}

/**
 * The current class, whose refusals are kept from one run to the next, and the number of placements when one of its
 * pods last failed.
 */
let currentClass: i32 = -1;
let failedAt: i32 = -1;

let savedPlacements: i32 = 0;

/** Saves the variables that are not in query memory, for `restoreState`. */
export function saveState(): void {
  savedPlacements = placementCount;
}

export function restoreState(): void {
  placementCount = savedPlacements;
  currentClass = -1;
}

/** Places up to `count` pods of a class; returns how many are left. */
export function place(podClass: i32, count: i32, group: i32): i32 {
  const requests = input.classRequests + <usize>podClass * (<usize>input.resourceCount << 3);
  const start = load<i32>(input.classVariantStart + (<usize>podClass << 2));
  const end = load<i32>(input.classVariantStart + (<usize>podClass << 2), 4);
  if (podClass != currentClass) {
    currentClass = podClass;
    failedAt = -1;
    reset(end - start);
    nodes.reset(end - start, requests);
  }
  for (let left = count; left > 0; left--) {
    if (failedAt == placementCount) return left;
    if (placeOne(podClass, start, end, requests, group)) continue;
    failedAt = placementCount;
    return left;
  }
  return 0;
}

function placeOne(podClass: i32, start: i32, end: i32, requests: usize, group: i32): bool {
  for (let variant = start; variant < end; variant++) {
    const variantIndex = variant - start;
    store<i32>(lastVariants + (<usize>podClass << 2), variantIndex);
    topologyCounts.activate(variant);
    const node = nodes.place(variantIndex, podClass, variant, requests);
    if (node >= 0) {
      record(group, -1 - node);
      return true;
    }
    const claim = claimTaking(variantIndex, podClass, variant, requests);
    if (claim >= 0) {
      const isNarrowed = claims.accept(claim, podClass, requests);
      markChanged();
      if (isNarrowed && variantIndex > 0) reconsider();
      record(group, claim);
      return true;
    }
    const opened = openClaim(podClass, variant, requests);
    // A pod that waits for a reservation is not relaxed: once other claims are launched, it may be placed unrelaxed.
    if (opened == WAITS) return false;
    if (opened < 0) continue;
    appendClaim(opened);
    record(group, opened);
    return true;
  }
  return false;
}

/**
 * The first open claim that takes the pod, or -1. A claim that refuses the pod because of other pods is tried again for
 * the next pod.
 */
function claimTaking(variantIndex: i32, podClass: i32, variant: i32, requests: usize): i32 {
  beginWalk(variantIndex);
  attempts.beginAttempt();
  for (let claim = next(); claim >= 0; claim = next()) {
    tries++;
    const result = attempts.tryClaim(claim, podClass, variant, requests);
    if (result == attempts.TAKEN) return claim;
    if (result == attempts.NEVER) refuse();
  }
  return -1;
}

/**
 * Pods of groups from the first watched group on are watched. The flag is set when one is placed on a node from the
 * first watched node on.
 */
let firstWatchedGroup: i32 = i32.MAX_VALUE;
let firstWatchedNode: i32 = 0;
export let isWatchedNodeUsed: bool = false;

export function watchNodes(group: i32, node: i32): void {
  firstWatchedGroup = group;
  firstWatchedNode = node;
  isWatchedNodeUsed = false;
}

function record(group: i32, claim: i32): void {
  if (group >= firstWatchedGroup && claim < 0 && -1 - claim >= firstWatchedNode) isWatchedNodeUsed = true;
  const placement = placements + (<usize>placementCount << 3);
  store<i32>(placement, group);
  store<i32>(placement, claim, 4);
  placementCount++;
}

const NONE: i32 = -1;
const WAITS: i32 = -2;

/** The claim that was opened, NONE, or WAITS, in which case templates of lower weight are not tried. */
function openClaim(podClass: i32, variant: i32, requests: usize): i32 {
  const reasons = refusals + (<usize>(podClass * input.templateCount) << 2);
  for (let template = 0; template < input.templateCount; template++) {
    tries++;
    spend(1);
    const reason = attempts.tryTemplate(template, podClass, variant, requests);
    store<i32>(reasons + (<usize>template << 2), reason);
    if (input.reservedFallback == 0 && (reason == attempts.RESERVED || reason == attempts.RESERVATIONS_FULL)) {
      memory.fill(reasons + (<usize>(template + 1) << 2), 0, <usize>(input.templateCount - template - 1) << 2);
      return WAITS;
    }
    if (reason != attempts.ACCEPTED) continue;
    const claim = claims.open(template, podClass, requests);
    templates.chargeLimits(template, claims.claimTypes + <usize>claim * typeMasks.typeBytes);
    return claim;
  }
  return NONE;
}

function fillPlanes(): void {
  for (let view = 0; view < input.viewCount; view++) {
    planesPerClaim = max(planesPerClaim, load<i32>(input.planeStart + (<usize>view << 2), 4) - load<i32>(input.planeStart + (<usize>view << 2)));
  }
  claimPlanes = allocateItems(claims.claimCount, planesPerClaim);
  for (let claim = 0; claim < claims.claimCount; claim++) {
    const record = claims.claims + <usize>claim * 12;
    const view = templates.viewOf(load<i32>(record));
    const start = load<i32>(input.planeStart + (<usize>view << 2));
    const count = load<i32>(input.planeStart + (<usize>view << 2), 4) - start;
    for (let plane = 0; plane < count; plane++) {
      const set = load<i32>(record, 4);
      const isLeft = typeMasks.planeMatches(start + plane, set) && launchable(start + plane, claim);
      if (isLeft || typeMasks.zoneMatches(start + plane, set)) store<u8>(claimPlanes + <usize>(claim * planesPerClaim + plane), isLeft ? 1 : 2);
    }
  }
}

/**
 * A claim that holds reservations is launched into one of them. A claim that holds none is launched outside of
 * reservations. With `reservedFallback` pods do not wait for reservations that other claims hold, so such a claim may
 * also be launched into what those leave.
 */
function launchable(plane: i32, claim: i32): bool {
  if (input.reservationCount == 0) return true;
  const held = claims.reservationsOf(claim);
  const reservation = load<i32>(input.planeReservation + (<usize>plane << 2));
  if (reservation < 0) return reservations.isNone(held);
  if (hasBit(held, reservation)) return true;
  return input.reservedFallback != 0 && reservations.isNone(held) && load<i32>(input.reservationFree + (<usize>reservation << 2)) > 0;
}
