export * from './interruption-consumer';
export * from './interruption-queue';
export * from './interruption-queue-props';
