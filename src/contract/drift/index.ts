export * from './changed-fields';
export * from './object-hash';
