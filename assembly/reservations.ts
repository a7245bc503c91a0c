/**
 * Capacity reservations: what is left of each, and which ones each claim holds. A claim holds all that it could use.
 */
import { anyCommonBit, hasBit, setBit } from './bitset';
import { spend } from './bounds';
import * as input from './input';
import { allocate } from './memory';
import { endOf, startOf } from './records';
import { planeMatches, typeBytes } from './type-masks';

/** The results of `check`. */
export const FREE: i32 = 0;
/** Other claims hold the usable reservations: the pod waits until those claims are launched. */
export const HELD_BY_OTHERS: i32 = 1;
/** All usable offerings belong to full reservations. */
export const FULL: i32 = 2;

/** Bytes of a set of reservations. */
export let setBytes: usize = 0;
/** i32 per reservation: instances that no claim holds. */
let left: usize = 0;
/** The reservations that the last `check` found usable. */
let usable: usize = 0;

export function initialise(): void {
  setBytes = (<usize>(input.reservationCount + 7) >> 3) + 15 & ~15;
  left = allocate(<usize>input.reservationCount << 2);
  memory.copy(left, input.reservationFree, <usize>input.reservationCount << 2);
  usable = allocate(setBytes);
}

/**
 * Whether a claim with these requirements and types is possible. `held` are the reservations that it holds so far. A
 * reservation counts as full only if it had no instance at the start: instances that other claims hold may be released
 * again.
 */
export function check(held: usize, view: i32, set: i32, types: usize): i32 {
  if (input.reservationCount == 0) return FREE;
  memory.fill(usable, 0, setBytes);
  let hasRoom = false;
  let isFull = false;
  let hasOther = false;
  const end = endOf(input.planeStart, view);
  spend(end - startOf(input.planeStart, view));
  for (let plane = startOf(input.planeStart, view); plane < end; plane++) {
    if (!planeMatches(plane, set) || !anyCommonBit(input.planeTypes + <usize>plane * typeBytes, types, typeBytes)) continue;
    const reservation = load<i32>(input.planeReservation + (<usize>plane << 2));
    if (reservation < 0) {
      hasOther = true;
    } else if (load<i32>(input.reservationFree + (<usize>reservation << 2)) == 0) {
      isFull = true;
    } else {
      hasRoom = true;
      if (hasBit(held, reservation) || load<i32>(left + (<usize>reservation << 2)) > 0) setBit(usable, reservation);
    }
  }
  if (isFull && !hasRoom && !hasOther) return FULL;
  if (input.reservedFallback != 0) return FREE;
  if (hasRoom && isNone(usable)) return HELD_BY_OTHERS;
  return isNone(usable) && !isNone(held) ? HELD_BY_OTHERS : FREE;
}

/** Makes the claim hold the usable reservations of the last `check`, and releases the others. */
export function hold(held: usize): void {
  for (let reservation = 0; reservation < input.reservationCount; reservation++) {
    const change = <i32>hasBit(held, reservation) - <i32>hasBit(usable, reservation);
    const count = left + (<usize>reservation << 2);
    store<i32>(count, load<i32>(count) + change);
  }
  memory.copy(held, usable, setBytes);
}

export function isNone(reservations: usize): bool {
  for (let i: usize = 0; i < setBytes; i += 8) if (load<u64>(reservations + i) != 0) return false;
  return true;
}
