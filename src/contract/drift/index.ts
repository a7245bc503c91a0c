export * from './changed-fields';
export * from './field-drift';
export * from './object-hash';
