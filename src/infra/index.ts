export * from './cluster-reference';
export * from './controller-identity';
export * from './controller-permissions';
export * from './controller-policies';
export * from './controller-role';
export * from './node-role';
