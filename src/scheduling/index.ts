export { costLowerBound } from './cost-bound';
export * from './domain';
export { poolTables } from './node-overlays';
export { schedule } from './schedule';
export { smallestChanges } from './changes/smallest-change';
export type { SmallestChange } from './changes/smallest-change';
export { cheapestPrice, matchingTypes } from './type-filter';
