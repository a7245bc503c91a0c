import { AccountCatalog } from './account/account-catalog';
import { chooseCatalog } from './account/choose-catalog';
import { CatalogProblem } from './account/problem';
import { accountCatalogOf, isOfAccount, RegionCatalog } from './account/region-catalog';
import { FamilyDiscount, requireShares } from './discounts';
import { publishedFigures } from './public';
import { RegionFile, regionFile } from './region-file';
import { isAvailabilityZoneName } from './regions';

/** A bit set of a label column holds this many zones. */
export const MAX_ZONES = 32;

/** The share of memory that Karpenter takes off for the hypervisor before it has seen a node of the type. */
export const DEFAULT_MEMORY_OVERHEAD = 0.075;

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
   * @default - those in data/regions
   */
  readonly figures?: RegionFile;
  /**
   * Catalogues of an account or of published prices, one for each region. The one of the cluster's region replaces the
   * embedded data.
   * @default - the embedded data
   */
  readonly catalogs?: readonly RegionCatalog[];
  /**
   * The region whose prices are used if there are none for `region`.
   * @default - the cost is unknown, and the prices of us-east-1 give only the order of the types
   */
  readonly pricesFrom?: string;
  /**
   * What is not charged of on-demand prices. Prices that Karpenter compares stay as they are.
   * @default - no discounts
   */
  readonly discounts?: readonly FamilyDiscount[];
}

type Unset = 'instanceTypes' | 'spotPriceRatio' | 'figures' | 'pricesFrom';

/** The options with defaults filled in. */
export type ResolvedCatalogOptions = Required<Omit<CatalogOptions, Unset | 'catalogs'>> &
  Pick<CatalogOptions, Unset> & {
    /** The catalogue of the region. */
    readonly account?: AccountCatalog;
  };

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
  const {
    spotPriceRatio,
    vmMemoryOverheadPercent = DEFAULT_MEMORY_OVERHEAD,
    reservedENIs = 0,
    discounts = [],
  } = options;
  requireShares(discounts);
  const chosen = chooseCatalog(options.catalogs ?? [], options.region);
  const account = accountCatalogOf(chosen);
  const region = options.region ?? chosen?.region ?? 'us-east-1';
  const zones = [...new Set(options.zones ?? firstZones(region, account))].sort();
  const zoneIds = { ...account?.zones, ...options.zoneIds };
  requireZonesOf(account, zones, zoneIds);
  requireOption(
    zones.length <= MAX_ZONES,
    'zones',
    `more than ${MAX_ZONES} zones`,
    zones.length,
    'list only the zones of the subnets',
  );
  requireOption(
    spotPriceRatio === undefined || (Number.isFinite(spotPriceRatio) && spotPriceRatio > 0),
    'spotPriceRatio',
    'not a positive number',
    spotPriceRatio,
    'write a share of the on-demand price such as 0.4',
  );
  requireOption(
    Number.isFinite(vmMemoryOverheadPercent) && vmMemoryOverheadPercent >= 0,
    'vmMemoryOverheadPercent',
    'not a number from 0 up',
    vmMemoryOverheadPercent,
    'write a fraction such as 0.075',
  );
  requireOption(
    Number.isSafeInteger(reservedENIs) && reservedENIs >= 0,
    'reservedENIs',
    'not a whole number from 0 up',
    reservedENIs,
    'write a number of network interfaces such as 1',
  );
  const published = chosen === undefined || isOfAccount(chosen) ? undefined : publishedFigures(chosen);
  const { instanceTypes, figures = published, pricesFrom } = options;
  requireOption(
    pricesFrom === undefined || regionFile(pricesFrom) !== undefined,
    'pricesFrom',
    'a region without known prices',
    pricesFrom,
    'write for example ap-southeast-1',
  );
  return {
    region,
    zones,
    zoneIds,
    spotPriceRatio,
    vmMemoryOverheadPercent,
    reservedENIs,
    instanceTypes,
    figures,
    pricesFrom,
    discounts,
    account,
  };
}

/** The zones that a region is assumed to have if none are given: at most three. */
export function firstZones(region: string, account?: AccountCatalog): string[] {
  const zoneNames =
    account?.figures.zoneNames.filter((zone) => isAvailabilityZoneName(zone)) ?? regionFile(region)?.zoneNames;
  return zoneNames?.slice(0, 3) ?? ['a', 'b', 'c'].map((letter) => region + letter);
}

/** A zone that the account lacks, or has under another id, would be given the offerings of another zone. */
function requireZonesOf(
  account: AccountCatalog | undefined,
  zones: readonly string[],
  zoneIds: Readonly<Record<string, string>>,
): void {
  if (account === undefined) return;
  const unknown = zones.find((zone) => !Object.hasOwn(account.zones, zone));
  if (unknown !== undefined) {
    throw new CatalogProblem(
      `the catalogue of ${account.region} of ${account.made} has no zone ${unknown}, only ${Object.keys(account.zones).join(', ')}; ` +
        'name zones of that account, or make the catalogue again',
    );
  }
  const moved = zones.find((zone) => zoneIds[zone] !== account.zones[zone]);
  if (moved !== undefined) {
    throw new CatalogProblem(
      `the catalogue of ${account.region} of ${account.made} is of another account: its ${moved} is ${account.zones[moved]}, not ${zoneIds[moved]}; ` +
        `make one with karpenter-constructs catalog update --region ${account.region}, with credentials of the cluster's account`,
    );
  }
}
