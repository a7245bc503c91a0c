export { compiledRule } from './compiled-rule';
export type { CompiledRule } from './compiled-rule';
export { resetCost, TooCostly } from './evaluate';
export { isExpression } from './expression';
export { CelError, UnknownFunction } from './value';
export type { CelObject, CelValue } from './value';
