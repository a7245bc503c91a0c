export * from './maintenance-window';
export * from './pool-options';
export * from './production-setup';
export * from './production-setup-props';
export * from './setup-cluster';
export * from './storage-options';
