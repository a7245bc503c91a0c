import { InstanceTypeTable } from '../../catalog';
import { amountsPerColumnUnit, columnAmount, ResourceList } from '../../model';

export interface Shortage {
  readonly resource: string;
  readonly missing: bigint;
  /** Allocatable amount of the instance type, before daemonsets. */
  readonly allocatable: bigint;
}

/** Allocatable amounts of one instance type, in canonical units. */
export function allocatableOf(table: InstanceTypeTable, index: number): Map<string, bigint> {
  return columnsOf(table, table.allocatable, index);
}

export function capacityOf(table: InstanceTypeTable, index: number): Map<string, bigint> {
  return columnsOf(table, table.capacity, index);
}

/**
 * The resources that an empty node of this type lacks for the requests. A type with a negative allocatable amount
 * fits nothing.
 */
export function shortages(table: InstanceTypeTable, index: number, ...requests: readonly ResourceList[]): Shortage[] {
  const allocatable = allocatableOf(table, index);
  const resources = new Set([...allocatable.keys(), ...requests.flatMap((list) => [...list.keys()])]);
  return [...resources].sort().flatMap((resource) => {
    const free = allocatable.get(resource) ?? 0n;
    const wanted = requests.reduce((sum, list) => sum + (list.get(resource) ?? 0n), 0n);
    return wanted > free ? [{ resource, missing: wanted - free, allocatable: free }] : [];
  });
}

/** Same as `shortages(…).length === 0`, in floating point, which is exact for amounts below 8 TiB of memory. */
export function fitsOnType(table: InstanceTypeTable, index: number, ...requests: readonly ResourceList[]): boolean {
  const wanted = requests.map((list) => amountsByRow(table, list));
  return wanted.every((amounts) => amounts !== undefined) && amountsFitOnType(table, index, ...wanted);
}

/** Amounts in the order of the table's rows; undefined if the list requests a resource that no type has. */
export function amountsByRow(table: InstanceTypeTable, list: ResourceList): readonly number[] | undefined {
  for (const [resource, amount] of list) if (amount > 0n && !table.resources.includes(resource)) return undefined;
  return table.resources.map((resource) => Number(list.get(resource) ?? 0n));
}

/** Whether an empty node of this type fits amounts in the form of `amountsByRow`. */
export function amountsFitOnType(
  { allocatable, resources }: InstanceTypeTable,
  index: number,
  ...wanted: ReadonlyArray<readonly number[]>
): boolean {
  for (let row = 0; row < allocatable.length; row++) {
    let sum = 0;
    for (const amounts of wanted) sum += amounts[row];
    if (!(sum <= allocatable[row][index] * amountsPerColumnUnit(resources[row]))) return false;
  }
  return true;
}

function columnsOf(table: InstanceTypeTable, columns: readonly Float64Array[], index: number): Map<string, bigint> {
  return new Map(table.resources.map((resource, row) => [resource, columnAmount(resource, columns[row][index])]));
}
