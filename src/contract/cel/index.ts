export { compileCached } from './compiled-rule';
export type { CompiledRule } from './compiled-rule';
export { resetCost, CostBudgetExceeded } from './cost';
export { CelError, UnknownFunction } from './value';
export type { CelObject, CelValue } from './value';
