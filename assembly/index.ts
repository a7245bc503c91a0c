/** The kernel: one problem an instance, with one question or several. See src/kernel/packer.ts for the host side of this boundary. */
export * from './input';
export { boundHit, memoryLimit, stepLimit, steps } from './bounds';
export { allocate, forget } from './memory';
export { boundsAt, flagsAt, rowBytes, rows } from './requirement-rows';
export { options, groupStart, groupTypes, groupOverhead, groupDaemons } from './templates';
export { claimCount, claims, claimTypes } from './claims';
export { countSize, hostCapacity, hostCounts, hostGroups } from './topology-counts';
export { claimPlanes, planesPerClaim, placements, placementCount, leftovers, lastVariants, leftoverCount, refusals, tries, prepare, answer, solve } from './solve';
export { answers, answerVariations, beginVariations, variations } from './variations';
