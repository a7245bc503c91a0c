/**
 * Finds the nodes that certainly have too few resources for a pod, for all nodes at once: in most queries nearly all
 * nodes are full.
 *
 * Besides its exact remaining amounts, each node has rounded ones in 16 bits, in units so coarse that every request
 * fits into 15 bits. A node that passes this test is then tested exactly.
 */
import { spend } from './bounds';
import * as input from './input';
import { allocateItems, allocatePersistent } from './memory';
import { wordCount } from './node-sets';

const MIN: i64 = -0x8000;
const MAX: i64 = 0x7fff;

/** i16[resourceCount][wordCount × 64]: rounded remaining amounts. */
let columns: usize = 0;
let columnBytes: usize = 0;
/** Per resource: i64, by how many bits amounts are shifted; and i16, the rounded request of the current pod. */
let shifts: usize = 0;
let requested: usize = 0;

/** Chooses the units by the requests of all classes. */
export function prepare(): void {
  shifts = allocatePersistent(<usize>input.resourceCount << 3);
  requested = allocatePersistent(<usize>input.resourceCount << 1);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    let most: i64 = 1;
    for (let podClass = 0; podClass < input.classCount; podClass++) {
      most |= load<i64>(input.classRequests + (<usize>(podClass * input.resourceCount + resource) << 3));
    }
    // The largest request fits into 15 bits.
    store<i64>(shifts + (<usize>resource << 3), max(0, 64 - 15 - clz(most)));
  }
}

export function initialise(): void {
  columnBytes = <usize>wordCount << 7;
  columns = allocateItems(input.resourceCount, <i64>columnBytes);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const shift = shiftOf(resource);
    let address = columns + <usize>resource * columnBytes;
    let remaining = input.nodeRemaining + (<usize>resource << 3);
    for (let node: usize = 0; node < <usize>input.nodeCount; node++) {
      const left = load<u8>(input.nodeUsable + node) == 0 ? MIN : quantised(load<i64>(remaining), shift);
      store<i16>(address, <i16>left);
      address += 2;
      remaining += <usize>input.resourceCount << 3;
    }
  }
}

@inline
function shiftOf(resource: i32): i64 {
  return load<i64>(shifts + (<usize>resource << 3));
}

@inline
function quantised(amount: i64, shift: i64): i64 {
  return min(MAX, max(MIN, amount >> shift));
}

/** Call it after a pod was placed on the node. */
export function update(node: i32): void {
  const remaining = input.nodeRemaining + (<usize>(node * input.resourceCount) << 3);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const left = quantised(load<i64>(remaining + (<usize>resource << 3)), shiftOf(resource));
    store<i16>(columns + <usize>resource * columnBytes + (<usize>node << 1), <i16>left);
  }
}

/** Writes the set of nodes that may have enough resources for these requests. */
export function findNodes(nodes: usize, requests: usize): void {
  spend(wordCount * (1 + input.resourceCount));
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const request = quantised(load<i64>(requests + (<usize>resource << 3)), shiftOf(resource));
    store<i16>(requested + (<usize>resource << 1), <i16>request);
  }
  for (let word = 0; word < wordCount; word++) {
    store<u64>(nodes + (<usize>word << 3), ~nodesLacking(columns + (<usize>word << 7)));
  }
  const beyond = input.nodeCount & 63;
  if (beyond == 0) return;
  const last = nodes + (<usize>(wordCount - 1) << 3);
  store<u64>(last, load<u64>(last) & (((<u64>1) << beyond) - 1));
}

/** Which of 64 nodes certainly lack a resource: one bit each. */
function nodesLacking(column: usize): u64 {
  let lacking: u64 = 0;
  for (let part: usize = 0; part < 4; part++) {
    let first8 = i16x8.splat(0);
    let second8 = i16x8.splat(0);
    let address = column + (part << 5);
    for (let resource = 0; resource < input.resourceCount; resource++) {
      const request = v128.load_splat<i16>(requested + (<usize>resource << 1));
      first8 = v128.or(first8, i16x8.gt_s(request, v128.load(address)));
      second8 = v128.or(second8, i16x8.gt_s(request, v128.load(address, 16)));
      address += columnBytes;
    }
    lacking |= <u64>i8x16.bitmask(i8x16.narrow_i16x8_s(first8, second8)) << (part << 4);
  }
  return lacking;
}
