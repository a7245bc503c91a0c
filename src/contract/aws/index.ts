export * from './event-pattern';
export * from './events';
export * from './queue';
