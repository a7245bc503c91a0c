export { PublishedFileProblem, PriceListReader } from './price-list-reader';
export type { PublishedPrices } from './price-list-reader';
export { makePublicCatalog, publicCatalogText, publicChanges, publishedFigures } from './public-catalog';
export type { PublicCatalog, PublicChanges } from './public-catalog';
export { publicCatalogDefect } from './public-defects';
export { readSpotAdvice } from './spot-advisor';
export type { SpotAdvice } from './spot-advisor';
