export * from './capacity-placement';
export * from './do-not-disrupt';
export * from './resilience';
export * from './resilience-props';
export * from './resilient-deployment';
export * from './resilient-stateful-set';
export * from './safeguard';
