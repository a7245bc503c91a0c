/* eslint-disable no-bitwise -- zones are bit sets */
import { CatalogFile } from './catalog-file';
import { offeredZones, RegionFile } from './region-file';

/** Which zones offer which types. */
export interface ZoneOffers {
  /** Returns a function that tells whether the zone offers a type. */
  readonly offeredIn: (zone: string) => (type: number) => boolean;
  /** Equal for zones that offer the same types. */
  readonly offersOf: (zone: string) => number;
  /** How many of the region's zones offer the type, if that leaves open whether this zone does. */
  readonly uncertain: (type: number, zone: string) => { readonly offering: number; readonly zones: number } | undefined;
  /** Zones whose id is unknown, although it decides which types they offer. */
  readonly guessed: readonly string[];
  /** Zones without records: every type is assumed to be offered. */
  readonly unrecorded: readonly string[];
}

/**
 * The zones that offer each type, as EC2 records them by zone id. A zone that is known only by its name is assumed to
 * offer every type of its region, because the name means another zone in another account.
 */
export function zoneOffers(
  file: CatalogFile,
  region: RegionFile | undefined,
  zones: readonly string[],
  zoneIds: Readonly<Record<string, string>>,
): ZoneOffers {
  const ids = region?.zoneIds;
  if (region === undefined || ids === undefined) {
    return {
      offeredIn: () => () => true,
      offersOf: () => 0,
      uncertain: () => undefined,
      guessed: [],
      unrecorded: zones,
    };
  }
  const masks = Int32Array.from(file.names, (_, type) => offeredZones(region, file.rows?.[type] ?? type)!);
  const bitOf = new Map(
    zones.flatMap((zone) => {
      const index = Object.hasOwn(zoneIds, zone) ? ids.indexOf(zoneIds[zone]) : -1;
      return index < 0 ? [] : [[zone, 1 << index] as const];
    }),
  );
  const isZoneOf = (zone: string) => zone.startsWith(region.region) && /^[a-z]$/.test(zone.slice(region.region.length));
  const guessed = zones.filter((zone) => !bitOf.has(zone) && isZoneOf(zone));
  const isGuessed = new Set(guessed);
  return {
    guessed,
    unrecorded: zones.filter((zone) => !bitOf.has(zone) && !isGuessed.has(zone)),
    offersOf: (zone) => bitOf.get(zone) ?? (isGuessed.has(zone) ? -1 : 0),
    uncertain: (type, zone) => {
      const offering = countBits(masks[type]);
      return isGuessed.has(zone) && offering < ids.length ? { offering, zones: ids.length } : undefined;
    },
    offeredIn: (zone) => {
      const bit = bitOf.get(zone);
      if (bit !== undefined) return (type) => (masks[type] & bit) !== 0;
      return isGuessed.has(zone) ? (type) => masks[type] !== 0 : () => true;
    },
  };
}

function countBits(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
