export * as interruption from './interruption';
export * as nodes from './nodes';
export * as workloads from './workloads';
export * as plugins from './plugins';
