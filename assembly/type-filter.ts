/** Which instance types remain possible for a claim with one more pod, DaemonSets and their host ports included. */
import { andBits, copyBits, orBits } from './bitset';
import { spend } from './bounds';
import { conflicts } from './host-ports';
import * as input from './input';
import { allocatePersistent } from './memory';
import { endOf, startOf } from './records';
import { addRequests, groupOverhead, groupStart, groupTypes, portsOf, viewOf } from './templates';
import { compatibleTypes, isEmpty, keepFitting, offeredTypes, typeBytes } from './type-masks';

/** The types that the last `filter` left, and its requirement set. */
export let filteredTypes: usize = 0;
export let filteredSet: i32 = 0;
/** Bytes of a vector of amounts. */
export let vectorBytes: usize = 0;
let total: usize = 0;
let withOverhead: usize = 0;
let groupBits: usize = 0;

export function initialise(): void {
  vectorBytes = <usize>input.resourceCount << 3;
  filteredTypes = allocatePersistent(typeBytes);
  groupBits = allocatePersistent(typeBytes);
  total = allocatePersistent(vectorBytes + 8);
  withOverhead = allocatePersistent(vectorBytes + 8);
}

/**
 * Leaves in `filteredTypes` the types that remain possible with `more` in addition to `requests`, DaemonSets included.
 */
export function filter(podClass: i32, template: i32, set: i32, types: usize, requests: usize, more: usize): bool {
  const view = viewOf(template);
  filteredSet = set;
  memory.copy(total, requests, vectorBytes);
  addRequests(total, more);
  fitting(filteredTypes, podClass, template, types);
  andBits(filteredTypes, compatibleTypes(view, set), typeBytes);
  andBits(filteredTypes, offeredTypes(view, set), typeBytes);
  return !isEmpty(filteredTypes);
}

/**
 * The types among `types` that hold `total` and the DaemonSets of their group, except groups whose DaemonSets use the
 * pod's ports.
 */
function fitting(bits: usize, podClass: i32, template: i32, types: usize): void {
  memory.fill(bits, 0, typeBytes);
  const end = endOf(groupStart, template);
  spend((end - startOf(groupStart, template)) * input.resourceCount * <i32>(typeBytes >> 4));
  for (let g = startOf(groupStart, template); g < end; g++) {
    if (conflicts(podClass, portsOf(g))) continue;
    copyBits(groupBits, types, typeBytes);
    andBits(groupBits, groupTypes + <usize>g * typeBytes, typeBytes);
    memory.copy(withOverhead, total, vectorBytes);
    addRequests(withOverhead, groupOverhead + <usize>g * vectorBytes);
    keepFitting(groupBits, viewOf(template), withOverhead);
    orBits(bits, groupBits, typeBytes);
  }
}

/**
 * Which of Karpenter's criteria some type meets: 1 requirements, 2 fits, 4 offering, 8 requirements and fits only,
 * 16 requirements and offering only, 32 fits and offering only. As in Karpenter, a type without an offering does not
 * fit.
 */
export function filterFlags(podClass: i32, template: i32, set: i32, types: usize, requests: usize): i32 {
  memory.copy(total, requests, vectorBytes);
  fitting(filteredTypes, podClass, template, types);
  const free = freeTypes(podClass, template);
  const compatible = compatibleTypes(viewOf(template), set);
  const offered = offeredTypes(viewOf(template), set);
  let flags = 0;
  for (let i: usize = 0; i < typeBytes; i += 8) {
    const eligible = load<u64>(types + i) & load<u64>(free + i);
    const c = load<u64>(compatible + i) & eligible;
    const o = load<u64>(offered + i) & eligible;
    const f = load<u64>(filteredTypes + i) & o;
    if (c != 0) flags |= 1;
    if (f != 0) flags |= 2;
    if (o != 0) flags |= 4;
    if ((c & f & ~o) != 0) flags |= 8;
    if ((c & o & ~f) != 0) flags |= 16;
    if ((f & o & ~c) != 0) flags |= 32;
  }
  return flags;
}

/** The types whose DaemonSets do not use the pod's ports. */
function freeTypes(podClass: i32, template: i32): usize {
  memory.fill(groupBits, 0, typeBytes);
  const end = endOf(groupStart, template);
  for (let g = startOf(groupStart, template); g < end; g++) {
    if (!conflicts(podClass, portsOf(g))) orBits(groupBits, groupTypes + <usize>g * typeBytes, typeBytes);
  }
  return groupBits;
}
