import { InstanceTypeTable } from '../../../catalog';
import { ResourceList } from '../../../model';

export interface Shortage {
  readonly resource: string;
  readonly missing: bigint;
  /** Of the type, before daemonsets. */
  readonly allocatable: bigint;
}

/** Allocatable amounts of one type, in canonical units. */
export function allocatableOf(table: InstanceTypeTable, index: number): Map<string, bigint> {
  return columnsOf(table, table.allocatable, index);
}

export function capacityOf(table: InstanceTypeTable, index: number): Map<string, bigint> {
  return columnsOf(table, table.capacity, index);
}

/** What keeps the requested amounts off an empty node of this type. A type with a negative amount holds nothing. */
export function shortages(table: InstanceTypeTable, index: number, ...requests: readonly ResourceList[]): Shortage[] {
  const allocatable = allocatableOf(table, index);
  const resources = new Set([...allocatable.keys(), ...requests.flatMap((list) => [...list.keys()])]);
  return [...resources].sort().flatMap((resource) => {
    const free = allocatable.get(resource) ?? 0n;
    const wanted = requests.reduce((sum, list) => sum + (list.get(resource) ?? 0n), 0n);
    return wanted > free ? [{ resource, missing: wanted - free, allocatable: free }] : [];
  });
}

/** As `shortages(…).length === 0`, in plain numbers, which are exact for every amount below 8 PiB. */
export function holds(table: InstanceTypeTable, index: number, ...requests: readonly ResourceList[]): boolean {
  const wanted = requests.map((list) => amountsIn(table, list));
  return wanted.every((amounts) => amounts !== undefined) && hasRoom(table, index, ...wanted);
}

/** Amounts by the rows of the table; undefined where something is asked for that no type has. */
export function amountsIn(table: InstanceTypeTable, list: ResourceList): readonly number[] | undefined {
  for (const [resource, amount] of list) if (amount > 0n && !table.resources.includes(resource)) return undefined;
  return table.resources.map((resource) => Number(list.get(resource) ?? 0n));
}

/** Whether an empty node of this type holds amounts as `amountsIn` gives them. */
export function hasRoom({ allocatable }: InstanceTypeTable, index: number, ...wanted: ReadonlyArray<readonly number[]>): boolean {
  for (let row = 0; row < allocatable.length; row++) {
    let sum = 0;
    for (const amounts of wanted) sum += amounts[row];
    if (!(sum <= allocatable[row][index])) return false;
  }
  return true;
}

function columnsOf(table: InstanceTypeTable, columns: readonly Float64Array[], index: number): Map<string, bigint> {
  return new Map(table.resources.map((resource, row) => [resource, BigInt(columns[row][index])]));
}
