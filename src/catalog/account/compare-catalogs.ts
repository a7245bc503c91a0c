import { AccountCatalog } from './account-catalog';
import { CatalogFile, catalogFile } from '../catalog-file';
import { offeredZones, onDemandPrice, RegionFile, regionFile } from '../region-file';

export interface PriceChange {
  readonly instanceType: string;
  readonly before: number;
  readonly after: number;
}

/** What an account's catalogue changes, compared with the embedded data of its region. */
export interface CatalogChanges {
  readonly region: string;
  readonly made: string;
  readonly currency: string;
  readonly instanceTypes: number;
  readonly zones: ReadonlyArray<readonly [name: string, id: string]>;
  /** Undefined if no data of the region are embedded. The changes below are then empty. */
  readonly embedded?: { readonly pricesOf: string };
  /** Types that the account can launch, but not according to the embedded data. */
  readonly newTypes: readonly string[];
  /** The reverse. */
  readonly goneTypes: readonly string[];
  /** Zone ids. Empty if no zones are embedded. */
  readonly newZones: readonly string[];
  readonly goneZones: readonly string[];
  /** Types that other zones offer than the embedded data say. */
  readonly movedTypes: readonly string[];
  /** Largest change first. */
  readonly dearer: readonly PriceChange[];
  readonly cheaper: readonly PriceChange[];
  readonly unchangedPrices: number;
  /** Types without an on-demand price: Karpenter launches them as spot only. */
  readonly withoutPrice: readonly string[];
}

/** Embedded prices have about five digits. */
const SAME_PRICE = 0.0005;

export function compareWithEmbedded({ region, made, zones, types, figures }: AccountCatalog): CatalogChanges {
  const embedded = regionFile(region);
  const after = factsByType(types, figures);
  const head = {
    region,
    made,
    currency: figures.currency,
    instanceTypes: types.names.length,
    zones: Object.entries(zones),
    withoutPrice: [...after].filter(([, { price }]) => Number.isNaN(price)).map(([name]) => name),
  };
  if (embedded === undefined) {
    return {
      ...head,
      newTypes: [],
      goneTypes: [],
      newZones: [],
      goneZones: [],
      movedTypes: [],
      dearer: [],
      cheaper: [],
      unchangedPrices: 0,
    };
  }
  const before = factsByType(catalogFile(), embedded);
  const known = [...before].filter(([name]) => after.has(name));
  const changes = known
    .map(([name, { price }]) => ({ instanceType: name, before: price, after: after.get(name)!.price }))
    .filter((change) => change.before > 0 && change.after > 0);
  const [zonesBefore, zonesAfter] = [embedded.zoneIds ?? figures.zoneIds, figures.zoneIds];
  const isShared = (id: string) => zonesBefore.includes(id) && zonesAfter.includes(id);
  return {
    ...head,
    embedded: { pricesOf: embedded.pricesOf },
    newTypes: [...after.keys()].filter((name) => !before.has(name)),
    goneTypes: [...before.keys()].filter((name) => !after.has(name)),
    newZones: zonesAfter.filter((id) => !zonesBefore.includes(id)),
    goneZones: zonesBefore.filter((id) => !zonesAfter.includes(id)),
    movedTypes: known.flatMap(([name, facts]) =>
      facts.zones !== undefined && areMoved(facts.zones, after.get(name)!.zones!, isShared) ? [name] : [],
    ),
    dearer: changes.filter((change) => relative(change) > SAME_PRICE).sort(byRelativeChange),
    cheaper: changes.filter((change) => relative(change) < -SAME_PRICE).sort(byRelativeChange),
    unchangedPrices: changes.filter((change) => Math.abs(relative(change)) <= SAME_PRICE).length,
  };
}

interface TypeFacts {
  readonly price: number;
  /** Zone ids. Undefined if they are unknown. */
  readonly zones?: readonly string[];
}

/** Types that a zone offers, or that have a price if no zones are known. */
function factsByType({ names, facts }: CatalogFile, figures: RegionFile): Map<string, TypeFacts> {
  return new Map(
    names.flatMap((name, type): Array<[string, TypeFacts]> => {
      const price = onDemandPrice(figures, type, facts.vcpus[type]);
      const mask = offeredZones(figures, type);
      if (mask === undefined) return Number.isNaN(price) ? [] : [[name, { price }]];
      // Not a shift: the mask may have 32 bits.
      const zones = (figures.zoneIds ?? []).filter((_, index) => Math.floor(mask / 2 ** index) % 2 === 1);
      return zones.length === 0 ? [] : [[name, { price, zones }]];
    }),
  );
}

/** Zones that only one side has do not count. */
function areMoved(before: readonly string[], after: readonly string[], isShared: (id: string) => boolean): boolean {
  return (
    after.some((id) => isShared(id) && !before.includes(id)) || before.some((id) => isShared(id) && !after.includes(id))
  );
}

function relative({ before, after }: PriceChange): number {
  return after / before - 1;
}

function byRelativeChange(left: PriceChange, right: PriceChange): number {
  return Math.abs(relative(right)) - Math.abs(relative(left)) || (left.instanceType < right.instanceType ? -1 : 1);
}
