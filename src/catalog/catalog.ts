import { AccountFigures, originText } from './account/account-catalog';
import { withZoneSpotPrices } from './account/zone-spot-prices';
import { Bill, BilledOffer, billOf } from './bill';
import { capacityColumns, CapacitySettings } from './capacity';
import { catalogFile, CatalogFile, withInstanceTypes } from './catalog-file';
import { CatalogOptions, resolveCatalogOptions, ResolvedCatalogOptions } from './catalog-options';
import { compatibility } from './compatibility';
import { discountAssumptions, discounted, FamilyDiscount } from './discounts';
import { InstanceTypeTable, LabelColumn, OfferingPlane } from './instance-type-table';
import { knownLabelValues } from './known-label-values';
import { familyLabelColumns, fixedLabelColumns, reservationColumns, zoneColumn, zoneIdColumns } from './label-columns';
import { spotFigures, SpotFigures } from './market-figures';
import { NodeClassFacts } from './node-class-facts';
import { offeringPlanes, withoutOfferings, reservedPlanes } from './offerings';
import { allocatableColumns } from './overhead';
import { offeringsPerPartition, placementGroupColumns } from './placement-group';
import { ASSUMED_SPOT_SHARE, Prices, PriceSource, pricesOf, withPrices } from './prices';
import { offeredZones, RegionFile, regionFile } from './region-file';
import { ZoneOffers, zoneOffers } from './zone-offers';
import { RecentlyUsed } from '../model';

/** Its prices give the order of types in a region without prices. */
const FALLBACK_REGION = 'us-east-1';

const NO_PRICES: ReadonlyMap<string, number> = new Map();

/** A table takes half a megabyte. */
const MAX_TABLES = 100;

/**
 * Catalogues of the embedded data by their options. They never change, and what is computed from their tables is kept
 * with these: the roots of a repository, and the checks that try remedies, then compute it once.
 */
const embedded = new RecentlyUsed<Catalog>(8);

export interface NetworkLimits {
  readonly interfaces: number;
  readonly ipv4PerInterface: number;
  readonly isNitro: boolean;
}

/** The instance types of a region, and how Karpenter resolves them for a node class. */
export class Catalog {
  /** @throws Error if an option is out of range */
  static load(options: CatalogOptions = {}): Catalog {
    const resolved = resolveCatalogOptions(options);
    // Figures of an account are objects of the caller, which may be large: a key would take longer than the catalogue.
    if (resolved.account !== undefined || resolved.figures !== undefined) return Catalog.create(resolved);
    return embedded.get(JSON.stringify(resolved), () => Catalog.create(resolved));
  }

  private static create(options: ResolvedCatalogOptions): Catalog {
    const file = options.account?.types ?? catalogFile();
    return new Catalog(options.instanceTypes ? withInstanceTypes(file, options.instanceTypes) : file, options);
  }

  readonly region: string;
  /** In code point order. */
  readonly zones: readonly string[];
  /** The region whose prices are used. */
  readonly priceRegion: string;
  /** Why no price is known, as a clause. Prices then give only the order of the types. Undefined if they are known. */
  readonly unknownPrices?: string;
  /** Assumptions behind the figures, one sentence each. */
  readonly assumptions: readonly string[];
  /** The sentence on the account's catalogue. Undefined if the embedded data are used. */
  readonly origin?: string;
  readonly names: readonly string[];
  private readonly prices: Prices;
  /** Whether an account has read the prices. Its price list is complete, so a missing price is no gap of a record. */
  private readonly isOfAccount: boolean;
  private readonly regionFile?: RegionFile;
  /** Replaces the average spot prices by those of each zone. */
  private readonly zoneSpotPrices?: AccountFigures;
  private readonly zoneOffers: ZoneOffers;
  /** What is not charged of on-demand prices. */
  readonly discounts: readonly FamilyDiscount[];
  private readonly settings: CapacitySettings;
  private readonly zoneIds: Readonly<Record<string, string>>;
  private readonly tables = new RecentlyUsed<InstanceTypeTable>(MAX_TABLES);
  private fixedLabels?: LabelColumn[];
  private indices?: ReadonlyMap<string, number>;

  private constructor(
    private readonly file: CatalogFile,
    options: ResolvedCatalogOptions,
  ) {
    this.region = options.region;
    this.zones = options.zones;
    this.names = file.names;
    this.regionFile = options.figures ?? options.account?.figures ?? regionFile(options.region);
    const isUnknown = this.regionFile === undefined && options.pricesFrom === undefined;
    this.unknownPrices = isUnknown ? `no prices are known for ${options.region}` : undefined;
    this.prices = pricesOf(
      file,
      this.regionFile ?? regionFile(options.pricesFrom ?? FALLBACK_REGION)!,
      options.spotPriceRatio,
    );
    this.zoneSpotPrices =
      options.spotPriceRatio === undefined && options.figures === undefined ? options.account?.figures : undefined;
    this.origin = options.account && originText(options.account);
    this.isOfAccount = options.account !== undefined;
    this.priceRegion = this.prices.region;
    this.discounts = options.discounts;
    this.settings = options;
    this.zoneIds = options.zoneIds;
    this.zoneOffers = zoneOffers(file, this.regionFile, this.zones, this.zoneIds);
    this.assumptions = assumptionsOf(options, this.regionFile, this.zoneOffers);
  }

  /** The currency of all prices, such as `USD`. */
  get currency(): string {
    return this.prices.currency;
  }

  /** Where the price that Karpenter sees for an offering comes from. */
  priceSource(instanceType: string, capacityType: string): PriceSource {
    const type = this.indexOf(instanceType);
    return type < 0 || this.regionFile === undefined ? { kind: 'assumed' } : this.prices.sourceOf(type, capacityType);
  }

  /** What EC2 charges for an offering. It is not what Karpenter compares for bare metal and for Windows. */
  bill(offer: BilledOffer): Bill {
    if (this.unknownPrices !== undefined) return { pricePerHour: null, why: this.unknownPrices };
    const type = this.indexOf(offer.instanceType);
    const isListed =
      offer.capacityType === 'on-demand' && !offer.isOverlaid && this.regionFile !== undefined && type >= 0;
    const listPrice =
      isListed && !Number.isNaN(this.prices.listPrices[type]) ? this.prices.listPrices[type] : offer.usdPerHour;
    const isDiscounted = offer.capacityType === 'on-demand' && !offer.isOverlaid;
    return billOf(offer, {
      pricePerHour: isDiscounted ? discounted(listPrice, offer.instanceType, this.discounts) : listPrice,
      source: isListed ? this.prices.listSourceOf(type) : this.priceSource(offer.instanceType, offer.capacityType),
      vcpus: this.file.facts.vcpus[type],
      currency: this.currency,
    });
  }

  /** How many EBS volumes the type attaches, its root volume included. Undefined if the limit is unknown. */
  ebsAttachments(instanceType: string): { readonly volumes: number; readonly isShared: boolean } | undefined {
    const type = this.indexOf(instanceType);
    const volumes = this.file.facts.ebsAttachments[type];
    return volumes > 0 ? { volumes, isShared: this.file.facts.ebsAttachmentsShared[type] === 1 } : undefined;
  }

  /** The values that some instance type has for a label. Undefined for a label that may have any value. */
  knownValues(key: string): ReadonlySet<string> | undefined {
    return knownLabelValues(key, this.file);
  }

  /** The numbers that the instance types have for a label, such as their memory in MiB. */
  numbersOf(key: string): number[] {
    return this.file.labels.filter((label) => label.key === key).flatMap(({ values }) => values.map(Number));
  }

  /** The memory that EC2 states for a type, before anything is taken off. */
  memoryMiBOf(instanceType: string): number | undefined {
    return this.file.facts.memoryMiB[this.indexOf(instanceType)];
  }

  /** How many addresses the default network card of a type has for pods. Undefined if its limits are unknown. */
  networkLimits(instanceType: string): NetworkLimits | undefined {
    const type = this.indexOf(instanceType);
    const { vpcLimits, networkInterfaces, ipv4PerInterface, nitro } = this.file.facts;
    return type < 0 || vpcLimits[type] !== 1
      ? undefined
      : { interfaces: networkInterfaces[type], ipv4PerInterface: ipv4PerInterface[type], isNitro: nitro[type] === 1 };
  }

  /** Whether EC2 sells the type as spot in some region. */
  isSoldAsSpot(instanceType: string): boolean {
    return this.file.facts.spot[this.indexOf(instanceType)] === 1;
  }

  /** Whether the region offers the type, EC2 sells it as capacity blocks, and it has no on-demand price. */
  isOnlyCapacityBlock(instanceType: string): boolean {
    const type = this.indexOf(instanceType);
    return (
      type >= 0 &&
      this.file.facts.capacityBlock[type] === 1 &&
      Number.isNaN(this.prices.onDemand[type]) &&
      this.isOfferedInRegion(type)
    );
  }

  private isOfferedInRegion(type: number): boolean {
    return this.regionFile !== undefined && (offeredZones(this.regionFile, this.file.rows?.[type] ?? type) ?? 0) > 0;
  }

  /** Whether the region sells the type on demand, and only our record lacks its price. */
  isPriceUnrecorded(instanceType: string): boolean {
    const type = this.indexOf(instanceType);
    if (type < 0 || this.isOfAccount || this.file.facts.capacityBlock[type] === 1) return false;
    return Number.isNaN(this.prices.onDemand[type]) && this.isOfferedInRegion(type);
  }

  /** How many zones of the region offer the type, if that leaves open whether a zone known only by its name does. */
  uncertainOffer(instanceType: string, zone: string): ReturnType<ZoneOffers['uncertain']> {
    const type = this.indexOf(instanceType);
    return type < 0 ? undefined : this.zoneOffers.uncertain(type, zone);
  }

  /** The record of the type's spot instances in the region. */
  spotFigures(instanceType: string): SpotFigures | undefined {
    const type = this.indexOf(instanceType);
    return type < 0 || this.regionFile === undefined
      ? undefined
      : spotFigures(this.regionFile, this.file.rows?.[type] ?? type);
  }

  /** On-demand USD per hour by type, NaN without a price. Independent of any node class. */
  get onDemandUsdPerHour(): Float64Array {
    return this.prices.onDemand;
  }

  /**
   * Every type as Karpenter resolves it for the node class. Node classes that differ only in their names share one
   * table.
   *
   * @param prices USD per hour by type, for types without a price
   */
  resolve(nodeClass: NodeClassFacts, prices: ReadonlyMap<string, number> = NO_PRICES): InstanceTypeTable {
    return this.tables.get(`${contentKey(nodeClass)} ${JSON.stringify([...prices])}`, () => {
      const { unavailable = [], ...always } = nodeClass;
      return unavailable.length === 0
        ? this.build(nodeClass, prices)
        : withoutOfferings(unavailable, this.resolve(always, prices));
    });
  }

  /** The index of a type; -1 if it is unknown. */
  private indexOf(instanceType: string): number {
    this.indices ??= new Map(this.names.map((name, index) => [name, index]));
    return this.indices.get(instanceType) ?? -1;
  }

  private build(nodeClass: NodeClassFacts, prices: ReadonlyMap<string, number>): InstanceTypeTable {
    const { zones = this.zones, reservations = [], placementGroup } = nodeClass;
    this.fixedLabels ??= fixedLabelColumns(this.file, this.region);
    const launchable = compatibility(this.file, nodeClass);
    const known = withPrices(this.prices, this.file, prices);
    const offers =
      nodeClass.zones === undefined ? this.zoneOffers : zoneOffers(this.file, this.regionFile, zones, this.zoneIds);
    const capacity = capacityColumns(this.file, nodeClass, this.settings);
    return {
      names: this.names,
      resources: [...capacity.keys()],
      capacity: [...capacity.values()],
      allocatable: [...allocatableColumns(this.file, nodeClass, capacity).values()],
      labels: [
        ...this.fixedLabels,
        zoneColumn(zones, this.names.length, offers),
        ...zoneIdColumns(zones, this.zoneIds, this.names.length, offers),
        ...familyLabelColumns(this.file, nodeClass),
        ...reservationColumns(this.file, reservations),
        ...(placementGroup ? placementGroupColumns(placementGroup, this.names.length) : []),
      ],
      offerings: offeringsPerPartition(
        [
          ...this.byZone(offeringPlanes(known, zones, launchable, offers)),
          ...reservedPlanes({ names: this.names, onDemand: known.onDemand, zones, launchable }, reservations),
        ],
        placementGroup,
      ).map((plane) =>
        Object.hasOwn(this.zoneIds, plane.zone) ? { ...plane, zoneId: this.zoneIds[plane.zone] } : plane,
      ),
      namesInterfaces: nodeClass.networkInterfaces !== undefined,
    };
  }

  private byZone(planes: readonly OfferingPlane[]): readonly OfferingPlane[] {
    return this.zoneSpotPrices === undefined
      ? planes
      : withZoneSpotPrices(planes, this.zoneSpotPrices, this.zoneIds, this.file.rows);
  }
}

function contentKey({ name, ...content }: NodeClassFacts): string {
  return JSON.stringify(content, (_, value: unknown) => {
    if (typeof value === 'bigint') {
      return `${value}`;
    }
    return value instanceof Map ? [...value] : value;
  });
}

function assumptionsOf(
  options: ResolvedCatalogOptions,
  file: RegionFile | undefined,
  { guessed, unrecorded }: ZoneOffers,
): string[] {
  const { region, spotPriceRatio, vmMemoryOverheadPercent, account } = options;
  const overhead = Number((vmMemoryOverheadPercent * 100).toPrecision(12));
  return [
    ...(account === undefined ? [] : [originText(account)]),
    ...(file === undefined
      ? borrowedPrices(options)
      : [
          `on-demand prices of ${region} are ${file.priceKinds.includes('p') ? 'published prices' : 'recorded prices'} of ${file.pricesOf}${file.currency === 'USD' ? '' : `, in ${file.currency}`}`,
          spotAssumption(file, spotPriceRatio, account !== undefined),
        ]),
    ...discountAssumptions(options.discounts),
    ...(guessed.length === 0
      ? []
      : [
          `zones ${guessed.join(', ')} are assumed to offer every instance type of ${region}; ` +
            `with zone IDs (--zones ${guessed[0]}=${file?.zoneIds?.[0]},…) the exact types are known`,
        ]),
    ...(unrecorded.length === 0
      ? []
      : [`every instance type is assumed to be offered in every zone (${unrecorded.join(', ')})`]),
    `node memory is assumed to be ${overhead}% below what EC2 reports, as Karpenter assumes before it has seen such a node`,
  ];
}

/** For a region without prices of its own. */
function borrowedPrices({ region, pricesFrom, spotPriceRatio }: ResolvedCatalogOptions): string[] {
  if (pricesFrom === undefined) {
    return [
      `no prices are known for ${region}, so the cost is not evaluated; the order of prices is that of ${FALLBACK_REGION} (--prices-from uses the prices of another region)`,
    ];
  }
  const { pricesOf: date, currency, spotOf } = regionFile(pricesFrom)!;
  const spot = spotPriceRatio ?? (spotOf === undefined ? ASSUMED_SPOT_SHARE : undefined);
  return [
    `no prices are known for ${region}: those of ${pricesFrom} of ${date} are assumed${currency === 'USD' ? '' : `, in ${currency}`}`,
    `spot prices are assumed to be ${spot === undefined ? `the averages of ${pricesFrom} of the 30 days before ${spotOf}, the same` : `${spot} × on-demand`} in every zone`,
  ];
}

function spotAssumption(file: RegionFile, spotPriceRatio: number | undefined, isByZone: boolean): string {
  if (spotPriceRatio !== undefined) return `spot prices are assumed to be ${spotPriceRatio} × on-demand in every zone`;
  if (file.spotOf === undefined)
    return `no spot prices are known for this region: ${ASSUMED_SPOT_SHARE} × on-demand is assumed`;
  if (isByZone) return `spot prices are those of ${file.spotOf}, of each zone`;
  return `spot prices are averages of the 30 days before ${file.spotOf}, the same in every zone; those of newer instance types are derived from their family`;
}
