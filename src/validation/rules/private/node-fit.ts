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
  for (const list of requests) {
    for (const [resource, amount] of list) if (amount > 0n && !table.resources.includes(resource)) return false;
  }
  return table.resources.every((resource, row) => {
    let wanted = 0;
    for (const list of requests) wanted += Number(list.get(resource) ?? 0n);
    return wanted <= table.allocatable[row][index];
  });
}

function columnsOf(table: InstanceTypeTable, columns: readonly Float64Array[], index: number): Map<string, bigint> {
  return new Map(table.resources.map((resource, row) => [resource, BigInt(columns[row][index])]));
}
