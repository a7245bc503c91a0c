/**
 * Caches, per requirement set of a node, whether a pod is compatible with it. There may be hundreds of nodes, but only
 * a few distinct sets, and topology narrows equal sets equally. Host names are not part of this: constraints over hosts
 * are checked per node.
 */
import { allocatePersistent } from './memory';
import { variantSetOf, volumeSetOf } from './pod-classes';
import { recordAt } from './records';
import { combineStrict, INCOMPATIBLE } from './requirement-combinations';
import { constrainByLabels } from './topology';

/** The node will never take such a pod. */
export const NEVER: i32 = -1;
/** The node does not take the pod because of where other pods are. */
export const NOT_NOW: i32 = -2;

/**
 * Per set: the narrowed set, NEVER or NOT_NOW, which is valid for the pod with the stamp; and the set joined with the
 * requirements of a variant, or NEVER, which is valid for the variant with the number before.
 */
@unmanaged
class Entry {
  podStamp: i32;
  narrowed: i32;
  variantAfter: i32;
  joined: i32;
}

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
  const entry = recordAt<Entry>(entries, set);
  if (entry.variantAfter != variant + 1) return 0;
  if (entry.joined == NEVER) return NEVER;
  return entry.podStamp == podStamp && entry.narrowed == NOT_NOW ? NOT_NOW : 0;
}

/** The set of the node with the pod on it, NEVER, or NOT_NOW. Only for pods whose volumes leave one alternative. */
export function narrowedSet(set: i32, podClass: i32, variant: i32): i32 {
  if (set >= capacity) grow(set);
  const entry = recordAt<Entry>(entries, set);
  if (entry.podStamp == podStamp) return entry.narrowed;
  entry.podStamp = podStamp;
  if (entry.variantAfter != variant + 1) {
    entry.variantAfter = variant + 1;
    entry.joined = join(set, podClass, variant);
  }
  const joined = entry.joined;
  const constrained = joined == NEVER ? NEVER : constrainByLabels(podClass, variant, joined, true);
  const narrowed = joined != NEVER && constrained == INCOMPATIBLE ? NOT_NOW : constrained;
  entry.narrowed = narrowed;
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
  const table = allocatePersistent(<usize>larger * offsetof<Entry>());
  memory.copy(table, entries, <usize>capacity * offsetof<Entry>());
  entries = table;
  capacity = larger;
}
