export { loadSdk } from './sdk';
export type { Sdk } from './sdk';
export { Interrupted, updateCatalog } from './update-catalog';
export type { UpdatedCatalog, UpdateOptions } from './update-catalog';
