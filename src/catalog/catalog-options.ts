import { RegionFile, regionFile } from './region-file';

/** A bit set of a label column holds this many zones. */
export const MAX_ZONES = 32;

export interface CatalogOptions {
  /** @default 'us-east-1' */
  readonly region?: string;
  /**
   * The zones of the node classes' subnets.
   * @default `<region>a`, `<region>b` and `<region>c`
   */
  readonly zones?: readonly string[];
  /**
   * Zone ids by zone name. The mapping differs between accounts.
   * @default - zone ids are unknown
   */
  readonly zoneIds?: Readonly<Record<string, string>>;
  /**
   * The price of spot as a share of on-demand, the same for all types.
   * @default - the region's recorded spot prices; 0.4 for a region without
   */
  readonly spotPriceRatio?: number;
  /**
   * The fraction of an instance's memory that its hypervisor keeps, as in Karpenter's setting of this name.
   * @default 0.075
   */
  readonly vmMemoryOverheadPercent?: number;
  /**
   * Network interfaces that pods cannot use, for custom networking.
   * @default 0
   */
  readonly reservedENIs?: number;
  /**
   * Names of the only instance types that EC2 offers.
   * @default - all types of the catalogue
   */
  readonly instanceTypes?: readonly string[];
  /**
   * Prices and zones of the region.
   * @default - those in data/regions; those of us-east-1 for a region without
   */
  readonly figures?: RegionFile;
}

type Unset = 'instanceTypes' | 'spotPriceRatio' | 'figures';

/** The options with defaults filled in. */
export type ResolvedCatalogOptions = Required<Omit<CatalogOptions, Unset>> & Pick<CatalogOptions, Unset>;

function requireOption(holds: boolean, option: string, problem: string, got: unknown, remedy: string): void {
  if (!holds) {
    throw new Error(`${option}: ${problem}, got ${String(got)}; ${remedy}`);
  }
}

/**
 * Fills in the defaults. Zones are sorted in code point order, without duplicates.
 *
 * @throws Error if an option is out of range
 */
export function resolveCatalogOptions(options: CatalogOptions): ResolvedCatalogOptions {
  const { region = 'us-east-1', spotPriceRatio, vmMemoryOverheadPercent = 0.075, reservedENIs = 0, zoneIds = {} } = options;
  const zones = [...new Set(options.zones ?? firstZones(region))].sort();
  requireOption(zones.length <= MAX_ZONES, 'zones', `more than ${MAX_ZONES} zones`, zones.length, 'list only the zones of the subnets');
  requireOption(spotPriceRatio === undefined || (Number.isFinite(spotPriceRatio) && spotPriceRatio > 0), 'spotPriceRatio',
    'not a positive number', spotPriceRatio, 'write a share of the on-demand price such as 0.4');
  requireOption(Number.isFinite(vmMemoryOverheadPercent) && vmMemoryOverheadPercent >= 0, 'vmMemoryOverheadPercent',
    'not a number from 0 up', vmMemoryOverheadPercent, 'write a fraction such as 0.075');
  requireOption(Number.isSafeInteger(reservedENIs) && reservedENIs >= 0, 'reservedENIs',
    'not a whole number from 0 up', reservedENIs, 'write a number of network interfaces such as 1');
  const { instanceTypes, figures } = options;
  return { region, zones, zoneIds, spotPriceRatio, vmMemoryOverheadPercent, reservedENIs, instanceTypes, figures };
}

/** The zones that a region is assumed to have if none are given: at most three. */
export function firstZones(region: string): string[] {
  return regionFile(region)?.zoneNames?.slice(0, 3) ?? ['a', 'b', 'c'].map((letter) => region + letter);
}
