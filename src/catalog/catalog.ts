import { capacityColumns, CapacitySettings } from './capacity';
import { catalogFile, CatalogFile, withInstanceTypes } from './catalog-file';
import { CatalogOptions, resolveCatalogOptions, ResolvedCatalogOptions } from './catalog-options';
import { compatibility } from './compatibility';
import { InstanceTypeTable, LabelColumn } from './instance-type-table';
import { familyLabelColumns, fixedLabelColumns, reservationColumns, zoneColumn, zoneIdColumns } from './label-columns';
import { NodeClassFacts } from './node-class-facts';
import { offeringPlanes, withoutOfferings, reservedPlanes } from './offerings';
import { allocatableColumns } from './overhead';
import { offeringsPerPartition, placementGroupColumns } from './placement-group';
import { ASSUMED_SPOT_SHARE, Prices, PriceSource, pricesOf, withPrices } from './prices';
import { RegionFile, regionFile } from './region-file';
import { ZoneOffers, zoneOffers } from './zone-offers';

/** Its prices give the order of types in a region without prices. */
const FALLBACK_REGION = 'us-east-1';

const NO_PRICES: ReadonlyMap<string, number> = new Map();

/** The instance types of a region, and how Karpenter resolves them for a node class. */
export class Catalog {
  /** @throws Error if an option is out of range */
  static load(options: CatalogOptions = {}): Catalog {
    const resolved = resolveCatalogOptions(options);
    return new Catalog(resolved.instanceTypes ? withInstanceTypes(catalogFile(), resolved.instanceTypes) : catalogFile(), resolved);
  }

  readonly region: string;
  /** In code point order. */
  readonly zones: readonly string[];
  /** The region whose prices are used. */
  readonly priceRegion: string;
  /** Assumptions behind the figures, one sentence each. */
  readonly assumptions: readonly string[];
  readonly names: readonly string[];
  private readonly prices: Prices;
  private readonly regionFile?: RegionFile;
  private readonly zoneOffers: ZoneOffers;
  private readonly settings: CapacitySettings;
  private readonly zoneIds: Readonly<Record<string, string>>;
  private readonly tables = new Map<string, InstanceTypeTable>();
  private fixedLabels?: LabelColumn[];

  private constructor(private readonly file: CatalogFile, options: ResolvedCatalogOptions) {
    this.region = options.region;
    this.zones = options.zones;
    this.names = file.names;
    this.regionFile = options.figures ?? regionFile(options.region);
    this.prices = pricesOf(file, this.regionFile ?? regionFile(FALLBACK_REGION)!, options.spotPriceRatio);
    this.priceRegion = this.prices.region;
    this.settings = options;
    this.zoneIds = options.zoneIds;
    this.zoneOffers = zoneOffers(file, this.regionFile, this.zones, this.zoneIds);
    this.assumptions = assumptionsOf(options, this.regionFile, this.zoneOffers);
  }

  /** The currency of all prices, such as `USD`. */
  get currency(): string {
    return this.prices.currency;
  }

  /** Where the price of an offering comes from. */
  priceSource(instanceType: string, capacityType: string): PriceSource {
    const type = this.names.indexOf(instanceType);
    const kind = type < 0 || this.regionFile === undefined ? 'assumed' : this.prices.kindOf(type, capacityType);
    return { kind, ...kind === 'assumed' ? {} : { date: capacityType === 'spot' ? this.regionFile!.spotOf : this.regionFile!.pricesOf } };
  }

  /** How many zones of the region offer the type, if that leaves open whether a zone known only by its name does. */
  uncertainOffer(instanceType: string, zone: string): ReturnType<ZoneOffers['uncertain']> {
    const type = this.names.indexOf(instanceType);
    return type < 0 ? undefined : this.zoneOffers.uncertain(type, zone);
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
    const key = `${contentKey(nodeClass)} ${JSON.stringify([...prices])}`;
    let table = this.tables.get(key);
    if (table === undefined) {
      const { unavailable = [], ...always } = nodeClass;
      table = unavailable.length === 0 ? this.build(nodeClass, prices) : withoutOfferings(unavailable, this.resolve(always, prices));
      this.tables.set(key, table);
    }
    return table;
  }

  private build(nodeClass: NodeClassFacts, prices: ReadonlyMap<string, number>): InstanceTypeTable {
    const { zones = this.zones, reservations = [], placementGroup } = nodeClass;
    this.fixedLabels ??= fixedLabelColumns(this.file, this.region);
    const launchable = compatibility(this.file, nodeClass);
    const known = withPrices(this.prices, this.file, prices);
    const offers = nodeClass.zones === undefined ? this.zoneOffers : zoneOffers(this.file, this.regionFile, zones, this.zoneIds);
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
        ...placementGroup ? placementGroupColumns(placementGroup, this.names.length) : [],
      ],
      offerings: offeringsPerPartition([
        ...offeringPlanes(known, zones, launchable, offers),
        ...reservedPlanes({ names: this.names, onDemand: known.onDemand, zones, launchable }, reservations),
      ], placementGroup).map((plane) => Object.hasOwn(this.zoneIds, plane.zone) ? { ...plane, zoneId: this.zoneIds[plane.zone] } : plane),
      namesInterfaces: nodeClass.networkInterfaces !== undefined,
    };
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
  { region, spotPriceRatio, vmMemoryOverheadPercent }: ResolvedCatalogOptions, file: RegionFile | undefined, { guessed, unrecorded }: ZoneOffers,
): string[] {
  const overhead = Number((vmMemoryOverheadPercent * 100).toPrecision(12));
  return [
    file === undefined
      ? `no prices are known for ${region}: the on-demand prices of ${FALLBACK_REGION} are used`
      : `on-demand prices of ${region} are ${file.priceKinds.includes('p') ? 'published prices' : 'recorded prices'} of ${file.pricesOf}${file.currency === 'USD' ? '' : `, in ${file.currency}`}`,
    spotAssumption(file, spotPriceRatio),
    ...guessed.length === 0 ? [] : [`zones ${guessed.join(', ')} are assumed to offer every instance type of ${region}; `
      + `with zone IDs (--zones ${guessed[0]}=${file?.zoneIds?.[0]},…) the exact types are known`],
    ...unrecorded.length === 0 ? [] : [`every instance type is assumed to be offered in every zone (${unrecorded.join(', ')})`],
    `node memory is assumed to be ${overhead}% below what EC2 reports, as Karpenter assumes before it has seen such a node`,
  ];
}

function spotAssumption(file: RegionFile | undefined, spotPriceRatio: number | undefined): string {
  if (spotPriceRatio !== undefined) return `spot prices are assumed to be ${spotPriceRatio} × on-demand in every zone`;
  if (file?.spotOf === undefined) return `no spot prices are known for this region: ${ASSUMED_SPOT_SHARE} × on-demand is assumed`;
  return `spot prices are averages of the 30 days before ${file.spotOf}, the same in every zone; those of newer instance types are derived from their family`;
}
