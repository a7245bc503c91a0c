/**
 * The bounds of a solve: memory, and steps. Steps are counted, not timed, so that the same problem ends in the same way
 * on every machine.
 */

/** 1 GiB. */
export let memoryLimit: i64 = 1 << 30;
/** About a minute of work of one core, which is how long Karpenter works on a batch. */
export let stepLimit: i64 = 10_000_000_000;

/** Steps taken: claims passed, label values and rows of bits looked at, elements moved. */
export let steps: i64 = 0;

/** Which bound was hit, set before the trap that ends the solve. */
export const NO_BOUND: i32 = 0;
const MEMORY: i32 = 1;
const STEPS: i32 = 2;
export let boundHit: i32 = NO_BOUND;

/** Counts steps, and traps if the bound is reached. */
@inline
export function spend(more: i32): void {
  steps += <i64>more;
  if (steps > stepLimit) outOfSteps();
}

function outOfSteps(): void {
  boundHit = STEPS;
  unreachable();
}

export function outOfMemory(): void {
  boundHit = MEMORY;
  unreachable();
}
