export { compiledRule } from './compiled-rule';
export type { CompiledRule } from './compiled-rule';
export { resetCost, TooCostly } from './cost';
export { kubeletExpression } from './kubelet-expression';
export { CelError, UnknownFunction } from './value';
export type { CelObject, CelValue } from './value';
