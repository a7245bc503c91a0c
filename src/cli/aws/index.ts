export { Interrupted, untilInterrupted } from './interrupted';
export { readPublicCatalog, SPOT_ADVISOR, updatePublicCatalog } from './public/update-public-catalog';
export type { PublicSource } from './public/update-public-catalog';
export { loadSdk } from './sdk';
export type { Sdk } from './sdk';
export { updateCatalog } from './update-catalog';
export type { UpdatedCatalog, UpdateOptions } from './update-catalog';
