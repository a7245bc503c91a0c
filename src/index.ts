export * as interruption from './interruption';
export * as nodes from './nodes';
export * as workloads from './workloads';
export * as infra from './infra';
export * as plugins from './plugins';
export * as setups from './setups';
export * as assertions from './assertions';
