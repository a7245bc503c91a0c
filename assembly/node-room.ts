/**
 * Which nodes surely have no room for a pod, found for all of them together: of most questions nearly all are full. What is left of each is kept
 * in 16 bits beside the exact amounts, in steps so coarse that all requests fit; a node that seems to have room is asked itself.
 */
import { spend } from './bounds';
import * as input from './input';
import { allocateForGood, allocateItems } from './memory';
import { wordCount } from './node-sets';

const LEAST: i64 = -0x8000;
const MOST: i64 = 0x7fff;

/** i16[resourceCount][wordCount × 64]. */
let columns: usize = 0;
let columnBytes: usize = 0;
/** Per resource i64, by how many bits amounts are shifted; and i16, what a pod asks for. */
let shifts: usize = 0;
let wanted: usize = 0;
/** Bytes of all columns. */
export let roomBytes: usize = 0;

/** For the classes of all questions. */
export function prepare(): void {
  shifts = allocateForGood(<usize>input.resourceCount << 3);
  wanted = allocateForGood(<usize>input.resourceCount << 1);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    let most: i64 = 1;
    for (let podClass = 0; podClass < input.classCount; podClass++) {
      most |= load<i64>(input.classRequests + (<usize>(podClass * input.resourceCount + resource) << 3));
    }
    // The largest is within 15 bits.
    store<i64>(shifts + (<usize>resource << 3), max(0, 64 - 15 - clz(most)));
  }
}

export function initialise(): void {
  columnBytes = <usize>wordCount << 7;
  roomBytes = <usize>input.resourceCount * columnBytes;
  columns = allocateItems(input.resourceCount, <i64>columnBytes);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const shift = shiftOf(resource);
    let at = columns + <usize>resource * columnBytes;
    let from = input.nodeRemaining + (<usize>resource << 3);
    for (let node: usize = 0; node < <usize>input.nodeCount; node++) {
      const left = load<u8>(input.nodeUsable + node) == 0 ? LEAST : inSteps(load<i64>(from), shift);
      store<i16>(at, <i16>left);
      at += 2;
      from += <usize>input.resourceCount << 3;
    }
  }
}

@inline
function shiftOf(resource: i32): i64 {
  return load<i64>(shifts + (<usize>resource << 3));
}

@inline
function inSteps(amount: i64, shift: i64): i64 {
  return min(MOST, max(LEAST, amount >> shift));
}

/** After a pod has come to the node. */
export function lower(node: i32): void {
  const from = input.nodeRemaining + (<usize>(node * input.resourceCount) << 3);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const left = inSteps(load<i64>(from + (<usize>resource << 3)), shiftOf(resource));
    store<i16>(columns + <usize>resource * columnBytes + (<usize>node << 1), <i16>left);
  }
}

/** What is known by now, `roomBytes` of it. */
export function copyTo(target: usize): void {
  memory.copy(target, columns, roomBytes);
}

/** Writes the set of the nodes that may have room for these requests. */
export function find(nodes: usize, requests: usize): void {
  findIn(nodes, requests, columns);
}

/** The same by a copy of what was known. */
export function findIn(nodes: usize, requests: usize, copy: usize): void {
  spend(wordCount * (1 + input.resourceCount));
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const request = inSteps(load<i64>(requests + (<usize>resource << 3)), shiftOf(resource));
    store<i16>(wanted + (<usize>resource << 1), <i16>request);
  }
  for (let word = 0; word < wordCount; word++) {
    store<u64>(nodes + (<usize>word << 3), ~lacking(copy + (<usize>word << 7)));
  }
  const beyond = input.nodeCount & 63;
  if (beyond == 0) return;
  const last = nodes + (<usize>(wordCount - 1) << 3);
  store<u64>(last, load<u64>(last) & (((<u64>1) << beyond) - 1));
}

/** Of 64 nodes, those that surely lack something. */
function lacking(column: usize): u64 {
  let found: u64 = 0;
  for (let part: usize = 0; part < 4; part++) {
    let some = i16x8.splat(0);
    let others = i16x8.splat(0);
    let at = column + (part << 5);
    for (let resource = 0; resource < input.resourceCount; resource++) {
      const request = v128.load_splat<i16>(wanted + (<usize>resource << 1));
      some = v128.or(some, i16x8.gt_s(request, v128.load(at)));
      others = v128.or(others, i16x8.gt_s(request, v128.load(at, 16)));
      at += columnBytes;
    }
    found |= <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(some, others)) << (part << 4);
  }
  return found;
}
