import { InstanceTypeTable, OfferingPlane } from '../../catalog';
import { memoizeByIdentity } from '../../model';
import { Offer } from '../schedule-plan';

/** The ways in which a set of instance types can be launched. */
export interface LaunchOptions {
  /** Cheapest first, equal prices by name; types without an offering are last. */
  readonly types: readonly number[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  readonly cheapest?: Offer;
}

/** Orders instance types by their cheapest offering. One object serves one solve. */
export class LaunchPricing {
  private readonly orders = new Map<InstanceTypeTable, Map<string, readonly number[]>>();

  /** Launch options of the types for which `has` returns true, with these offerings. */
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

  /** All offered types, cheapest first. The order of the table's own offerings is kept with the table. */
  private order(table: InstanceTypeTable, planes: readonly OfferingPlane[]): readonly number[] {
    const indices = planes.map((plane) => table.offerings.indexOf(plane));
    const isOwn = !indices.includes(-1);
    const orders = isOwn ? ordersOf(table) : this.ordersOf(table);
    const key = isOwn ? indices.join() : planes.map(nameOf).join();
    let order = orders.get(key);
    if (order === undefined) {
      order = inPriceOrder(table, planes);
      if (orders.size >= MAX_ORDERS) orders.clear();
      orders.set(key, order);
    }
    return order;
  }

  private ordersOf(table: InstanceTypeTable): Map<string, readonly number[]> {
    const orders = this.orders.get(table) ?? new Map<string, readonly number[]>();
    this.orders.set(table, orders);
    return orders;
  }
}

const MAX_ORDERS = 100;
const ordersOf = memoizeByIdentity((_: InstanceTypeTable) => new Map<string, readonly number[]>());

/** Types that a claim lists but cannot be launched as, because their reservations are full or held by other claims. */
function unpriced(table: InstanceTypeTable, priced: readonly number[], has: (type: number) => boolean): number[] {
  if (table.offerings.every(({ reservation }) => !reservation)) return [];
  const withPrice = new Set(priced);
  return table.names
    .map((_, type) => type)
    .filter((type) => has(type) && !withPrice.has(type))
    .sort((left, right) => (table.names[left] < table.names[right] ? -1 : 1));
}

function inPriceOrder(table: InstanceTypeTable, planes: readonly OfferingPlane[]): number[] {
  const prices = table.names.map((_, type) => lowestPrice(planes, type));
  return table.names
    .map((_, type) => type)
    .filter((type) => prices[type] < Infinity)
    .sort((left, right) => prices[left] - prices[right] || (table.names[left] < table.names[right] ? -1 : 1));
}

/** In USD per hour; Infinity if no plane offers the type. */
export function lowestPrice(planes: readonly OfferingPlane[], type: number): number {
  let lowest = Infinity;
  for (const { usdPerHour } of planes) if (usdPerHour[type] < lowest) lowest = usdPerHour[type];
  return lowest;
}

/** The cheapest offering of a type that one of the planes offers. */
export function cheapestOffer(table: InstanceTypeTable, planes: readonly OfferingPlane[], type: number): Offer {
  const price = lowestPrice(planes, type);
  const [plane] = planes
    .filter((candidate) => candidate.usdPerHour[type] === price)
    .sort((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1));
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
