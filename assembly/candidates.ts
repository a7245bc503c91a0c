/**
 * The open claims in the order in which Karpenter tries them, and which of them may still take a pod of the class at hand.
 * Karpenter sorts them by pod count before each pod, with a sort that is not stable. At most one claim is out of place then: the
 * one that took the last pod. Where Go's sort would shift just that one, it is shifted; else the whole sort is done.
 */
import { spend } from './bounds';
import { claims, claimCount } from './claims';
import { allocate, allocateItems } from './memory';
import { looksSorted, SHIFTED_LEAST, sort, sortBy } from './pattern-sort';

const CLAIM_BYTES: usize = 12;
const PODS_AT: usize = 8;
const INSERTION_MOST: i32 = 12;

/** i32 per open claim: its number. */
let order: usize = 0;
let capacity: i32 = 0;
let count: i32 = 0;
/** Position of the claim that may be out of place, or -1. */
let changed: i32 = -1;

/** Per variant: i32 per claim, the run of pods in which it last refused the variant for good. */
let refusals: usize = 0;
/** i32 per variant: the first position that is not refused for good. */
let firsts: usize = 0;
let variants: i32 = 0;
let run: i32 = 0;

/** The walk of one pod through the order. */
let walked: i32 = 0;
let position: i32 = 0;
let onlyRefused: bool = false;

export function initialise(): void {
  capacity = 0;
  count = 0;
  changed = -1;
  variants = 0;
  run = 0;
}

let keptOrder: usize = 0;
let keptCapacity: i32 = 0;
let keptCount: i32 = 0;
let keptChanged: i32 = 0;
let keptRefusals: usize = 0;
let keptFirsts: usize = 0;
let keptVariants: i32 = 0;
let keptRun: i32 = 0;

/** To go back to with `restore`, as far as it is not in the memory of the question. */
export function keep(): void {
  keptOrder = order;
  keptCapacity = capacity;
  keptCount = count;
  keptChanged = changed;
  keptRefusals = refusals;
  keptFirsts = firsts;
  keptVariants = variants;
  keptRun = run;
}

export function restore(): void {
  order = keptOrder;
  capacity = keptCapacity;
  count = keptCount;
  changed = keptChanged;
  refusals = keptRefusals;
  firsts = keptFirsts;
  variants = keptVariants;
  run = keptRun;
}

/** Forgets what the run before was refused. */
export function reset(wanted: i32): void {
  run++;
  if (wanted > variants) reserve(capacity, wanted);
  memory.fill(firsts, 0, <usize>wanted << 2);
}

function reserve(claimsWanted: i32, variantsWanted: i32): void {
  const largerOrder = allocate(<usize>claimsWanted << 2);
  memory.copy(largerOrder, order, <usize>count << 2);
  const largerRefusals = allocateItems(<i64>claimsWanted * variantsWanted, 4);
  for (let variant = 0; variant < variants; variant++) {
    memory.copy(largerRefusals + (<usize>(variant * claimsWanted) << 2), refusals + (<usize>(variant * capacity) << 2), <usize>capacity << 2);
  }
  const largerFirsts = allocate(<usize>variantsWanted << 2);
  memory.copy(largerFirsts, firsts, <usize>variants << 2);
  order = largerOrder;
  refusals = largerRefusals;
  firsts = largerFirsts;
  capacity = claimsWanted;
  variants = variantsWanted;
}

@inline
function claimAt(at: i32): i32 {
  return load<i32>(order + (<usize>at << 2));
}

@inline
function podsAt(at: i32): i32 {
  return load<i32>(claims + <usize>claimAt(at) * CLAIM_BYTES + PODS_AT);
}

/** Starts the walk of a pod. */
export function begin(variant: i32): void {
  if (changed >= 0) settle();
  walked = variant;
  position = load<i32>(firsts + (<usize>variant << 2)) - 1;
  onlyRefused = true;
}

/** The next claim that may take the pod, or -1. */
export function next(): i32 {
  const row = refusals + (<usize>(walked * capacity) << 2);
  const from = position;
  while (++position < count) {
    const claim = claimAt(position);
    if (load<i32>(row + (<usize>claim << 2)) != run) {
      spend(position - from);
      if (onlyRefused) store<i32>(firsts + (<usize>walked << 2), position);
      onlyRefused = false;
      return claim;
    }
  }
  spend(position - from);
  if (onlyRefused) store<i32>(firsts + (<usize>walked << 2), count);
  return -1;
}

/** The claim that `next` gave refuses the variant for the rest of the run, or until it is reconsidered: its types and requirements only narrow. */
export function refuse(): void {
  store<i32>(refusals + (<usize>(walked * capacity + claimAt(position)) << 2), run);
  if (load<i32>(firsts + (<usize>walked << 2)) == position) onlyRefused = true;
}

/** The claim that `next` gave has taken the pod. */
export function took(): void {
  changed = position;
}

/**
 * What it has refused so far is asked anew of the claim that has taken the pod: a label that it left open, and that a relaxed pod has brought
 * to it, may now go together with what earlier pods wanted of that label.
 */
export function reconsider(): void {
  const claim = claimAt(position);
  for (let variant = 0; variant < variants; variant++) store<i32>(refusals + (<usize>(variant * capacity + claim) << 2), 0);
}

/** A new claim stands behind all others. */
export function opened(claim: i32): void {
  if (claim >= capacity) reserve(max(64, claimCount * 2), variants);
  store<i32>(order + (<usize>count << 2), claim);
  changed = count++;
}

/** Puts the order right, and looks again at every position that has changed. */
function settle(): void {
  const at = changed;
  changed = -1;
  const late = at + 1 < count && podsAt(at + 1) < podsAt(at);
  const early = at > 0 && podsAt(at) < podsAt(at - 1);
  spend(variants);
  if (!late && !early) {
    lookAgain(at);
    return;
  }
  sortBy(order, claims + PODS_AT, CLAIM_BYTES);
  if (count > INSERTION_MOST && (count < SHIFTED_LEAST || !looksSorted(count))) {
    spend(count * (32 - clz(count)));
    sort(count);
    lookAgain(0);
  } else {
    lookAgain(late ? shiftBack(at) : shiftForward(at));
  }
}

function lookAgain(from: i32): void {
  for (let variant = 0; variant < variants; variant++) {
    const first = firsts + (<usize>variant << 2);
    if (load<i32>(first) > from) store<i32>(first, from);
  }
}

/** Behind all claims with fewer pods. */
function shiftBack(at: i32): i32 {
  const claim = claimAt(at);
  const pods = podsAt(at);
  let low = at + 1;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (podsAt(middle) < pods) low = middle + 1;
    else high = middle;
  }
  spend((low - at) >> 4);
  memory.copy(order + (<usize>at << 2), order + (<usize>(at + 1) << 2), <usize>(low - at - 1) << 2);
  store<i32>(order + (<usize>(low - 1) << 2), claim);
  return at;
}

/** Before all claims with more pods. */
function shiftForward(at: i32): i32 {
  const claim = claimAt(at);
  const pods = podsAt(at);
  let low = 0;
  let high = at;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (podsAt(middle) <= pods) low = middle + 1;
    else high = middle;
  }
  spend((at - low) >> 4);
  memory.copy(order + (<usize>(low + 1) << 2), order + (<usize>low << 2), <usize>(at - low) << 2);
  store<i32>(order + (<usize>low << 2), claim);
  return low;
}
