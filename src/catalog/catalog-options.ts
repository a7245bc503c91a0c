/** As many as a label column's bit sets hold. */
export const MAX_ZONES = 32;

export interface CatalogOptions {
  /** @default 'us-east-1' */
  readonly region?: string;
  /**
   * Those that the node classes' subnets are in.
   * @default `<region>a`, `<region>b` and `<region>c`
   */
  readonly zones?: readonly string[];
  /**
   * The ids of zones, by their names: which zone has which id differs by account.
   * @default - none is known
   */
  readonly zoneIds?: Readonly<Record<string, string>>;
  /**
   * The price of spot as a share of on-demand.
   * @default 0.4
   */
  readonly spotPriceRatio?: number;
  /**
   * The share of a machine's memory that its hypervisor is taken to keep: a fraction, as in Karpenter's setting of that name.
   * @default 0.075
   */
  readonly vmMemoryOverheadPercent?: number;
  /**
   * Network interfaces kept from pods, for custom networking.
   * @default 0
   */
  readonly reservedENIs?: number;
  /**
   * Names of the types that EC2 offers; others it has never heard of.
   * @default - all that are known
   */
  readonly instanceTypes?: readonly string[];
}

/** With everything that has a default. */
export type ResolvedCatalogOptions = Required<Omit<CatalogOptions, 'instanceTypes'>> & Pick<CatalogOptions, 'instanceTypes'>;

function demand(holds: boolean, option: string, problem: string, got: unknown, remedy: string): void {
  if (!holds) {
    throw new Error(`${option}: ${problem}, got ${String(got)}; ${remedy}`);
  }
}

/**
 * Fills in the defaults; zones come out in code point order, each once.
 *
 * @throws Error where an option is out of its range
 */
export function resolveCatalogOptions(options: CatalogOptions): ResolvedCatalogOptions {
  const { region = 'us-east-1', spotPriceRatio = 0.4, vmMemoryOverheadPercent = 0.075, reservedENIs = 0, zoneIds = {} } = options;
  const zones = [...new Set(options.zones ?? firstZones(region))].sort();
  demand(zones.length <= MAX_ZONES, 'zones', `more than ${MAX_ZONES} zones`, zones.length, 'name those that the subnets are in');
  demand(Number.isFinite(spotPriceRatio) && spotPriceRatio > 0, 'spotPriceRatio',
    'not a positive number', spotPriceRatio, 'write a share of the on-demand price such as 0.4');
  demand(Number.isFinite(vmMemoryOverheadPercent) && vmMemoryOverheadPercent >= 0, 'vmMemoryOverheadPercent',
    'not a number from 0 up', vmMemoryOverheadPercent, 'write a fraction such as 0.075');
  demand(Number.isSafeInteger(reservedENIs) && reservedENIs >= 0, 'reservedENIs',
    'not a whole number from 0 up', reservedENIs, 'write a number of network interfaces such as 1');
  return { region, zones, zoneIds, spotPriceRatio, vmMemoryOverheadPercent, reservedENIs, instanceTypes: options.instanceTypes };
}

/** Those that a region has, as long as nobody says which. */
export function firstZones(region: string): string[] {
  return ['a', 'b', 'c'].map((letter) => region + letter);
}
