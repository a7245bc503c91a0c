import { InstanceTypeTable, OfferingPlane } from '../catalog';
import { Offer } from './domain';

/** What some instance types can be launched as. */
export interface LaunchOptions {
  /** Cheapest first, equal prices by name. */
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
    const order = this.order(table, planes);
    const types = order.filter(has);
    const offered = planes.filter((plane) => types.some((type) => !Number.isNaN(plane.usdPerHour[type])));
    return {
      types,
      zones: distinct(offered.map((plane) => plane.zone)),
      capacityTypes: distinct(offered.map((plane) => plane.capacityType)),
      cheapest: types.length === 0 ? undefined : cheapestOffer(table, offered, types[0]),
    };
  }

  /** Every offered type, cheapest first. */
  private order(table: InstanceTypeTable, planes: readonly OfferingPlane[]): readonly number[] {
    const key = planes.map((plane) => `${plane.zone}/${plane.capacityType}`).join(' ');
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

function inPriceOrder(table: InstanceTypeTable, planes: readonly OfferingPlane[]): number[] {
  const prices = table.names.map((_, type) => lowestPrice(planes, type));
  return table.names.map((_, type) => type)
    .filter((type) => prices[type] < Infinity)
    .sort((left, right) => prices[left] - prices[right] || (table.names[left] < table.names[right] ? -1 : 1));
}

export function lowestPrice(planes: readonly OfferingPlane[], type: number): number {
  return planes.reduce((lowest, plane) => plane.usdPerHour[type] < lowest ? plane.usdPerHour[type] : lowest, Infinity);
}

export function cheapestOffer(table: InstanceTypeTable, planes: readonly OfferingPlane[], type: number): Offer {
  const price = lowestPrice(planes, type);
  const [plane] = planes.filter((candidate) => candidate.usdPerHour[type] === price)
    .sort((left, right) => `${left.zone} ${left.capacityType}` < `${right.zone} ${right.capacityType}` ? -1 : 1);
  return { instanceType: table.names[type], zone: plane.zone, capacityType: plane.capacityType, usdPerHour: price };
}

export function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
