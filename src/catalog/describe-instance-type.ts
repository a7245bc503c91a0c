import { formatAmount } from '../model';
import { InstanceTypeTable, LabelColumn } from './instance-type-table';
import { carrierOf } from './value-sets';

export interface OfferingDescription {
  readonly zone: string;
  readonly capacityType: string;
  /** Null where the offering is not available. */
  readonly usdPerHour: number | null;
  readonly available: boolean;
  /** Only of reserved capacity. */
  readonly reservationId?: string;
  /** Only of a placement group that has partitions. */
  readonly partition?: string;
}

export interface InstanceTypeDescription {
  readonly name: string;
  /** Those of which a node of this type has one value only; zones and capacity types are in `offerings`. */
  readonly labels: Readonly<Record<string, string>>;
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
  readonly offerings: readonly OfferingDescription[];
}

const ALWAYS_SHOWN: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

function onlyValue(column: LabelColumn, type: number): string | undefined {
  const { values, codes, sets } = column;
  if (sets === undefined) return values[codes[type]];
  const carries = carrierOf(column);
  const [only, ...others] = values.filter((_, code) => carries(type, code));
  return others.length === 0 ? only : undefined;
}

function byCodePoint([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

function quantities(table: InstanceTypeTable, columns: readonly Float64Array[], type: number): Record<string, string> {
  return Object.fromEntries(table.resources
    .map((resource, index) => ({ resource, amount: columns[index][type] }))
    .filter(({ resource, amount }) => amount !== 0 || ALWAYS_SHOWN.has(resource))
    .map(({ resource, amount }): [string, string] => [resource, formatAmount(resource, BigInt(amount))])
    .sort(byCodePoint));
}

/** Those of which a node of the type has one value only: the same object each time. */
export function labelsOfType({ labels }: Pick<InstanceTypeTable, 'labels'>, index: number): Readonly<Record<string, string>> {
  const ofTypes = LABELS.get(labels) ?? new Map<number, Readonly<Record<string, string>>>();
  LABELS.set(labels, ofTypes);
  const found = ofTypes.get(index) ?? Object.fromEntries(labels
    .map((column) => [column.key, onlyValue(column, index)])
    .filter((entry): entry is [string, string] => entry[1] !== undefined)
    .sort(byCodePoint));
  ofTypes.set(index, found);
  return found;
}

const LABELS = new WeakMap<InstanceTypeTable['labels'], Map<number, Readonly<Record<string, string>>>>();

/** One type of the table for people and for `instance-types --format json`: devices that it has none of are left out. */
export function describeInstanceType(table: InstanceTypeTable, index: number): InstanceTypeDescription {
  return {
    name: table.names[index],
    labels: labelsOfType(table, index),
    capacity: quantities(table, table.capacity, index),
    allocatable: quantities(table, table.allocatable, index),
    offerings: table.offerings.filter(({ reservation, usdPerHour }) => !reservation || !Number.isNaN(usdPerHour[index])).map((plane) => {
      const { zone, capacityType, usdPerHour, reservation, partition } = plane;
      const available = !Number.isNaN(usdPerHour[index]);
      return {
        zone,
        capacityType,
        usdPerHour: available ? usdPerHour[index] : null,
        available,
        ...reservation ? { reservationId: reservation.id } : {},
        ...partition === undefined ? {} : { partition },
      };
    }),
  };
}
