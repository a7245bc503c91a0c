import { columnAmount, formatAmount, memoizeByIdentity } from '../model';
import { carrierOf } from './columns';
import { InstanceTypeTable, LabelColumn } from './instance-type-table';

export interface OfferingDescription {
  readonly zone: string;
  /** Present only if the zone ID is known. */
  readonly zoneId?: string;
  readonly capacityType: string;
  /** Null if the offering is unavailable. */
  readonly usdPerHour: number | null;
  readonly available: boolean;
  /** Present only for reserved capacity. */
  readonly reservationId?: string;
  /** Present only in a placement group with partitions. */
  readonly partition?: string;
}

export interface InstanceTypeDescription {
  readonly name: string;
  /** Labels with exactly one value for this type. Zones and capacity types are in `offerings`. */
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
  return Object.fromEntries(
    table.resources
      .map((resource, index) => ({ resource, amount: columns[index][type] }))
      .filter(({ resource, amount }) => amount !== 0 || ALWAYS_SHOWN.has(resource))
      .map(({ resource, amount }): [string, string] => [
        resource,
        formatAmount(resource, columnAmount(resource, amount)),
      ])
      .sort(byCodePoint),
  );
}

const labelReaderOf = memoizeByIdentity((columns: InstanceTypeTable['labels']) => {
  const labelsByType = new Map<number, Readonly<Record<string, string>>>();
  return (type: number): Readonly<Record<string, string>> => {
    let labels = labelsByType.get(type);
    if (labels === undefined) {
      labels = Object.fromEntries(
        columns
          .map((column) => [column.key, onlyValue(column, type)])
          .filter((entry): entry is [string, string] => entry[1] !== undefined)
          .sort(byCodePoint),
      );
      labelsByType.set(type, labels);
    }
    return labels;
  };
});

/** The labels with exactly one value for the type. Computed once for each type of a table. */
export function labelsOfType(
  { labels }: Pick<InstanceTypeTable, 'labels'>,
  index: number,
): Readonly<Record<string, string>> {
  return labelReaderOf(labels)(index);
}

/** One type of the table, as text and `instance-types --format json` show it. Resources with amount 0 are left out. */
export function describeInstanceType(table: InstanceTypeTable, index: number): InstanceTypeDescription {
  return {
    name: table.names[index],
    labels: labelsOfType(table, index),
    capacity: quantities(table, table.capacity, index),
    allocatable: quantities(table, table.allocatable, index),
    offerings: table.offerings
      .filter(({ reservation, usdPerHour }) => !reservation || !Number.isNaN(usdPerHour[index]))
      .map((plane) => {
        const { zone, zoneId, capacityType, usdPerHour, reservation, partition } = plane;
        const available = !Number.isNaN(usdPerHour[index]);
        return {
          zone,
          ...(zoneId === undefined ? {} : { zoneId }),
          capacityType,
          usdPerHour: available ? usdPerHour[index] : null,
          available,
          ...(reservation ? { reservationId: reservation.id } : {}),
          ...(partition === undefined ? {} : { partition }),
        };
      }),
  };
}
