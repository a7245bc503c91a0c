/**
 * Sets of existing nodes, one bit per node. They are so small that a call of `memory.copy` would take longer than this
 * loop.
 */
import * as input from './input';

/** Words of 64 bits of a set. */
export let wordCount: i32 = 0;
export let setBytes: usize = 0;

export function initialise(): void {
  wordCount = (input.nodeCount + 63) >> 6;
  setBytes = <usize>wordCount << 3;
}

@inline
export function addNode(set: usize, node: i32): void {
  const word = wordOf(set, node);
  store<u64>(word, load<u64>(word) | ((<u64>1) << (node & 63)));
}

@inline
export function removeNode(set: usize, node: i32): void {
  const word = wordOf(set, node);
  store<u64>(word, load<u64>(word) & ~((<u64>1) << (node & 63)));
}

@inline
export function hasNode(set: usize, node: i32): bool {
  return ((load<u64>(wordOf(set, node)) >> (node & 63)) & 1) != 0;
}

@inline
function wordOf(set: usize, node: i32): usize {
  return set + (<usize>(node >> 6) << 3);
}

export function copyNodes(target: usize, source: usize): void {
  for (let word: usize = 0; word < setBytes; word += 8) store<u64>(target + word, load<u64>(source + word));
}

export function clearNodes(set: usize): void {
  for (let word: usize = 0; word < setBytes; word += 8) store<u64>(set + word, 0);
}

/** The first node of the set from `start` on; `nodeCount` if there is none. */
export function firstFrom(start: i32, set: usize): i32 {
  let word = start >> 6;
  if (word >= wordCount) return input.nodeCount;
  let left = load<u64>(set + (<usize>word << 3)) & ((~(<u64>0)) << (start & 63));
  while (left == 0) {
    if (++word == wordCount) return input.nodeCount;
    left = load<u64>(set + (<usize>word << 3));
  }
  return (word << 6) + <i32>ctz(left);
}
