/**
 * While one question is answered in variations: per class of pods the nodes that have no room for one from the start, or that taint it
 * away. In no variation a node has more than that, so that what is found for one holds for all.
 */
import * as input from './input';
import { tolerated } from './pod-classes';

/** With more, they are not kept. */
const MOST_BYTES: i64 = 8 << 20;

/** u8[variants][nodes], 1 where no such pod ever comes to the node; 0 where nothing is kept. */
let rows: usize = 0;
/** u8 per class: whether its rows are there. */
let isKnown: usize = 0;
/** What is left of the nodes at the start. */
let remaining: usize = 0;

/** The node that takes no more pods in the variation at hand. */
let leftOut: i32 = -1;

export function leaveOut(node: i32): void {
  leftOut = node;
}

/** Whether rows are kept for the question at hand. */
export function areKept(): bool {
  return rows != 0;
}

/** How much memory they take, which has to outlast every variation. */
export function bytesWanted(): usize {
  const cells = <i64>variantCount() * input.nodeCount;
  return cells > MOST_BYTES ? 0 : aligned(<usize>cells) + aligned(<usize>input.classCount) + amounts();
}

/** @param memory zeroed, as much as is wanted */
export function begin(start: usize): void {
  rows = start;
  leftOut = -1;
  isKnown = start + aligned(<usize>variantCount() * input.nodeCount);
  remaining = isKnown + aligned(<usize>input.classCount);
  memory.copy(remaining, input.nodeRemaining, amounts());
}

export function end(): void {
  rows = 0;
}

/** The rows of the variants of a class, one after the other. */
export function rowsOf(podClass: i32): usize {
  const start = load<i32>(input.classVariantStart + (<usize>podClass << 2));
  const found = rows + <usize>start * input.nodeCount;
  if (load<u8>(isKnown + <usize>podClass) != 0) return found;
  store<u8>(isKnown + <usize>podClass, 1);
  const end = load<i32>(input.classVariantStart + (<usize>podClass << 2), 4);
  const requests = input.classRequests + <usize>podClass * (<usize>input.resourceCount << 3);
  for (let node = 0; node < input.nodeCount; node++) {
    const isFull = !hasRoom(node, requests);
    const taints = load<i32>(input.nodeTaintSet + (<usize>node << 2));
    for (let variant = start; variant < end; variant++) {
      if (isFull || !tolerated(variant, taints)) store<u8>(rows + <usize>variant * input.nodeCount + <usize>node, 1);
    }
  }
  return found;
}

function hasRoom(node: i32, requests: usize): bool {
  // The one that takes no more in the variation at hand may in another.
  if (node != leftOut && load<u8>(input.nodeUsable + <usize>node) == 0) return false;
  const left = remaining + <usize>node * (<usize>input.resourceCount << 3);
  for (let resource = 0; resource < input.resourceCount; resource++) {
    const at = <usize>resource << 3;
    if (load<i64>(requests + at) > load<i64>(left + at)) return false;
  }
  return true;
}

function variantCount(): i32 {
  return load<i32>(input.classVariantStart + (<usize>input.classCount << 2));
}

function amounts(): usize {
  return aligned(<usize>input.nodeCount * (<usize>input.resourceCount << 3));
}

function aligned(bytes: usize): usize {
  return (bytes + 15) & ~15;
}
