import { capacityColumns, CapacitySettings } from './capacity';
import { catalogFile, CatalogFile } from './catalog-file';
import { compatibility } from './compatibility';
import { InstanceTypeTable, LabelColumn } from './instance-type-table';
import { familyLabelColumns, fixedLabelColumns } from './label-columns';
import { NodeClassFacts } from './node-class-facts';
import { allocatableColumns } from './overhead';
import { offeringPlanes, Prices, pricesOf } from './pricing';

/** As many as a label column's bit sets hold. */
const MAX_ZONES = 32;

export interface CatalogOptions {
  /** @default 'us-east-1' */
  readonly region?: string;
  /** @default `<region>a`, `<region>b` and `<region>c` */
  readonly zones?: readonly string[];
  /** The price of spot as a share of on-demand. @default 0.4 */
  readonly spotPriceRatio?: number;
  /** The share of a machine's memory that its hypervisor is taken to keep: a fraction, as in Karpenter's setting. @default 0.075 */
  readonly vmMemoryOverheadPercent?: number;
  /** Network interfaces kept from pods, for custom networking. @default 0 */
  readonly reservedENIs?: number;
}

/** The instance types of a region, and what Karpenter makes of them for a node class. */
export class Catalog {
  /** @throws Error where there are more zones than 32 */
  static load(options: CatalogOptions = {}): Catalog {
    return new Catalog(catalogFile(), options);
  }

  readonly region: string;
  /** In code point order. */
  readonly zones: readonly string[];
  /** The region whose prices are used. */
  readonly priceRegion: string;
  /** Sentences on what the figures take for granted. */
  readonly assumptions: readonly string[];
  readonly names: readonly string[];
  private readonly prices: Prices;
  private readonly settings: CapacitySettings;
  private readonly tables = new Map<string, InstanceTypeTable>();
  private fixedLabels?: LabelColumn[];

  private constructor(private readonly file: CatalogFile, options: CatalogOptions) {
    const { region = 'us-east-1', spotPriceRatio = 0.4, vmMemoryOverheadPercent = 0.075, reservedENIs = 0 } = options;
    this.region = region;
    this.zones = [...new Set(options.zones ?? ['a', 'b', 'c'].map((letter) => region + letter))].sort();
    if (this.zones.length > MAX_ZONES) {
      throw new Error(`zones: more than ${MAX_ZONES} zones, got ${this.zones.length}; write those that the subnets are in`);
    }
    this.names = file.names;
    this.prices = pricesOf(file, region, spotPriceRatio);
    this.priceRegion = this.prices.region;
    this.settings = { vmMemoryOverheadPercent, reservedENIs };
    this.assumptions = assumptionsOf(region, this.zones, this.priceRegion, spotPriceRatio, vmMemoryOverheadPercent);
  }

  /** USD per hour on demand by type, NaN without a price; whether a node class can use the type does not matter here. */
  get onDemandUsdPerHour(): Float64Array {
    return this.prices.onDemand;
  }

  /** Every type as Karpenter resolves it for the node class. Computed once for equal node classes, whatever their names. */
  resolve(nodeClass: NodeClassFacts): InstanceTypeTable {
    const key = contentKey(nodeClass);
    let table = this.tables.get(key);
    if (table === undefined) {
      table = this.build(nodeClass);
      this.tables.set(key, table);
    }
    return table;
  }

  private build(nodeClass: NodeClassFacts): InstanceTypeTable {
    this.fixedLabels ??= fixedLabelColumns(this.file, this.region, this.zones);
    const capacity = capacityColumns(this.file.facts, nodeClass, this.settings);
    return {
      names: this.names,
      resources: [...capacity.keys()],
      capacity: [...capacity.values()],
      allocatable: [...allocatableColumns(this.file.facts, nodeClass, capacity).values()],
      labels: [...this.fixedLabels, ...familyLabelColumns(this.file, nodeClass)],
      offerings: offeringPlanes(this.prices, this.zones, compatibility(this.file, nodeClass)),
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

function assumptionsOf(region: string, zones: readonly string[], priceRegion: string, spotPriceRatio: number, overhead: number): string[] {
  return [
    priceRegion === region
      ? `on-demand prices are the published ones of ${region}`
      : `there are no published prices for ${region} here: on-demand prices are those of ${priceRegion}`,
    `spot prices are taken as ${spotPriceRatio} times on-demand in every zone`,
    `every instance type is taken to be offered in every zone (${zones.join(', ')}), on-demand and spot, `
      + 'except the hpc* and u-* families: on-demand only',
    `a node's memory is taken as what EC2 reports less ${Number((overhead * 100).toPrecision(12))}%, as Karpenter does before it has seen such a node`,
  ];
}
