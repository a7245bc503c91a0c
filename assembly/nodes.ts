/** Nodes that are there already: what each still holds, and whether it takes one more pod. */
import { NEVER, NOT_NOW, TAKEN } from './attempts';
import { spend } from './bounds';
import { conflicts, takePorts } from './host-ports';
import * as fullNodes from './full-nodes';
import * as input from './input';
import { allocate, allocateItems } from './memory';
import * as outlooks from './node-outlooks';
import { alternativesOf, tolerated, variantSetOf, volumeSetOf } from './pod-classes';
import { combineStrict, INCOMPATIBLE } from './requirement-combinations';
import { attach, canAttach } from './shared-volumes';
import { constrain, failedForGood, refusesHost } from './topology';
import { record as countPod } from './topology-counts';

const REFUSES: u8 = 1;
/** By all but topology it takes such a pod, as long as it gets none. */
const HAS_ROOM: u8 = 2;
const EIGHT_REFUSE: u64 = 0x0101010101010101;

/** i32 per node: its requirement set, narrowed by its pods. */
let sets: usize = 0;
let foundSet: i32 = 0;
/** Per variant of the class at hand: u8 per node, REFUSES where it will never take such a pod, or HAS_ROOM; and the first node that may. */
let refused: usize = 0;
let refusedVariants: i32 = 0;
let firsts: usize = 0;

export function initialise(): void {
  sets = allocate(<usize>input.nodeCount << 2);
  memory.copy(sets, input.nodeSet, <usize>input.nodeCount << 2);
  refusedVariants = 0;
}

let keptRefused: usize = 0;
let keptVariants: i32 = 0;
let keptFirsts: usize = 0;

/** To go back to with `restore`, as far as it is not in the memory of the question. */
export function keep(): void {
  keptRefused = refused;
  keptVariants = refusedVariants;
  keptFirsts = firsts;
}

export function restore(): void {
  refused = keptRefused;
  refusedVariants = keptVariants;
  firsts = keptFirsts;
}

/** Forgets what the class before was refused. */
export function reset(podClass: i32, variants: i32): void {
  if (input.nodeCount == 0) return;
  if (variants > refusedVariants) {
    refusedVariants = variants;
    refused = allocateItems(variants, input.nodeCount);
    firsts = allocate(<usize>variants << 2);
  } else {
    spend((variants * input.nodeCount) >> 4);
    memory.fill(refused, 0, <usize>(variants * input.nodeCount));
    memory.fill(firsts, 0, <usize>variants << 2);
  }
  if (fullNodes.areKept()) memory.copy(refused, fullNodes.rowsOf(podClass), <usize>(variants * input.nodeCount));
}

/** The first node that takes the pod, which is then there; or -1. `at`: the number of the variant within its class. */
export function place(at: i32, podClass: i32, variant: i32, requests: usize): i32 {
  if (input.nodeCount == 0) return -1;
  const refusals = refused + <usize>(at * input.nodeCount);
  outlooks.begin();
  const first = firsts + (<usize>at << 2);
  store<i32>(first, nextFrom(load<i32>(first), refusals));
  for (let node = load<i32>(first); node < input.nodeCount; node = nextFrom(node + 1, refusals)) {
    spend(1);
    const known = load<u8>(refusals + <usize>node);
    const answer = tryNode(node, podClass, variant, requests, known == HAS_ROOM);
    if (answer == TAKEN) {
      accept(node, at, podClass, requests);
      return node;
    }
    store<u8>(refusals + <usize>node, answer == NOT_NOW ? HAS_ROOM : REFUSES);
    if (answer == NOT_NOW) continue;
    if (node == load<i32>(first)) store<i32>(first, node + 1);
  }
  return -1;
}

/** The first node from this one on that does not refuse the pod for good; as many as there are nodes where all do. */
function nextFrom(start: i32, refusals: usize): i32 {
  let node = start;
  for (; node + 8 <= input.nodeCount; node += 8) {
    const others = load<u64>(refusals + <usize>node) ^ EIGHT_REFUSE;
    if (others != 0) return node + <i32>(ctz(others) >> 3);
  }
  while (node < input.nodeCount && load<u8>(refusals + <usize>node) == REFUSES) node++;
  return node;
}

function tryNode(node: i32, podClass: i32, variant: i32, requests: usize, hasRoom: bool): i32 {
  if (!hasRoom) {
    if (!tolerated(variant, load<i32>(input.nodeTaintSet + (<usize>node << 2)))) return NEVER;
    if (conflicts(podClass, portsOf(node)) || !fits(node, podClass, requests)) return NEVER;
  }
  const end = alternativesOf(podClass);
  if (end == 1) {
    if (refusesHost(podClass, variant, node)) return failedForGood ? NEVER : NOT_NOW;
    foundSet = outlooks.outlookOf(setOf(node), podClass, variant);
    return foundSet >= 0 ? TAKEN : foundSet == outlooks.NOT_NOW ? NOT_NOW : NEVER;
  }
  const joined = combineStrict(setOf(node), variantSetOf(variant));
  if (joined == INCOMPATIBLE) return NEVER;
  let answer = NEVER;
  for (let alternative = 0; alternative < end; alternative++) {
    const volumes = volumeSetOf(podClass, alternative);
    const set = volumes < 0 ? joined : combineStrict(joined, volumes);
    if (set == INCOMPATIBLE) continue;
    foundSet = constrain(podClass, variant, node, set);
    if (foundSet != INCOMPATIBLE) return TAKEN;
    if (!failedForGood) answer = NOT_NOW;
  }
  return answer;
}

@inline
function setOf(node: i32): i32 {
  return load<i32>(sets + (<usize>node << 2));
}

@inline
function portsOf(node: i32): usize {
  return input.nodePorts + (<usize>(node * input.portWords) << 3);
}

@inline
function remainingOf(node: i32): usize {
  return input.nodeRemaining + (<usize>(node * input.resourceCount) << 3);
}

function fits(node: i32, podClass: i32, requests: usize): bool {
  if (load<u8>(input.nodeUsable + <usize>node) == 0) return false;
  const remaining = remainingOf(node);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const at = <usize>resource << 3;
    if (load<i64>(requests + at) > load<i64>(remaining + at)) return false;
  }
  return input.sharedCount == 0 || canAttach(podClass, node, requests, remaining);
}

function accept(node: i32, variantAt: i32, podClass: i32, requests: usize): void {
  // A label that the node lacks, and that a relaxed pod has narrowed, may now go together with what earlier pods wanted of that label.
  const isAskedAnew = variantAt > 0 && foundSet != setOf(node);
  store<i32>(sets + (<usize>node << 2), foundSet);
  const remaining = remainingOf(node);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const at = <usize>resource << 3;
    store<i64>(remaining + at, load<i64>(remaining + at) - load<i64>(requests + at));
  }
  if (input.sharedCount > 0) attach(podClass, node, remaining);
  takePorts(podClass, portsOf(node));
  for (let at = 0; at < refusedVariants; at++) {
    const known = refused + <usize>(at * input.nodeCount + node);
    if (isAskedAnew || load<u8>(known) == HAS_ROOM) store<u8>(known, 0);
    const first = firsts + (<usize>at << 2);
    if (isAskedAnew && load<i32>(first) > node) store<i32>(first, node);
  }
  countPod(podClass, load<i32>(input.nodeTaintSet + (<usize>node << 2)), node, foundSet);
}
