/** Capacity reservations: what is left of each, and which of them each claim keeps for itself. A claim keeps all that it could use. */
import { anyCommonBit, hasBit, setBit } from './bitset';
import { spend } from './bounds';
import * as input from './input';
import { allocate } from './memory';
import { planeMatches, typeBytes } from './type-masks';

/** What a claim may do. */
export const FREE: i32 = 0;
/** There is room in reservations that would do, and other claims keep it: the pod waits until these are launched. */
export const KEPT_BY_OTHERS: i32 = 1;
/** Nothing would do but reservations that are full. */
export const FULL: i32 = 2;

/** Bytes of a set of reservations. */
export let setBytes: usize = 0;
/** i32 per reservation: instances that no claim keeps. */
let left: usize = 0;
/** What the last `check` found for the claim to keep. */
let found: usize = 0;

export function initialise(): void {
  setBytes = (<usize>(input.reservationCount + 7) >> 3) + 15 & ~15;
  left = allocate(<usize>input.reservationCount << 2);
  memory.copy(left, input.reservationFree, <usize>input.reservationCount << 2);
  found = allocate(setBytes);
}

/**
 * Whether a claim of these requirements and types may be; `held` are the reservations that it keeps by now.
 * What has room decides by how much there was at the start: what others keep may yet come back.
 */
export function check(held: usize, view: i32, set: i32, types: usize): i32 {
  if (input.reservationCount == 0) return FREE;
  memory.fill(found, 0, setBytes);
  let roomy = false;
  let full = false;
  let other = false;
  const end = load<i32>(input.planeStart + (<usize>view << 2), 4);
  spend(end - load<i32>(input.planeStart + (<usize>view << 2)));
  for (let plane = load<i32>(input.planeStart + (<usize>view << 2)); plane < end; plane++) {
    if (!planeMatches(plane, set) || !anyCommonBit(input.planeTypes + <usize>plane * typeBytes, types, typeBytes)) continue;
    const reservation = load<i32>(input.planeReservation + (<usize>plane << 2));
    if (reservation < 0) {
      other = true;
    } else if (load<i32>(input.reservationFree + (<usize>reservation << 2)) == 0) {
      full = true;
    } else {
      roomy = true;
      if (hasBit(held, reservation) || load<i32>(left + (<usize>reservation << 2)) > 0) setBit(found, reservation);
    }
  }
  if (full && !roomy && !other) return FULL;
  if (input.reservedFallback != 0) return FREE;
  if (roomy && isNone(found)) return KEPT_BY_OTHERS;
  return isNone(found) && !isNone(held) ? KEPT_BY_OTHERS : FREE;
}

/** Keeps for the claim what the last `check` found, and gives back what it no longer can use. */
export function keep(held: usize): void {
  for (let reservation = 0; reservation < input.reservationCount; reservation++) {
    const change = <i32>hasBit(held, reservation) - <i32>hasBit(found, reservation);
    const at = left + (<usize>reservation << 2);
    store<i32>(at, load<i32>(at) + change);
  }
  memory.copy(held, found, setBytes);
}

export function isNone(reservations: usize): bool {
  for (let i: usize = 0; i < setBytes; i += 8) if (load<u64>(reservations + i) != 0) return false;
  return true;
}
