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
import { addressOf, endOf, recordAt, Run, startOf } from './records';
import * as requirementCombinations from './requirement-combinations';
import * as requirementRows from './requirement-rows';
import * as reservations from './reservations';
import * as templates from './templates';
import * as topologyCounts from './topology-counts';
import * as topologyDomains from './topology-domains';
import * as typeFilter from './type-filter';
import * as typeMasks from './type-masks';

/** A run in the ring buffer, with 1 + the number of placements when it last failed. */
@unmanaged
class QueuedRun extends Run {
  failedAt: i32;
}

/** Where a pod of the group is: on this claim, or on the existing node -1 - claim. */
@unmanaged
class Placement {
  group: i32;
  claim: i32;
}

@unmanaged
class Leftover {
  group: i32;
  pods: i32;
}

/** A Placement per placed pod, in order. */
export let placements: usize = 0;
export let placementCount: i32 = 0;
/** A Leftover per run that has pods left. */
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

/** A ring buffer of runs. */
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
  topologyDomains.initialise();
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
  for (let run = 0; run < input.runCount; run++) pods += recordAt<Run>(input.runs, run).pods;
  placements = allocateItems(pods, offsetof<Placement>());
  leftovers = allocateItems(input.runCount, offsetof<Leftover>());
  refusals = allocateItems(<i64>input.classCount * input.templateCount, 4);
  lastVariants = allocate(<usize>input.classCount << 2);
  queue = allocateItems(input.runCount, offsetof<QueuedRun>());
  for (let run = 0; run < input.runCount; run++) {
    memory.copy(addressOf<QueuedRun>(queue, run), addressOf<Run>(input.runs, run), offsetof<Run>());
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
    const run = recordAt<QueuedRun>(queue, head);
    if (run.failedAt == placementCount + 1) break;
    const left = place(run.podClass, run.pods, run.group);
    head = head + 1 == input.runCount ? 0 : head + 1;
    length--;
    if (left == 0) continue;
    const back = recordAt<QueuedRun>(queue, (head + length) % input.runCount);
    back.podClass = run.podClass;
    back.pods = left;
    back.group = run.group;
    back.failedAt = placementCount + 1;
    length++;
  }
  for (; length > 0; length--) {
    const run = recordAt<QueuedRun>(queue, head);
    const leftover = recordAt<Leftover>(leftovers, leftoverCount++);
    leftover.group = run.group;
    leftover.pods = run.pods;
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
  const start = startOf(input.classVariantStart, podClass);
  const end = endOf(input.classVariantStart, podClass);
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
  const placement = recordAt<Placement>(placements, placementCount++);
  placement.group = group;
  placement.claim = claim;
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
    planesPerClaim = max(planesPerClaim, endOf(input.planeStart, view) - startOf(input.planeStart, view));
  }
  claimPlanes = allocateItems(claims.claimCount, planesPerClaim);
  for (let claim = 0; claim < claims.claimCount; claim++) {
    const record = recordAt<claims.Claim>(claims.claims, claim);
    const view = templates.viewOf(record.template);
    const start = startOf(input.planeStart, view);
    const count = endOf(input.planeStart, view) - start;
    for (let plane = 0; plane < count; plane++) {
      const set = record.set;
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
