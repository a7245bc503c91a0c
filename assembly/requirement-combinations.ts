/** What two requirement sets make together, worked out once for each pair. */
import { allocateForGood } from './memory';
import { compatible, compatibleStrict, intersection } from './requirement-algebra';

/** No id: the two sets cannot be combined. */
export const INCOMPATIBLE: i32 = -1;

/** Open addressing: (a, b, result) triples of i32, a + 1 in the first. */
let memo: usize = 0;
let memoSize: i32 = 0;
let memoUsed: i32 = 0;

export function initialise(): void {
  memoSize = 256;
  memo = allocateForGood(<usize>memoSize * 12);
  memoUsed = 0;
}

/** Marks the second set of a pair that is combined by the strict rule. */
const STRICT: i32 = 1 << 30;

/** `node` narrowed by `incoming`, or INCOMPATIBLE. Well-known labels that the node side leaves open are allowed. */
export function combine(node: i32, incoming: i32): i32 {
  const slot = memoSlot(node, incoming);
  const at = memo + <usize>slot * 12;
  if (load<i32>(at) != 0) return load<i32>(at, 8);
  return remember(node, incoming, slot, compatible(node, incoming) ? intersection(node, incoming) : INCOMPATIBLE);
}

/** The same for a node that is there: the labels that the incoming side requires must be on it. */
export function combineStrict(node: i32, incoming: i32): i32 {
  const slot = memoSlot(node, incoming | STRICT);
  const at = memo + <usize>slot * 12;
  if (load<i32>(at) != 0) return load<i32>(at, 8);
  return remember(node, incoming | STRICT, slot, compatibleStrict(node, incoming) ? intersection(node, incoming) : INCOMPATIBLE);
}

/** Marks the second set of a pair of which it is only asked whether they go together. */
const MET: i32 = 1 << 28;

/** Whether `combineStrict` makes something of them, without making it. */
export function meetsStrict(node: i32, incoming: i32): bool {
  const slot = memoSlot(node, incoming | MET);
  const at = memo + <usize>slot * 12;
  if (load<i32>(at) != 0) return load<i32>(at, 8) != INCOMPATIBLE;
  return remember(node, incoming | MET, slot, compatibleStrict(node, incoming) ? node : INCOMPATIBLE) != INCOMPATIBLE;
}

/** Marks the second set of a pair as domains that were picked. */
const PICKED: i32 = 1 << 29;

/**
 * The picks of topology count with what the node leaves of them: on a node that excludes every picked value, the label is then absent,
 * which goes together with the exclusion.
 */
export function combinePicks(node: i32, picks: i32, strictly: bool): i32 {
  const incoming = strictly ? picks | PICKED | STRICT : picks | PICKED;
  const slot = memoSlot(node, incoming);
  const at = memo + <usize>slot * 12;
  if (load<i32>(at) != 0) return load<i32>(at, 8);
  const result = joinPicks(node, picks, strictly);
  // The memo may have grown meanwhile.
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
    const at = memo + <usize>slot * 12;
    const first = load<i32>(at);
    if (first == 0 || (first == node + 1 && load<i32>(at, 4) == incoming)) return slot;
    slot = (slot + 1) & (memoSize - 1);
  }
}

function growMemo(): void {
  const old = memo;
  const oldSize = memoSize;
  memoSize *= 4;
  memo = allocateForGood(<usize>memoSize * 12);
  for (let i = 0; i < oldSize; i++) {
    const from = old + <usize>i * 12;
    const first = load<i32>(from);
    if (first == 0) continue;
    const to = memo + <usize>memoSlot(first - 1, load<i32>(from, 4)) * 12;
    memory.copy(to, from, 12);
  }
}
