/** Karpenter's provisioning loop over runs of equal pods: open claims first, then new ones by weight, then relax and try again. */
import * as attempts from './attempts';
import { hasBit } from './bitset';
import { spend } from './bounds';
import * as candidates from './candidates';
import { begin as beginWalk, next, opened as standLast, reconsider, refuse, reset, took } from './candidates';
import * as claims from './claims';
import * as input from './input';
import * as fullNodes from './full-nodes';
import { allocate, allocateItems, forget } from './memory';
import * as nodeRoom from './node-room';
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
/** i32[classCount × templateCount]: why the template refused the class when it was last tried, as far relaxed as it was then. */
export let refusals: usize = 0;
/** i32[classCount]: how far that was, as the number of a variant of the class. */
export let lastVariants: usize = 0;
/** How many times a claim or a template was tried: what the solve cost, whatever the machine. */
export let tries: i64 = 0;

/**
 * u8[claimCount × planesPerClaim]: 1 for each offering plane of the claim's view that its requirements and reservations leave, 2 for another
 * whose zone they leave.
 */
export let claimPlanes: usize = 0;
export let planesPerClaim: i32 = 0;

/** A ring of runs: (class, count, group, the number of placements when it last failed + 1), i32 each. */
let queue: usize = 0;

export function solve(): void {
  prepare();
  answer();
}

/** What all questions about the same pools, instance types and classes of pods have in common. */
export function prepare(): void {
  requirementRows.initialise();
  requirementCombinations.initialise();
  typeMasks.initialise();
  templates.initialise();
  typeFilter.initialise();
  topologyCounts.prepare();
  nodeRoom.prepare();
  forget();
}

/** One question: its nodes, limits, counts of topology groups, and queue. */
export function answer(): void {
  begin(0);
  drain();
  fillPlanes();
}

/** @param more pods that may come in besides those of the queue */
export function begin(more: i64): void {
  fullNodes.end();
  templates.applyLimits();
  topologyCounts.initialise();
  reservations.initialise();
  attempts.initialise();
  candidates.initialise();
  claims.initialise();
  nodes.initialise();
  placementCount = 0;
  leftoverCount = 0;
  tries = 0;
  classAtHand = -1;
  stuckAt = -1;
  watchedGroup = i32.MAX_VALUE;
  let pods = more;
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

/** A run that leaves pods goes to the back; when one comes round again and nothing was placed since, no other can be either. */
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

/** The class at hand, whose refusals are remembered from one run to the next; and when one of its pods last found no place. */
let classAtHand: i32 = -1;
let stuckAt: i32 = -1;

let keptPlacements: i32 = 0;

/** To go back to with `restore`, as far as it is not in the memory of the question. */
export function keep(): void {
  keptPlacements = placementCount;
}

export function restore(): void {
  placementCount = keptPlacements;
  classAtHand = -1;
}

/** Places up to `count` pods of a class; returns how many are left. */
export function place(podClass: i32, count: i32, group: i32): i32 {
  const requests = input.classRequests + <usize>podClass * (<usize>input.resourceCount << 3);
  const start = load<i32>(input.classVariantStart + (<usize>podClass << 2));
  const end = load<i32>(input.classVariantStart + (<usize>podClass << 2), 4);
  if (podClass != classAtHand) {
    classAtHand = podClass;
    stuckAt = -1;
    reset(end - start);
    nodes.reset(podClass, end - start, requests);
  }
  for (let left = count; left > 0; left--) {
    if (stuckAt == placementCount) return left;
    if (placeOne(podClass, start, end, requests, group)) continue;
    stuckAt = placementCount;
    return left;
  }
  return 0;
}

function placeOne(podClass: i32, start: i32, end: i32, requests: usize, group: i32): bool {
  for (let variant = start; variant < end; variant++) {
    const at = variant - start;
    store<i32>(lastVariants + (<usize>podClass << 2), at);
    topologyCounts.activate(variant);
    const node = nodes.place(at, podClass, variant, requests);
    if (node >= 0) {
      record(group, -1 - node);
      return true;
    }
    const claim = takingClaim(at, podClass, variant, requests);
    if (claim >= 0) {
      const isNarrowed = claims.accept(claim, podClass, requests);
      took();
      if (isNarrowed && at > 0) reconsider();
      record(group, claim);
      return true;
    }
    const opened = openClaim(podClass, variant, requests);
    // What waits for a reservation is not relaxed: it may be placed unrelaxed when more is known.
    if (opened == WAITS) return false;
    if (opened < 0) continue;
    standLast(opened);
    record(group, opened);
    return true;
  }
  return false;
}

/** The first open claim that takes the pod, or -1. Claims that only others' pods keep it from stay candidates for the next one. */
function takingClaim(at: i32, podClass: i32, variant: i32, requests: usize): i32 {
  beginWalk(at);
  attempts.beginAttempt();
  for (let claim = next(); claim >= 0; claim = next()) {
    tries++;
    const answer = attempts.tryClaim(claim, podClass, variant, requests);
    if (answer == attempts.TAKEN) return claim;
    if (answer == attempts.NEVER) refuse();
  }
  return -1;
}

/** The first of the groups whose pods are not to come to nodes from this one on; and whether one has. */
let watchedGroup: i32 = i32.MAX_VALUE;
let watchedNode: i32 = 0;
export let isSeen: bool = false;

export function watch(group: i32, node: i32): void {
  watchedGroup = group;
  watchedNode = node;
  isSeen = false;
}

function record(group: i32, claim: i32): void {
  if (group >= watchedGroup && claim < 0 && -1 - claim >= watchedNode) isSeen = true;
  const at = placements + (<usize>placementCount << 3);
  store<i32>(at, group);
  store<i32>(at, claim, 4);
  placementCount++;
}

const NONE: i32 = -1;
const WAITS: i32 = -2;

/** The claim that was opened, NONE, or WAITS: then no template of less weight is asked. */
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
 * A claim that keeps reservations is launched into one of these, and any other into none; unless it did not wait for those that others keep:
 * then nothing keeps it from them, and it is launched into what is left when its turn comes.
 */
function launchable(plane: i32, claim: i32): bool {
  if (input.reservationCount == 0) return true;
  const held = claims.reservationsOf(claim);
  const reservation = load<i32>(input.planeReservation + (<usize>plane << 2));
  if (reservation < 0) return reservations.isNone(held);
  if (hasBit(held, reservation)) return true;
  return input.reservedFallback != 0 && reservations.isNone(held) && load<i32>(input.reservationFree + (<usize>reservation << 2)) > 0;
}
