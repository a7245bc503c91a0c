/**
 * Caches, per requirement set of a node, whether a pod is compatible with it. There may be hundreds of nodes, but only
 * a few distinct sets, and topology narrows equal sets equally. Host names are not part of this: constraints over hosts
 * are checked per node.
 */
import { allocatePersistent } from './memory';
import { variantSetOf, volumeSetOf } from './pod-classes';
import { combineStrict, INCOMPATIBLE } from './requirement-combinations';
import { constrainByLabels } from './topology';

/** The node will never take such a pod. */
export const NEVER: i32 = -1;
/** The node does not take the pod because of where other pods are. */
export const NOT_NOW: i32 = -2;

/**
 * Four i32 per set. The first two are valid for one pod: its stamp, and the narrowed set, NEVER, or NOT_NOW. The other
 * two are valid for one variant: its number + 1, and the set joined with the requirements of the variant, or NEVER.
 */
let entries: usize = 0;
let capacity: i32 = 0;
let podStamp: i32 = 0;

/** Starts a new pod. */
export function beginPod(): void {
  podStamp++;
}

/** NEVER or NOT_NOW if that is cached; 0 if the node has to be checked. */
@inline
export function cachedRefusal(set: i32, variant: i32): i32 {
  if (set >= capacity) return 0;
  const entry = entries + (<usize>set << 4);
  if (load<i32>(entry, 8) != variant + 1) return 0;
  if (load<i32>(entry, 12) == NEVER) return NEVER;
  return load<i32>(entry) == podStamp && load<i32>(entry, 4) == NOT_NOW ? NOT_NOW : 0;
}

/** The set of the node with the pod on it, NEVER, or NOT_NOW. Only for pods whose volumes leave one alternative. */
export function narrowedSet(set: i32, podClass: i32, variant: i32): i32 {
  if (set >= capacity) grow(set);
  const entry = entries + (<usize>set << 4);
  if (load<i32>(entry) == podStamp) return load<i32>(entry, 4);
  store<i32>(entry, podStamp);
  if (load<i32>(entry, 8) != variant + 1) {
    store<i32>(entry, variant + 1, 8);
    store<i32>(entry, join(set, podClass, variant), 12);
  }
  const joined = load<i32>(entry, 12);
  const constrained = joined == NEVER ? NEVER : constrainByLabels(podClass, variant, joined, true);
  const narrowed = joined != NEVER && constrained == INCOMPATIBLE ? NOT_NOW : constrained;
  store<i32>(entry, narrowed, 4);
  return narrowed;
}

function join(set: i32, podClass: i32, variant: i32): i32 {
  const own = combineStrict(set, variantSetOf(variant));
  if (own == INCOMPATIBLE) return NEVER;
  const volumes = volumeSetOf(podClass, 0);
  const joined = volumes < 0 ? own : combineStrict(own, volumes);
  return joined == INCOMPATIBLE ? NEVER : joined;
}

function grow(set: i32): void {
  const larger = max(256, (set + 1) * 2);
  const table = allocatePersistent(<usize>larger << 4);
  memory.copy(table, entries, <usize>capacity << 4);
  entries = table;
  capacity = larger;
}
