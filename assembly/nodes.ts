/** Existing nodes: what each has left, and whether it takes one more pod. */
import { NEVER, NOT_NOW, TAKEN } from './attempts';
import { spend } from './bounds';
import { conflicts, takePorts } from './host-ports';
import * as input from './input';
import { allocate, allocateItems } from './memory';
import * as nodeCompatibilityCache from './node-compatibility-cache';
import * as headroom from './node-headroom';
import { addNode, clearNodes, copyNodes, firstFrom, hasNode, initialise as initialiseSets, removeNode, setBytes, wordCount } from './node-sets';
import { alternativesOf, tolerated, variantSetOf, volumeSetOf } from './pod-classes';
import { combineStrict, INCOMPATIBLE } from './requirement-combinations';
import { attach, canAttach } from './shared-volumes';
import { constrain, failedForGood, refusesHost } from './topology';
import { record as countPod } from './topology-counts';

/** i32 per node: its requirement set, narrowed by its pods. */
let sets: usize = 0;
let narrowedSet: i32 = 0;
/**
 * Per variant of the current class: the set of nodes that may take such a pod; the set of nodes that only topology
 * refuses, as long as they get no other pod; and i32, the first node of the former set.
 */
let openNodes: usize = 0;
let fittingNodes: usize = 0;
let firstOpen: usize = 0;
let variantCount: i32 = 0;

export function initialise(): void {
  sets = allocate(<usize>input.nodeCount << 2);
  memory.copy(sets, input.nodeSet, <usize>input.nodeCount << 2);
  initialiseSets();
  headroom.initialise();
  variantCount = 0;
}

let savedOpenNodes: usize = 0;
let savedFittingNodes: usize = 0;
let savedFirstOpen: usize = 0;
let savedVariants: i32 = 0;

/** Saves the variables that are not in query memory, for `restoreState`. */
export function saveState(): void {
  savedOpenNodes = openNodes;
  savedFittingNodes = fittingNodes;
  savedFirstOpen = firstOpen;
  savedVariants = variantCount;
}

export function restoreState(): void {
  openNodes = savedOpenNodes;
  fittingNodes = savedFittingNodes;
  firstOpen = savedFirstOpen;
  variantCount = savedVariants;
}

/** Starts a new class: forgets the refusals of the previous one. */
export function reset(variants: i32, requests: usize): void {
  if (input.nodeCount == 0) return;
  if (variants > variantCount) {
    variantCount = variants;
    openNodes = allocateItems(variants, <i64>setBytes);
    fittingNodes = allocateItems(variants, <i64>setBytes);
    firstOpen = allocate(<usize>variants << 2);
  }
  spend(variants * wordCount);
  headroom.findNodes(openNodes, requests);
  for (let index = 0; index < variants; index++) {
    if (index > 0) copyNodes(openNodes + <usize>index * setBytes, openNodes);
    clearNodes(fittingNodes + <usize>index * setBytes);
    store<i32>(firstOpen + (<usize>index << 2), 0);
  }
}

/**
 * Places the pod on the first node that takes it, and returns the node, or -1. `variantIndex` is the number of the
 * variant within its class.
 */
export function place(variantIndex: i32, podClass: i32, variant: i32, requests: usize): i32 {
  if (input.nodeCount == 0) return -1;
  const open = openNodes + <usize>variantIndex * setBytes;
  const fitting = fittingNodes + <usize>variantIndex * setBytes;
  nodeCompatibilityCache.beginPod();
  if (input.bindsPods != 0) return bind(variantIndex, podClass, variant, requests);
  const first = firstOpen + (<usize>variantIndex << 2);
  store<i32>(first, firstFrom(load<i32>(first), open));
  for (let node = load<i32>(first); node < input.nodeCount; node = firstFrom(node + 1, open)) {
    spend(1);
    // Most nodes with enough resources are refused because of labels that other nodes have as well.
    const refusal = nodeCompatibilityCache.cachedRefusal(setOf(node), variant);
    if (refusal == nodeCompatibilityCache.NOT_NOW) continue;
    const answer = refusal == nodeCompatibilityCache.NEVER ? NEVER : tryNode(node, podClass, variant, requests, hasNode(fitting, node));
    if (answer == TAKEN) {
      accept(node, variantIndex, podClass, requests);
      return node;
    }
    if (answer == NOT_NOW) {
      addNode(fitting, node);
      continue;
    }
    removeNode(open, node);
    if (node == load<i32>(first)) store<i32>(first, node + 1);
  }
  return -1;
}

/**
 * Places the pod on the node that kube-scheduler prefers by resources (LeastAllocated and BalancedAllocation), and
 * returns the node, or -1. Of equally good nodes the first one is taken.
 *
 * @see https://kubernetes.io/docs/reference/scheduling/config/#scheduling-plugins
 */
function bind(variantIndex: i32, podClass: i32, variant: i32, requests: usize): i32 {
  const open = openNodes + <usize>variantIndex * setBytes;
  const fitting = fittingNodes + <usize>variantIndex * setBytes;
  let best = -1;
  let bestScore: f64 = -Infinity;
  let bestSet = 0;
  for (let node = firstFrom(0, open); node < input.nodeCount; node = firstFrom(node + 1, open)) {
    spend(1);
    const score = resourceScore(node, requests);
    if (score <= bestScore) continue;
    const answer = tryNode(node, podClass, variant, requests, hasNode(fitting, node));
    if (answer == TAKEN) {
      best = node;
      bestScore = score;
      bestSet = narrowedSet;
    } else if (answer == NOT_NOW) addNode(fitting, node);
    else removeNode(open, node);
  }
  if (best < 0) return -1;
  narrowedSet = bestSet;
  accept(best, variantIndex, podClass, requests);
  return best;
}

function resourceScore(node: i32, requests: usize): f64 {
  const cpu = freeShare(node, 0, input.cpuResource, requests);
  const memory = freeShare(node, 1, input.memoryResource, requests);
  return (cpu + memory) / 2 + 1 - abs(cpu - memory) / 2;
}

/** The share of the resource that is free with the pod on the node. */
function freeShare(node: i32, column: i32, resource: i32, requests: usize): f64 {
  const allocatable = load<i64>(input.nodeAllocatable + (<usize>(node * 2 + column) << 3));
  if (resource < 0 || allocatable <= 0) return 1;
  const offset = <usize>resource << 3;
  return <f64>(load<i64>(remainingOf(node) + offset) - load<i64>(requests + offset)) / <f64>allocatable;
}

function tryNode(node: i32, podClass: i32, variant: i32, requests: usize, isFitting: bool): i32 {
  if (!isFitting) {
    if (!tolerated(variant, load<i32>(input.nodeTaintSet + (<usize>node << 2)))) return NEVER;
    if (conflicts(podClass, portsOf(node)) || !fits(node, podClass, requests)) return NEVER;
  }
  const end = alternativesOf(podClass);
  if (end == 1) {
    if (refusesHost(podClass, variant, node)) return failedForGood ? NEVER : NOT_NOW;
    narrowedSet = nodeCompatibilityCache.narrowedSet(setOf(node), podClass, variant);
    return narrowedSet >= 0 ? TAKEN : narrowedSet == nodeCompatibilityCache.NOT_NOW ? NOT_NOW : NEVER;
  }
  const joined = combineStrict(setOf(node), variantSetOf(variant));
  if (joined == INCOMPATIBLE) return NEVER;
  let answer = NEVER;
  for (let alternative = 0; alternative < end; alternative++) {
    const volumes = volumeSetOf(podClass, alternative);
    const set = volumes < 0 ? joined : combineStrict(joined, volumes);
    if (set == INCOMPATIBLE) continue;
    narrowedSet = constrain(podClass, variant, node, set);
    if (narrowedSet != INCOMPATIBLE) return TAKEN;
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
    const offset = <usize>resource << 3;
    if (load<i64>(requests + offset) > load<i64>(remaining + offset)) return false;
  }
  return input.sharedCount == 0 || canAttach(podClass, node, requests, remaining);
}

function accept(node: i32, variantIndex: i32, podClass: i32, requests: usize): void {
  // A relaxed pod may have narrowed a label that the node lacks. The result may be compatible with pods that the node
  // refused before.
  const reopens = variantIndex > 0 && narrowedSet != setOf(node);
  store<i32>(sets + (<usize>node << 2), narrowedSet);
  const remaining = remainingOf(node);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const offset = <usize>resource << 3;
    store<i64>(remaining + offset, load<i64>(remaining + offset) - load<i64>(requests + offset));
  }
  if (input.sharedCount > 0) attach(podClass, node, remaining);
  headroom.update(node);
  takePorts(podClass, portsOf(node));
  for (let index = 0; index < variantCount; index++) {
    removeNode(fittingNodes + <usize>index * setBytes, node);
    if (!reopens) continue;
    addNode(openNodes + <usize>index * setBytes, node);
    const first = firstOpen + (<usize>index << 2);
    if (load<i32>(first) > node) store<i32>(first, node);
  }
  countPod(podClass, load<i32>(input.nodeTaintSet + (<usize>node << 2)), node, narrowedSet);
}
