/**
 * What one pod meets with at every node with the same requirements, host names aside: of hundreds of nodes few differ in these, and
 * topology leaves all of them the same.
 */
import { allocateForGood } from './memory';
import { variantSetOf, volumeSetOf } from './pod-classes';
import { combineStrict, INCOMPATIBLE } from './requirement-combinations';
import { constrainByLabels } from './topology';

/** The node will take no such pod. */
export const NEVER: i32 = -1;
/** It does not while the others are where they are. */
export const NOT_NOW: i32 = -2;

/**
 * Four i32 per set: stamp; constrained set or NEVER or NOT_NOW; and whatever the stamp, one more than a variant, and the set joined with what this
 * asks for, or NEVER.
 */
let outlooks: usize = 0;
let capacity: i32 = 0;
let stamp: i32 = 0;

/** Before a pod is offered to nodes. */
export function begin(): void {
  stamp++;
}

/** As far as it is known: NEVER, NOT_NOW, or 0 where the node itself has to be asked. */
@inline
export function refusalOf(set: i32, variant: i32): i32 {
  if (set >= capacity) return 0;
  const outlook = outlooks + (<usize>set << 4);
  if (load<i32>(outlook, 8) != variant + 1) return 0;
  if (load<i32>(outlook, 12) == NEVER) return NEVER;
  return load<i32>(outlook) == stamp && load<i32>(outlook, 4) == NOT_NOW ? NOT_NOW : 0;
}

/** The set of a node with this one once the pod is there, or what else it says; for pods whose volumes can be met in one way. */
export function outlookOf(set: i32, podClass: i32, variant: i32): i32 {
  if (set >= capacity) grow(set);
  const outlook = outlooks + (<usize>set << 4);
  if (load<i32>(outlook) == stamp) return load<i32>(outlook, 4);
  store<i32>(outlook, stamp);
  if (load<i32>(outlook, 8) != variant + 1) {
    store<i32>(outlook, variant + 1, 8);
    store<i32>(outlook, join(set, podClass, variant), 12);
  }
  const joined = load<i32>(outlook, 12);
  const constrained = joined == NEVER ? NEVER : constrainByLabels(podClass, variant, joined, true);
  const found = joined != NEVER && constrained == INCOMPATIBLE ? NOT_NOW : constrained;
  store<i32>(outlook, found, 4);
  return found;
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
  const table = allocateForGood(<usize>larger << 4);
  memory.copy(table, outlooks, <usize>capacity << 4);
  outlooks = table;
  capacity = larger;
}
