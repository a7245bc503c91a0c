/** The kernel: one solve an instance. See src/kernel/packer.ts for the host side of this boundary. */
export * from './input';
export { allocate, exhausted } from './memory';
export { options, groupStart, groupTypes, groupOverhead, groupDaemons } from './templates';
export { claimCount, claims, claimTypes } from './claims';
export { placements, placementCount, leftovers, leftoverCount, refusals, tries, solve } from './solve';
