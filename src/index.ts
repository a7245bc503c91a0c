export * as interruption from './interruption';
export * as nodes from './nodes';
export * as workloads from './workloads';
export * as infra from './infra';
export * as setups from './setups';
export * as plugins from './plugins';
export * as assertions from './assertions';
