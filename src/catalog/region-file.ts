import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

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
   * On-demand price of Linux per vCPU and hour; null if unknown. Times vCPUs, rounded to six decimals, it is the price.
   */
  readonly pricePerVcpu: ReadonlyArray<number | null>;
  /** One `PriceCode` a type. */
  readonly priceKinds: string;
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
  /** The zones that offer each type: one character a type, see `offeredZones`. */
  readonly offered?: string;
}

export const INTERRUPTION_BANDS = ['<5%', '5-10%', '10-15%', '15-20%', '>20%'] as const;

/** The place of a character is a bit mask over `zoneIds`. */
export const MASK_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';

const files = new Map<string, RegionFile | undefined>();

/** Reads the file of a region once a process. Returns undefined if there are no figures for the region. */
export function regionFile(region: string): RegionFile | undefined {
  if (!files.has(region)) {
    const path = join(__dirname, '../../data/regions', `${region}.json`);
    const isRegion = /^[a-z]+(-[a-z]+)+-\d+$/.test(region);
    files.set(region, isRegion && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) as RegionFile : undefined);
  }
  return files.get(region);
}

/**
 * The bit mask, over `zoneIds`, of the zones that offer a type; undefined if the zones of the region are not recorded.
 */
export function offeredZones({ offered }: RegionFile, type: number): number | undefined {
  if (offered === undefined) return undefined;
  return Math.max(0, MASK_ALPHABET.indexOf(offered[type]));
}

/** The on-demand price per hour, NaN if unknown. */
export function onDemandPrice({ pricePerVcpu }: RegionFile, type: number, vcpus: number): number {
  const rate = pricePerVcpu[type];
  return rate === null ? NaN : Math.round(rate * vcpus * 1e6) / 1e6;
}
