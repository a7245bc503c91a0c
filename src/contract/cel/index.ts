export { CompiledRule, compiledRule } from './compiled-rule';
export { resetCost, TooCostly } from './evaluate';
export { CelError, CelObject, CelValue, UnknownFunction } from './value';
