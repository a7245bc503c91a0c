import { amountsByRow, amountsFitOnType } from './node-fit';
import {
  Catalog,
  describeInstanceType,
  InstanceTypeDescription,
  InstanceTypeTable,
  OfferingDescription,
  SpotFigures,
} from '../../catalog';
import { Requirements, ResourceList } from '../../model';
import { compatibleOfferings } from '../../scheduling';
import { PriceSourceCount } from '../vocabulary/verdict';

/** An offering and where its price comes from. */
export interface ListedOffering extends OfferingDescription {
  /** `overlaid`: a NodeOverlay sets it. Null without a price, and for reserved capacity, which is paid for already. */
  readonly priceKind: PriceSourceCount['kind'] | 'overlaid' | null;
  /** Date of the record, `YYYY-MM-DD`; null if there is none. */
  readonly priceDate: string | null;
}

/** An instance type with everything that `instance-types` prints. */
export interface ListedInstanceType extends Omit<InstanceTypeDescription, 'offerings'> {
  /** ISO 4217 code of all prices, whatever the name of their field. */
  readonly currency: string;
  readonly offerings: readonly ListedOffering[];
  /** What is recorded about spot; null if nothing is. */
  readonly spot: SpotFigures | null;
  /** Present if only some zones of the region offer the type, and zone names do not show which. */
  readonly offeredZones?: { readonly offering: number; readonly zones: number };
}

export type SortKey = 'price' | 'vcpu' | 'memory';

export function listedType(catalog: Catalog, table: InstanceTypeTable, index: number): ListedInstanceType {
  const { name, labels, capacity, allocatable, offerings } = describeInstanceType(table, index);
  const isOverlaid = table.priceOverlaid?.[index] === 1;
  const offeredZones = offerings
    .map(({ zone }) => catalog.uncertainOffer(name, zone))
    .find((offer) => offer !== undefined);
  return {
    name,
    labels,
    capacity,
    allocatable,
    currency: catalog.currency,
    offerings: offerings.map((offering) => ({ ...offering, ...priceOf(catalog, name, offering, isOverlaid) })),
    spot: catalog.spotFigures(name) ?? null,
    ...(offeredZones === undefined ? {} : { offeredZones }),
  };
}

function priceOf(
  catalog: Catalog,
  type: string,
  { usdPerHour, capacityType }: OfferingDescription,
  isOverlaid: boolean,
): Pick<ListedOffering, 'priceKind' | 'priceDate'> {
  if (usdPerHour === null || capacityType === 'reserved') return { priceKind: null, priceDate: null };
  if (isOverlaid) return { priceKind: 'overlaid', priceDate: null };
  const { kind, date = null } = catalog.priceSource(type, capacityType);
  return { priceKind: kind, priceDate: date };
}

/** The lowest price of a type; Infinity if no offering has one. */
export function lowestOfferingPrice(table: InstanceTypeTable, type: number): number {
  return Math.min(
    Infinity,
    ...table.offerings.map(({ usdPerHour }) => usdPerHour[type]).filter((price) => !Number.isNaN(price)),
  );
}

/** Types in ascending order. Equal ones keep their order. */
export function sortedTypes(table: InstanceTypeTable, types: readonly number[], key: SortKey): number[] {
  const resource = { vcpu: 'cpu', memory: 'memory', price: undefined }[key];
  const column = resource === undefined ? undefined : table.capacity[table.resources.indexOf(resource)];
  const values = new Map(types.map((type) => [type, column?.[type] ?? lowestOfferingPrice(table, type)]));
  return [...types].sort((left, right) => {
    const [a, b] = [values.get(left)!, values.get(right)!];
    return a === b ? 0 : a - b;
  });
}

/** An instance type with its price. */
export interface PricedType {
  readonly name: string;
  readonly usdPerHour: number;
}

/** Instance types to choose from, and what their offerings have to meet. */
export interface NodeChoice {
  readonly table: InstanceTypeTable;
  /** Indices into the table. */
  readonly types: readonly number[];
  readonly requirements: Requirements;
}

/** The cheapest node that holds the requests, of the first choice that has one. Undefined if none has. */
export function cheapestNode(requests: ResourceList, choices: readonly NodeChoice[]): PricedType | undefined {
  for (const { table, types, requirements } of choices) {
    const wanted = amountsByRow(table, requests);
    if (wanted === undefined) continue;
    const planes = compatibleOfferings(table, requirements);
    const [cheapest] = types
      .filter((type) => amountsFitOnType(table, type, wanted))
      .map((type) => ({
        name: table.names[type],
        usdPerHour: Math.min(...planes.map((plane) => plane.usdPerHour[type]).filter((price) => !Number.isNaN(price))),
      }))
      .filter(({ usdPerHour }) => Number.isFinite(usdPerHour))
      .sort((left, right) => left.usdPerHour - right.usdPerHour || (left.name < right.name ? -1 : 1));
    if (cheapest !== undefined) return cheapest;
  }
  return undefined;
}
