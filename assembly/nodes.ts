/** Nodes that are there already: what each still holds, and whether it takes one more pod. */
import { NEVER, NOT_NOW, TAKEN } from './attempts';
import { spend } from './bounds';
import { conflicts, takePorts } from './host-ports';
import * as fullNodes from './full-nodes';
import * as input from './input';
import { allocate, allocateItems } from './memory';
import * as outlooks from './node-outlooks';
import * as room from './node-room';
import { addNode, clearNodes, copyNodes, dropNode, firstFrom, hasNode, initialise as initialiseSets, setBytes, wordCount } from './node-sets';
import { alternativesOf, tolerated, variantSetOf, volumeSetOf } from './pod-classes';
import { combineStrict, INCOMPATIBLE } from './requirement-combinations';
import { attach, canAttach } from './shared-volumes';
import { constrain, failedForGood, refusesHost } from './topology';
import { record as countPod } from './topology-counts';

/** i32 per node: its requirement set, narrowed by its pods. */
let sets: usize = 0;
let foundSet: i32 = 0;
/**
 * Per variant of the class at hand two sets of nodes: those that may take such a pod, and those that by all but topology do, as long as they get
 * none; and i32 the first of the former.
 */
let open: usize = 0;
let roomy: usize = 0;
let firsts: usize = 0;
let variantCount: i32 = 0;

export function initialise(): void {
  sets = allocate(<usize>input.nodeCount << 2);
  memory.copy(sets, input.nodeSet, <usize>input.nodeCount << 2);
  initialiseSets();
  room.initialise();
  variantCount = 0;
}

let keptOpen: usize = 0;
let keptRoomy: usize = 0;
let keptFirsts: usize = 0;
let keptVariants: i32 = 0;

/** To go back to with `restore`, as far as it is not in the memory of the question. */
export function keep(): void {
  keptOpen = open;
  keptRoomy = roomy;
  keptFirsts = firsts;
  keptVariants = variantCount;
}

export function restore(): void {
  open = keptOpen;
  roomy = keptRoomy;
  firsts = keptFirsts;
  variantCount = keptVariants;
}

/** Forgets what the class before was refused. */
export function reset(podClass: i32, variants: i32, requests: usize): void {
  if (input.nodeCount == 0) return;
  if (variants > variantCount) {
    variantCount = variants;
    open = allocateItems(variants, <i64>setBytes);
    roomy = allocateItems(variants, <i64>setBytes);
    firsts = allocate(<usize>variants << 2);
  }
  spend(variants * wordCount);
  if (fullNodes.areKept()) copyNodes(open, fullNodes.rowOf(podClass, requests));
  else room.find(open, requests);
  for (let at = 0; at < variants; at++) {
    if (at > 0) copyNodes(open + <usize>at * setBytes, open);
    clearNodes(roomy + <usize>at * setBytes);
    store<i32>(firsts + (<usize>at << 2), 0);
  }
}

/** The first node that takes the pod, which is then there; or -1. `at`: the number of the variant within its class. */
export function place(at: i32, podClass: i32, variant: i32, requests: usize): i32 {
  if (input.nodeCount == 0) return -1;
  const mayTake = open + <usize>at * setBytes;
  const known = roomy + <usize>at * setBytes;
  outlooks.begin();
  const first = firsts + (<usize>at << 2);
  store<i32>(first, firstFrom(load<i32>(first), mayTake));
  for (let node = load<i32>(first); node < input.nodeCount; node = firstFrom(node + 1, mayTake)) {
    spend(1);
    // Of nodes with room, most are refused for labels that others have too.
    const refusal = outlooks.refusalOf(setOf(node), variant);
    if (refusal == outlooks.NOT_NOW) continue;
    const answer = refusal == outlooks.NEVER ? NEVER : tryNode(node, podClass, variant, requests, hasNode(known, node));
    if (answer == TAKEN) {
      accept(node, at, podClass, requests);
      return node;
    }
    if (answer == NOT_NOW) {
      addNode(known, node);
      continue;
    }
    dropNode(mayTake, node);
    if (node == load<i32>(first)) store<i32>(first, node + 1);
  }
  return -1;
}

function tryNode(node: i32, podClass: i32, variant: i32, requests: usize, isRoomy: bool): i32 {
  if (!isRoomy) {
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
  room.lower(node);
  takePorts(podClass, portsOf(node));
  for (let at = 0; at < variantCount; at++) {
    dropNode(roomy + <usize>at * setBytes, node);
    if (!isAskedAnew) continue;
    addNode(open + <usize>at * setBytes, node);
    const first = firsts + (<usize>at << 2);
    if (load<i32>(first) > node) store<i32>(first, node);
  }
  countPod(podClass, load<i32>(input.nodeTaintSet + (<usize>node << 2)), node, foundSet);
}
