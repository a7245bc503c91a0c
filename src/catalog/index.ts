export { unknownFamily } from './discounts';
export type { FamilyDiscount } from './discounts';
export {
  accountCatalogOf,
  accountCatalogText,
  CatalogProblem,
  chooseCatalog,
  compareWithEmbedded,
  currencyOf,
  describedFacts,
  isOriginText,
  makeAccountCatalog,
  parseRegionCatalog,
  priceListRegion,
  productPrice,
  readRegionCatalog,
} from './account';
export type {
  AccountAnswers,
  AccountCatalog,
  CatalogChanges,
  DescribedOffering,
  DescribedSpotPrice,
  DescribedType,
  DescribedZone,
  MadeCatalog,
  PriceChange,
  ProductPrice,
  RegionCatalog,
} from './account';
export type { Bill, BilledOffer } from './bill';
export { carrierOf } from './columns';
export {
  PublishedFileProblem,
  makePublicCatalog,
  PriceListReader,
  publicCatalogText,
  publicChanges,
  publishedFigures,
  readSpotAdvice,
} from './public';
export type { PublicCatalog, PublicChanges, PublishedPrices } from './public';
export { amiFamilyTraits } from './ami-family';
export type { AmiFamilyTraits } from './ami-family';
export { Catalog } from './catalog';
export type { NetworkLimits } from './catalog';
export { DEFAULT_MEMORY_OVERHEAD, firstZones, MAX_ZONES } from './catalog-options';
export type { CatalogOptions } from './catalog-options';
export { describeInstanceType, labelsOfType } from './describe-instance-type';
export type { InstanceTypeDescription, OfferingDescription } from './describe-instance-type';
export type { InstanceTypeTable, LabelColumn, OfferingPlane, Reservation } from './instance-type-table';
export type { SpotFigures } from './market-figures';
export { INTERRUPTION_BANDS } from './region-file';
export { DEFAULT_NODE_CLASS } from './node-class-facts';
export type {
  AmiFamily,
  BlockDeviceFacts,
  KubeletFacts,
  NetworkInterfaceFacts,
  NodeClassFacts,
  OfferingKey,
  PlacementGroupFacts,
  ReservationFacts,
} from './node-class-facts';
export { isLikelyMisspelt, isPossibleLabelValue } from './known-label-values';
export type { PriceKind, PriceSource } from './prices';
export type { InstanceTypeFacts } from './instance-type-facts';
export type { RegionFile } from './region-file';
export {
  hasPrices,
  isRegion,
  meantRegion,
  nearestRegion,
  regionOfZone,
  regionOfZoneId,
  REGIONS,
  unknownZone,
  zonesOf,
} from './regions';
export type { UnknownZone } from './regions';
export { supportsClusterPlacementGroups } from './placement-group';
