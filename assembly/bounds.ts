/** What a solve may take before it gives up: bytes, and steps, which are counted, so that the same problem ends the same way everywhere. */

/** 1 GiB. */
export let memoryLimit: i64 = 1 << 30;
/** About a minute's work of one core: as long as Karpenter itself works on a batch. */
export let stepLimit: i64 = 10_000_000_000;

/** Steps taken: claims passed, label values and rows of bits looked at, elements moved. */
export let steps: i64 = 0;

/** Which bound was hit, set before the trap that ends the solve. */
export const NO_BOUND: i32 = 0;
const MEMORY: i32 = 1;
const STEPS: i32 = 2;
export let boundHit: i32 = NO_BOUND;

/** Traps where the bound is reached. */
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
