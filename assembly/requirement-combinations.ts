/** Combinations of two requirement sets, computed once per pair. */
import { allocatePersistent } from './memory';
import { addressOf, recordAt } from './records';
import { compatible, compatibleStrict, intersection } from './requirement-algebra';

/** No id: the two sets cannot be combined. */
export const INCOMPATIBLE: i32 = -1;

/** A slot of the memo, which is empty if `nodeAfter` (the set of the node + 1) is 0. */
@unmanaged
class Combination {
  nodeAfter: i32;
  incoming: i32;
  result: i32;
}

/** A hash table with open addressing. */
let memo: usize = 0;
let memoSize: i32 = 0;
let memoUsed: i32 = 0;

export function initialise(): void {
  memoSize = 256;
  memo = allocatePersistent(<usize>memoSize * offsetof<Combination>());
  memoUsed = 0;
}

/** Flag on the incoming set: combined by the strict rule. */
const STRICT: i32 = 1 << 30;

/** `node` narrowed by `incoming`, or INCOMPATIBLE. Well-known labels may be undefined on the node side. */
export function combine(node: i32, incoming: i32): i32 {
  const slot = memoSlot(node, incoming);
  const entry = recordAt<Combination>(memo, slot);
  if (entry.nodeAfter != 0) return entry.result;
  return remember(node, incoming, slot, compatible(node, incoming) ? intersection(node, incoming) : INCOMPATIBLE);
}

/** The same for an existing node: it must have the labels that the incoming side requires. */
export function combineStrict(node: i32, incoming: i32): i32 {
  const slot = memoSlot(node, incoming | STRICT);
  const entry = recordAt<Combination>(memo, slot);
  if (entry.nodeAfter != 0) return entry.result;
  return remember(node, incoming | STRICT, slot, compatibleStrict(node, incoming) ? intersection(node, incoming) : INCOMPATIBLE);
}

/** Flag on the incoming set: only compatibility is computed, not the combined set. */
const MET: i32 = 1 << 28;

/** Whether `combineStrict` would succeed. It creates no new set. */
export function meetsStrict(node: i32, incoming: i32): bool {
  const slot = memoSlot(node, incoming | MET);
  const entry = recordAt<Combination>(memo, slot);
  if (entry.nodeAfter != 0) return entry.result != INCOMPATIBLE;
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
  const entry = recordAt<Combination>(memo, slot);
  if (entry.nodeAfter != 0) return entry.result;
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
  const entry = recordAt<Combination>(memo, slot);
  entry.nodeAfter = node + 1;
  entry.incoming = incoming;
  entry.result = result;
  return result;
}

function memoSlot(node: i32, incoming: i32): i32 {
  let hash: u64 = ((<u64>(node + 1) << 32) | <u64>incoming) * 0x9e3779b97f4a7c15;
  let slot = <i32>(hash >> 32) & (memoSize - 1);
  while (true) {
    const entry = recordAt<Combination>(memo, slot);
    if (entry.nodeAfter == 0 || (entry.nodeAfter == node + 1 && entry.incoming == incoming)) return slot;
    slot = (slot + 1) & (memoSize - 1);
  }
}

function growMemo(): void {
  const old = memo;
  const oldSize = memoSize;
  memoSize *= 4;
  memo = allocatePersistent(<usize>memoSize * offsetof<Combination>());
  for (let i = 0; i < oldSize; i++) {
    const from = recordAt<Combination>(old, i);
    if (from.nodeAfter == 0) continue;
    const to = addressOf<Combination>(memo, memoSlot(from.nodeAfter - 1, from.incoming));
    memory.copy(to, changetype<usize>(from), offsetof<Combination>());
  }
}
