/**
 * While one question is answered in variations: per class of pods the nodes that may have room for one at the start. In no variation a node has
 * more than that, so that what is found for one holds for all.
 */
import * as input from './input';
import * as room from './node-room';
import { setBytes } from './node-sets';

/** u64[classCount][words of a set of nodes]; 0 where nothing is kept. */
let rows: usize = 0;
/** u8 per class: whether its row is there. */
let isKnown: usize = 0;
/** What was known of room at the start. */
let atStart: usize = 0;

/** Whether rows are kept for the question at hand. */
export function areKept(): bool {
  return rows != 0;
}

/** How much memory they take, which has to outlast every variation. */
export function bytesWanted(): usize {
  return setBytes * <usize>input.classCount + aligned(room.roomBytes) + aligned(<usize>input.classCount);
}

/** @param start of as much zeroed memory as is wanted */
export function begin(start: usize): void {
  rows = start;
  atStart = start + setBytes * <usize>input.classCount;
  isKnown = atStart + aligned(room.roomBytes);
  room.copyTo(atStart);
}

export function end(): void {
  rows = 0;
}

/** The nodes that may have room for a pod of the class. */
export function rowOf(podClass: i32, requests: usize): usize {
  const row = rows + <usize>podClass * setBytes;
  if (load<u8>(isKnown + <usize>podClass) == 0) room.findIn(row, requests, atStart);
  store<u8>(isKnown + <usize>podClass, 1);
  return row;
}

function aligned(bytes: usize): usize {
  return (bytes + 15) & ~15;
}
