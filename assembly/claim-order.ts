/**
 * The open claims in the order in which Karpenter tries them, and which of them may still take a pod of the current
 * class.
 *
 * Karpenter sorts the claims by pod count before each pod, with a sort that is not stable. At most one claim is out of
 * place then: the one that took the last pod. If Go's sort would move only that claim, it is moved; otherwise Go's
 * whole sort is repeated.
 */
import { spend } from './bounds';
import { Claim, claimCount, claims } from './claims';
import { allocate, allocateItems } from './memory';
import { looksSorted, SHIFTED_LEAST, sort, sortBy } from './pdqsort';
import { recordAt } from './records';

const INSERTION_MOST: i32 = 12;

/** i32 per open claim: its number. */
let order: usize = 0;
let capacity: i32 = 0;
let count: i32 = 0;
/** Position of the claim that may be out of place, or -1. */
let changed: i32 = -1;

/** Per variant: i32 per claim, the run of pods in which it last refused the variant for good. */
let refusals: usize = 0;
/** i32 per variant: the first position that has not refused it for good. */
let firsts: usize = 0;
let variants: i32 = 0;
let run: i32 = 0;

/** The iteration of one pod over the claims. */
let walkedVariant: i32 = 0;
let position: i32 = 0;
let allRefused: bool = false;

export function initialise(): void {
  capacity = 0;
  count = 0;
  changed = -1;
  variants = 0;
  run = 0;
}

let savedOrder: usize = 0;
let savedCapacity: i32 = 0;
let savedCount: i32 = 0;
let savedChanged: i32 = 0;
let savedRefusals: usize = 0;
let savedFirsts: usize = 0;
let savedVariants: i32 = 0;
let savedRun: i32 = 0;

/** Saves the variables that are not in query memory, for `restoreState`. */
export function saveState(): void {
  savedOrder = order;
  savedCapacity = capacity;
  savedCount = count;
  savedChanged = changed;
  savedRefusals = refusals;
  savedFirsts = firsts;
  savedVariants = variants;
  savedRun = run;
}

export function restoreState(): void {
  order = savedOrder;
  capacity = savedCapacity;
  count = savedCount;
  changed = savedChanged;
  refusals = savedRefusals;
  firsts = savedFirsts;
  variants = savedVariants;
  run = savedRun;
}

/** Starts a new run: forgets the refusals of the previous one. */
export function reset(variantCount: i32): void {
  run++;
  if (variantCount > variants) reserve(capacity, variantCount);
  memory.fill(firsts, 0, <usize>variantCount << 2);
}

function reserve(newCapacity: i32, newVariants: i32): void {
  const largerOrder = allocate(<usize>newCapacity << 2);
  memory.copy(largerOrder, order, <usize>count << 2);
  const largerRefusals = allocateItems(<i64>newCapacity * newVariants, 4);
  for (let variant = 0; variant < variants; variant++) {
    memory.copy(largerRefusals + (<usize>(variant * newCapacity) << 2), refusals + (<usize>(variant * capacity) << 2), <usize>capacity << 2);
  }
  const largerFirsts = allocate(<usize>newVariants << 2);
  memory.copy(largerFirsts, firsts, <usize>variants << 2);
  order = largerOrder;
  refusals = largerRefusals;
  firsts = largerFirsts;
  capacity = newCapacity;
  variants = newVariants;
}

@inline
function claimAt(index: i32): i32 {
  return load<i32>(order + (<usize>index << 2));
}

@inline
function podsAt(index: i32): i32 {
  return recordAt<Claim>(claims, claimAt(index)).pods;
}

/** Starts the iteration for a pod. */
export function begin(variant: i32): void {
  if (changed >= 0) reorder();
  walkedVariant = variant;
  position = load<i32>(firsts + (<usize>variant << 2)) - 1;
  allRefused = true;
}

/** The next claim that may take the pod, or -1. */
export function next(): i32 {
  const row = refusals + (<usize>(walkedVariant * capacity) << 2);
  const from = position;
  while (++position < count) {
    const claim = claimAt(position);
    if (load<i32>(row + (<usize>claim << 2)) != run) {
      spend(position - from);
      if (allRefused) store<i32>(firsts + (<usize>walkedVariant << 2), position);
      allRefused = false;
      return claim;
    }
  }
  spend(position - from);
  if (allRefused) store<i32>(firsts + (<usize>walkedVariant << 2), count);
  return -1;
}

/**
 * The claim from `next` refuses the variant for the rest of the run, or until it is reconsidered: its types and
 * requirements only narrow.
 */
export function refuse(): void {
  store<i32>(refusals + (<usize>(walkedVariant * capacity + claimAt(position)) << 2), run);
  if (load<i32>(firsts + (<usize>walkedVariant << 2)) == position) allRefused = true;
}

/** The claim from `next` has taken the pod. */
export function markChanged(): void {
  changed = position;
}

/**
 * Clears the refusals of the claim from `next`, which has taken a relaxed pod. The pod may have narrowed a label that
 * the claim had left open. The result may be compatible with pods that the claim refused before.
 */
export function reconsider(): void {
  const claim = claimAt(position);
  for (let variant = 0; variant < variants; variant++) store<i32>(refusals + (<usize>(variant * capacity + claim) << 2), 0);
}

/** Adds a new claim after all others. */
export function append(claim: i32): void {
  if (claim >= capacity) reserve(max(64, claimCount * 2), variants);
  store<i32>(order + (<usize>count << 2), claim);
  changed = count++;
}

/** Restores the order, and lowers the first positions to the first one that changed. */
function reorder(): void {
  const index = changed;
  changed = -1;
  const late = index + 1 < count && podsAt(index + 1) < podsAt(index);
  const early = index > 0 && podsAt(index) < podsAt(index - 1);
  spend(variants);
  if (!late && !early) {
    lowerFirsts(index);
    return;
  }
  sortBy(order, claims + offsetof<Claim>('pods'), offsetof<Claim>());
  if (count > INSERTION_MOST && (count < SHIFTED_LEAST || !looksSorted(count))) {
    spend(count * (32 - clz(count)));
    sort(count);
    lowerFirsts(0);
  } else {
    lowerFirsts(late ? shiftBack(index) : shiftForward(index));
  }
}

function lowerFirsts(from: i32): void {
  for (let variant = 0; variant < variants; variant++) {
    const first = firsts + (<usize>variant << 2);
    if (load<i32>(first) > from) store<i32>(first, from);
  }
}

/** Moves the claim after all claims with fewer pods. Returns the first changed position. */
function shiftBack(index: i32): i32 {
  const claim = claimAt(index);
  const pods = podsAt(index);
  let low = index + 1;
  let high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (podsAt(middle) < pods) low = middle + 1;
    else high = middle;
  }
  spend((low - index) >> 4);
  memory.copy(order + (<usize>index << 2), order + (<usize>(index + 1) << 2), <usize>(low - index - 1) << 2);
  store<i32>(order + (<usize>(low - 1) << 2), claim);
  return index;
}

/** Moves the claim before all claims with more pods. Returns the first changed position. */
function shiftForward(index: i32): i32 {
  const claim = claimAt(index);
  const pods = podsAt(index);
  let low = 0;
  let high = index;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (podsAt(middle) <= pods) low = middle + 1;
    else high = middle;
  }
  spend((index - low) >> 4);
  memory.copy(order + (<usize>(low + 1) << 2), order + (<usize>low << 2), <usize>(index - low) << 2);
  store<i32>(order + (<usize>low << 2), claim);
  return low;
}
