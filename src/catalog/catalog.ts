import { capacityColumns, CapacitySettings } from './capacity';
import { catalogFile, CatalogFile, withInstanceTypes } from './catalog-file';
import { CatalogOptions, resolveCatalogOptions, ResolvedCatalogOptions } from './catalog-options';
import { compatibility } from './compatibility';
import { InstanceTypeTable, LabelColumn } from './instance-type-table';
import { familyLabelColumns, fixedLabelColumns, reservationColumns, zoneColumn, zoneIdColumns } from './label-columns';
import { NodeClassFacts } from './node-class-facts';
import { offeringPlanes, Prices, pricesOf, withPrices, withoutOfferings, reservedPlanes } from './offerings';
import { allocatableColumns } from './overhead';
import { offeringsPerPartition, placementGroupColumns } from './placement-group';

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
  private readonly settings: CapacitySettings;
  private readonly zoneIds: Readonly<Record<string, string>>;
  private readonly tables = new Map<string, InstanceTypeTable>();
  private fixedLabels?: LabelColumn[];

  private constructor(private readonly file: CatalogFile, options: ResolvedCatalogOptions) {
    this.region = options.region;
    this.zones = options.zones;
    this.names = file.names;
    this.prices = pricesOf(file, options.region, options.spotPriceRatio);
    this.priceRegion = this.prices.region;
    this.settings = options;
    this.zoneIds = options.zoneIds;
    this.assumptions = assumptionsOf(options, this.priceRegion);
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
    const capacity = capacityColumns(this.file, nodeClass, this.settings);
    return {
      names: this.names,
      resources: [...capacity.keys()],
      capacity: [...capacity.values()],
      allocatable: [...allocatableColumns(this.file, nodeClass, capacity).values()],
      labels: [
        ...this.fixedLabels,
        zoneColumn(zones, this.names.length),
        ...zoneIdColumns(zones, this.zoneIds, this.names.length),
        ...familyLabelColumns(this.file, nodeClass),
        ...reservationColumns(this.file, reservations),
        ...placementGroup ? placementGroupColumns(placementGroup, this.names.length) : [],
      ],
      offerings: offeringsPerPartition([
        ...offeringPlanes(known, zones, launchable),
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

function assumptionsOf(options: ResolvedCatalogOptions, priceRegion: string): string[] {
  const { region, zones, spotPriceRatio, vmMemoryOverheadPercent } = options;
  const overhead = Number((vmMemoryOverheadPercent * 100).toPrecision(12));
  return [
    priceRegion === region
      ? `on-demand prices are the published prices of ${region}`
      : `no prices are known for ${region}: the on-demand prices of ${priceRegion} are used`,
    `spot prices are assumed to be ${spotPriceRatio} × on-demand in every zone`,
    `every instance type is assumed to be offered in every zone (${zones.join(', ')}), on demand and, if EC2 sells it so, as spot`,
    `node memory is assumed to be ${overhead}% below what EC2 reports, as Karpenter assumes before it has seen such a node`,
  ];
}
