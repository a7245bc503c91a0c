export { compileCached } from './compiled-rule';
export type { CompiledRule } from './compiled-rule';
export { CostBudgetExceeded, resetCost } from './evaluate';
export { CelError, UnknownFunction } from './value';
export type { CelObject, CelValue } from './value';
