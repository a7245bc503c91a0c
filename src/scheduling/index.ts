export { costLowerBound } from './cost-bound';
export * from './domain';
export { poolTables } from './node-overlays';
export { schedule } from './schedule';
export { cheapestPrice, matchingTypes } from './type-filter';
