import { hasDataFile, readDataFile } from '../model';

/**
 * Where an on-demand price comes from: `p` published in Karpenter's own table, `r` recorded, `s` recorded and scaled by
 * a later price change, `d` derived from us-east-1, `.` unknown.
 */
export type PriceCode = 'p' | 'r' | 's' | 'd' | '.';

/**
 * data/regions/<region>.json, made by data/generate-regions.ts. All lists are in the order of the catalogue's types.
 */
export interface RegionFile {
  readonly region: string;
  readonly currency: string;
  /** Date of the on-demand prices. */
  readonly pricesOf: string;
  /**
   * On-demand price of Linux per vCPU and hour, as Karpenter sees it; null if unknown. Times vCPUs, rounded to six
   * decimals, it is the price.
   */
  readonly pricePerVcpu: ReadonlyArray<number | null>;
  /** One `PriceCode` a type. */
  readonly priceKinds: string;
  /**
   * On-demand prices that EC2 charges for bare metal, if `pricePerVcpu` is not that: Karpenter takes the price of
   * dedicated tenancy for it.
   */
  readonly listPrices?: Readonly<Record<string, number>>;
  /** One `PriceCode` for each list price, in their order. */
  readonly listPriceKinds?: string;
  /** Date of the recorded list prices. @default - that of the other prices */
  readonly listPricesOf?: string;
  /** Date of the spot figures. */
  readonly spotOf?: string;
  /** Average spot price of 30 days, in percent of on-demand. */
  readonly spotPercent?: ReadonlyArray<number | null>;
  /** One character a type: an index into `INTERRUPTION_BANDS`, or `.`. */
  readonly interruptionBand?: string;
  /** Spot price in the cheapest zone on the day, in percent of on-demand. */
  readonly spotPercentLow?: ReadonlyArray<number | null>;
  /** The same in the dearest zone. */
  readonly spotPercentHigh?: ReadonlyArray<number | null>;
  readonly zoneIds?: readonly string[];
  /** Names of the zones in the account that recorded them. Other accounts may lack one or have another. */
  readonly zoneNames?: readonly string[];
  /**
   * The zones that offer each type. Either one character a type, see `MASK_ALPHABET`, or one bit mask a type.
   */
  readonly offered?: string | readonly number[];
}

export const INTERRUPTION_BANDS = ['<5%', '5-10%', '10-15%', '15-20%', '>20%'] as const;

/** The place of a character is a bit mask over `zoneIds`. */
export const MASK_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

const files = new Map<string, RegionFile | undefined>();

/** Reads the file of a region once a process. Returns undefined if there are no figures for the region. */
export function regionFile(region: string): RegionFile | undefined {
  if (!files.has(region)) {
    const name = `regions/${region}.json`;
    const isRegion = /^[a-z]+(-[a-z]+)+-\d+$/.test(region);
    files.set(region, isRegion && hasDataFile(name) ? readDataFile<RegionFile>(name) : undefined);
  }
  return files.get(region);
}

/**
 * The bit mask, over `zoneIds`, of the zones that offer a type; undefined if the zones of the region are not recorded.
 */
export function offeredZones({ offered }: RegionFile, type: number): number | undefined {
  if (offered === undefined) return undefined;
  const mask = offered[type];
  return typeof mask === 'number' ? mask : Math.max(0, MASK_ALPHABET.indexOf(mask));
}

/** The on-demand price per hour, NaN if unknown. */
export function onDemandPrice(file: Pick<RegionFile, 'pricePerVcpu'>, type: number, vcpus: number): number {
  const rate = file.pricePerVcpu[type];
  return rate === null ? NaN : roundPrice(rate * vcpus);
}

/** The shortest decimal that gives the price again, at six decimals, if multiplied by the vCPUs. */
export function pricePerVcpu(price: number, vcpus: number): number {
  for (let digits = 1; digits < 15; digits++) {
    const rate = Number((price / vcpus).toPrecision(digits));
    if (roundPrice(rate * vcpus) === roundPrice(price)) return rate;
  }
  throw new Error(`no decimal gives ${price} for ${vcpus} vCPUs`);
}

/** At most six decimals, as in the price list of EC2. */
function roundPrice(price: number): number {
  return Math.round(price * 1e6) / 1e6;
}
