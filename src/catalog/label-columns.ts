/* eslint-disable no-bitwise -- sets of label values are bit sets */
import { Label } from '../model';
import { amiFamilyTraits } from './ami-family';
import { CatalogFile } from './catalog-file';
import { codeColumn, setColumn, valueSets } from './columns';
import { LabelColumn } from './instance-type-table';
import { NodeClassFacts, ReservationFacts } from './node-class-facts';
import { ZoneOffers } from './zone-offers';

export const CAPACITY_TYPES = ['on-demand', 'spot'] as const;
export const RESERVED = 'reserved';

function single(key: string, value: string, size: number, has: (type: number) => boolean = () => true): LabelColumn {
  return { key, values: [value], codes: codeColumn(size, (type) => (has(type) ? 0 : -1)) };
}

function several(key: string, values: readonly string[], size: number, set: (type: number) => number): LabelColumn {
  return { key, values, codes: new Int16Array(size).fill(-1), sets: setColumn(size, set) };
}

/** The labels that depend only on the instance type, equal for every node class. */
export function fixedLabelColumns({ names, labels }: CatalogFile, region: string): LabelColumn[] {
  const size = names.length;
  return [
    { key: Label.INSTANCE_TYPE, values: names, codes: codeColumn(size, (type) => type) },
    ...labels.map(({ key, values, codes }) => ({ key, values, codes: new Int16Array(codes) })),
    single(Label.REGION, region, size),
    several(Label.INSTANCE_TENANCY, ['dedicated', 'default'], size, () => 0b11),
  ];
}

/** The zones of the class that offer each type. */
export function zoneColumn(
  zones: readonly string[],
  size: number,
  offers: Pick<ZoneOffers, 'offeredIn' | 'offersOf'>,
): LabelColumn {
  // Zones with the same offers are one bit set, which a type has or has not.
  const groups = new Map<number, { set: number; readonly isOffered: (type: number) => boolean }>();
  zones.forEach((zone, index) => {
    const key = offers.offersOf(zone);
    const group = groups.get(key) ?? { set: 0, isOffered: offers.offeredIn(zone) };
    group.set |= 1 << index;
    groups.set(key, group);
  });
  const [first, ...others] = groups.values();
  if (first === undefined) return several(Label.ZONE, zones, size, () => 0);
  if (others.length === 0) return several(Label.ZONE, zones, size, (type) => (first.isOffered(type) ? first.set : 0));
  const all = [first, ...others];
  return several(Label.ZONE, zones, size, (type) =>
    all.reduce((set, group) => (group.isOffered(type) ? set | group.set : set), 0),
  );
}

/** The zone id label, only if the id of every zone is known. */
export function zoneIdColumns(
  zones: readonly string[],
  zoneIds: Readonly<Record<string, string>>,
  size: number,
  { offeredIn }: Pick<ZoneOffers, 'offeredIn'>,
): LabelColumn[] {
  if (!zones.every((zone) => Object.hasOwn(zoneIds, zone))) return [];
  const ids = [...new Set(zones.map((zone) => zoneIds[zone]))].sort();
  const zoneOf = (id: string) => zones.find((zone) => zoneIds[zone] === id)!;
  // Zones of one id offer the same types.
  return [
    {
      ...zoneColumn(ids, size, { offeredIn: (id) => offeredIn(zoneOf(id)), offersOf: (id) => ids.indexOf(id) }),
      key: Label.ZONE_ID,
    },
  ];
}

/**
 * The labels that depend on capacity reservations. A type without reservations has none of these labels, so a
 * requirement on one of their values excludes the type.
 */
export function reservationColumns(
  { names, facts }: CatalogFile,
  reservations: readonly ReservationFacts[],
): LabelColumn[] {
  const size = names.length;
  const byType = new Map<number, ReservationFacts[]>();
  for (const reservation of reservations) {
    const type = names.indexOf(reservation.instanceType);
    byType.set(type, [...(byType.get(type) ?? []), reservation]);
  }
  const label = (key: string, valueOf: (reservation: ReservationFacts) => string) => {
    const values = [...new Set(reservations.map(valueOf))].sort();
    const codes = new Int16Array(size).fill(-1);
    if (values.length === 0) return { key, values, codes };
    // An account may have more reservations than one word of a bit set holds.
    const codesOf = (type: number) =>
      (byType.get(type) ?? []).map((reservation) => values.indexOf(valueOf(reservation)));
    return { key, values, codes, sets: valueSets(values, size, codesOf) };
  };
  const capacityTypes = reservations.length > 0 ? [...CAPACITY_TYPES, RESERVED] : CAPACITY_TYPES;
  return [
    several(
      Label.CAPACITY_TYPE,
      capacityTypes,
      size,
      (type) => (facts.spot[type] ? 0b11 : 0b01) | (byType.has(type) ? 0b100 : 0),
    ),
    label(Label.CAPACITY_RESERVATION_ID, ({ id }) => id),
    label(Label.CAPACITY_RESERVATION_TYPE, ({ type }) => type),
    label(Label.CAPACITY_RESERVATION_INTERRUPTIBLE, ({ interruptible }) => String(interruptible)),
  ];
}

/** The labels that depend on the AMI family. Windows has no arm64 build, so arm64 types then have no OS label. */
export function familyLabelColumns({ names, facts }: CatalogFile, nodeClass: NodeClassFacts): LabelColumn[] {
  const { windowsBuild } = amiFamilyTraits(nodeClass.amiFamily);
  if (windowsBuild === undefined) {
    return [
      single(Label.OS, 'linux', names.length),
      { key: Label.WINDOWS_BUILD, values: [], codes: new Int16Array(names.length).fill(-1) },
    ];
  }
  return [
    single(Label.OS, 'windows', names.length, (type) => !facts.arm64[type]),
    single(Label.WINDOWS_BUILD, windowsBuild, names.length),
  ];
}
