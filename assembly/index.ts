/** The kernel. One instance solves one problem, with one query or several. src/kernel/packer.ts is the host side. */
export * from './input';
export { boundHit, memoryLimit, stepLimit, steps } from './bounds';
export { allocate, beginQuery } from './memory';
export { boundsAt, flagsAt, rowBytes, rows } from './requirement-rows';
export { options, groupStart, groupTypes, groupOverhead, groupDaemons } from './templates';
export { claimCount, claims, claimTypes } from './claims';
export { countSize, hostCapacity, hostCounts, hostGroups } from './topology-counts';
export { claimPlanes, planesPerClaim, placements, placementCount, leftovers, lastVariants, leftoverCount, refusals, tries } from './solve';
export { prepare, solve, solveQuery } from './solve';
export { whatIfAnswers, solveWhatIfQueries, beginWhatIfQueries, whatIfQueries } from './what-if-queries';
