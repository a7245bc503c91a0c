export * as interruption from './interruption';
export * as nodes from './nodes';
export * as plugins from './plugins';
