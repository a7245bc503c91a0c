export { costLowerBound } from './cost-bound';
export * from './domain';
export { schedule } from './schedule';
export { cheapestPrice, matchingTypes } from './type-filter';
