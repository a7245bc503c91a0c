/** Combinations of two requirement sets, computed once per pair. */
import { allocatePersistent } from './memory';
import { compatible, compatibleStrict, intersection } from './requirement-algebra';

/** No id: the two sets cannot be combined. */
export const INCOMPATIBLE: i32 = -1;

/** A hash table with open addressing: i32 triples (node set + 1, incoming set, result). */
let memo: usize = 0;
let memoSize: i32 = 0;
let memoUsed: i32 = 0;

export function initialise(): void {
  memoSize = 256;
  memo = allocatePersistent(<usize>memoSize * 12);
  memoUsed = 0;
}

/** Flag on the incoming set: combined by the strict rule. */
const STRICT: i32 = 1 << 30;

/** `node` narrowed by `incoming`, or INCOMPATIBLE. Well-known labels may be undefined on the node side. */
export function combine(node: i32, incoming: i32): i32 {
  const slot = memoSlot(node, incoming);
  const entry = memo + <usize>slot * 12;
  if (load<i32>(entry) != 0) return load<i32>(entry, 8);
  return remember(node, incoming, slot, compatible(node, incoming) ? intersection(node, incoming) : INCOMPATIBLE);
}

/** The same for an existing node: it must have the labels that the incoming side requires. */
export function combineStrict(node: i32, incoming: i32): i32 {
  const slot = memoSlot(node, incoming | STRICT);
  const entry = memo + <usize>slot * 12;
  if (load<i32>(entry) != 0) return load<i32>(entry, 8);
  return remember(node, incoming | STRICT, slot, compatibleStrict(node, incoming) ? intersection(node, incoming) : INCOMPATIBLE);
}

/** Flag on the incoming set: only compatibility is computed, not the combined set. */
const MET: i32 = 1 << 28;

/** Whether `combineStrict` would succeed. It creates no new set. */
export function meetsStrict(node: i32, incoming: i32): bool {
  const slot = memoSlot(node, incoming | MET);
  const entry = memo + <usize>slot * 12;
  if (load<i32>(entry) != 0) return load<i32>(entry, 8) != INCOMPATIBLE;
  return remember(node, incoming | MET, slot, compatibleStrict(node, incoming) ? node : INCOMPATIBLE) != INCOMPATIBLE;
}

/** Flag on the incoming set: it has picked topology domains. */
const PICKED: i32 = 1 << 29;

/**
 * Combines a node with picked topology domains. If they are incompatible, only the picks that the node allows are
 * tried: if the node excludes every picked value, none is left, and a label without values is compatible with the
 * exclusion.
 */
export function combinePicks(node: i32, picks: i32, strictly: bool): i32 {
  const incoming = strictly ? picks | PICKED | STRICT : picks | PICKED;
  const slot = memoSlot(node, incoming);
  const entry = memo + <usize>slot * 12;
  if (load<i32>(entry) != 0) return load<i32>(entry, 8);
  const result = joinPicks(node, picks, strictly);
  // The table may have grown in the meantime.
  return remember(node, incoming, memoSlot(node, incoming), result);
}

function joinPicks(node: i32, picks: i32, strictly: bool): i32 {
  const combined = strictly ? combineStrict(node, picks) : combine(node, picks);
  if (combined != INCOMPATIBLE) return combined;
  const left = intersection(node, picks);
  return strictly ? combineStrict(node, left) : combine(node, left);
}

function remember(node: i32, incoming: i32, slot: i32, result: i32): i32 {
  if (++memoUsed * 2 > memoSize) {
    growMemo();
    slot = memoSlot(node, incoming);
  }
  const place = memo + <usize>slot * 12;
  store<i32>(place, node + 1);
  store<i32>(place, incoming, 4);
  store<i32>(place, result, 8);
  return result;
}

function memoSlot(node: i32, incoming: i32): i32 {
  let hash: u64 = ((<u64>(node + 1) << 32) | <u64>incoming) * 0x9e3779b97f4a7c15;
  let slot = <i32>(hash >> 32) & (memoSize - 1);
  while (true) {
    const entry = memo + <usize>slot * 12;
    const first = load<i32>(entry);
    if (first == 0 || (first == node + 1 && load<i32>(entry, 4) == incoming)) return slot;
    slot = (slot + 1) & (memoSize - 1);
  }
}

function growMemo(): void {
  const old = memo;
  const oldSize = memoSize;
  memoSize *= 4;
  memo = allocatePersistent(<usize>memoSize * 12);
  for (let i = 0; i < oldSize; i++) {
    const from = old + <usize>i * 12;
    const first = load<i32>(from);
    if (first == 0) continue;
    const to = memo + <usize>memoSlot(first - 1, load<i32>(from, 4)) * 12;
    memory.copy(to, from, 12);
  }
}
