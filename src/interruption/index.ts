export * from './handler-mode';
export * from './interruption-queue';
export * from './interruption-queue-props';
export * from './node-termination-handler';
export * from './node-termination-handler-props';
export * from './spot-interruption-experiment';
