import { InstanceTypeTable, OfferingPlane } from '../catalog';
import { Offer } from './schedule-plan';

/** What some instance types can be launched as. */
export interface LaunchOptions {
  /** Cheapest first, equal prices by name; last those that none of the offerings is for. */
  readonly types: readonly number[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  readonly cheapest?: Offer;
}

/** Orders instance types by their cheapest offering; remembers the order for the same offerings. */
export class LaunchPricing {
  private readonly known = new Map<InstanceTypeTable, Map<string, readonly number[]>>();

  /** Of the types that `has` holds, those that some of the planes offer. */
  options(table: InstanceTypeTable, planes: readonly OfferingPlane[], has: (type: number) => boolean): LaunchOptions {
    const priced = this.order(table, planes);
    const types = priced.filter(has);
    const offered = planes.filter((plane) => types.some((type) => !Number.isNaN(plane.usdPerHour[type])));
    return {
      types: [...types, ...unpriced(table, priced, has)],
      zones: distinct(offered.map((plane) => plane.zone)),
      capacityTypes: distinct(offered.map((plane) => plane.capacityType)),
      cheapest: types.length === 0 ? undefined : cheapestOffer(table, offered, types[0]),
    };
  }

  /** Every offered type, cheapest first. */
  private order(table: InstanceTypeTable, planes: readonly OfferingPlane[]): readonly number[] {
    const key = planes.map(nameOf).join();
    let ofTable = this.known.get(table);
    if (ofTable === undefined) {
      ofTable = new Map();
      this.known.set(table, ofTable);
    }
    let found = ofTable.get(key);
    if (found === undefined) {
      found = inPriceOrder(table, planes);
      ofTable.set(key, found);
    }
    return found;
  }
}

/** Types that a claim names though it cannot be launched as any of them: its reservations, or what is full, are for others. */
function unpriced(table: InstanceTypeTable, priced: readonly number[], has: (type: number) => boolean): number[] {
  if (table.offerings.every(({ reservation }) => !reservation)) return [];
  const known = new Set(priced);
  return table.names.map((_, type) => type).filter((type) => has(type) && !known.has(type))
    .sort((left, right) => table.names[left] < table.names[right] ? -1 : 1);
}

function inPriceOrder(table: InstanceTypeTable, planes: readonly OfferingPlane[]): number[] {
  const prices = table.names.map((_, type) => lowestPrice(planes, type));
  return table.names.map((_, type) => type)
    .filter((type) => prices[type] < Infinity)
    .sort((left, right) => prices[left] - prices[right] || (table.names[left] < table.names[right] ? -1 : 1));
}

export function lowestPrice(planes: readonly OfferingPlane[], type: number): number {
  let lowest = Infinity;
  for (const { usdPerHour } of planes) if (usdPerHour[type] < lowest) lowest = usdPerHour[type];
  return lowest;
}

export function cheapestOffer(table: InstanceTypeTable, planes: readonly OfferingPlane[], type: number): Offer {
  const price = lowestPrice(planes, type);
  const [plane] = planes.filter((candidate) => candidate.usdPerHour[type] === price)
    .sort((left, right) => nameOf(left) < nameOf(right) ? -1 : 1);
  const { zone, capacityType, reservation, partition } = plane;
  return {
    instanceType: table.names[type],
    zone,
    capacityType,
    usdPerHour: price,
    ...(reservation ? { reservation: reservation.id } : {}),
    ...(partition === undefined ? {} : { partition }),
  };
}

function nameOf({ zone, capacityType, reservation, partition }: OfferingPlane): string {
  return `${zone} ${capacityType} ${reservation?.id ?? ''} ${partition ?? ''}`;
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
