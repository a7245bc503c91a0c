import { Quantity } from './quantity';
import { QuantityError } from './quantity-parser';

/**
 * Amounts by resource name, as integers: cpu, memory and ephemeral-storage in thousandths (of a core, of a byte), other
 * resources as counts. Thousandths are the finest amounts that the API server keeps in pods.
 */
export type ResourceList = ReadonlyMap<string, bigint>;

const CPU = 'cpu';
const STORAGE: ReadonlySet<string> = new Set(['memory', 'ephemeral-storage']);
const THOUSANDTHS = 1000;

/** The quantity in the unit of the resource, rounded up as the API server rounds container requests. */
export function resourceAmount(resource: string, quantity: Quantity): bigint {
  return resource === CPU || STORAGE.has(resource) ? quantity.milliValue() : quantity.value();
}

/** The amount in thousandths, whatever the unit of the resource. */
export function milliAmount(resource: string, amount: bigint): bigint {
  return resource === CPU || STORAGE.has(resource) ? amount : amount * 1000n;
}

/** The number of amounts in one unit of an instance type table, which counts memory and storage in whole bytes. */
export function amountsPerColumnUnit(resource: string): number {
  return STORAGE.has(resource) ? THOUSANDTHS : 1;
}

/** The amount of a value in an instance type table. */
export function columnAmount(resource: string, value: number): bigint {
  return BigInt(Math.floor(value)) * BigInt(amountsPerColumnUnit(resource));
}

/**
 * Reads a `requests`, `limits` or `capacity` map of a manifest.
 *
 * @throws QuantityError with the name of the resource whose amount is invalid
 */
export function parseResourceList(raw: Readonly<Record<string, string | number>>): Map<string, bigint> {
  return new Map(Object.entries(raw).map(([resource, text]) => [resource, parseAmount(resource, text)]));
}

function parseAmount(resource: string, text: unknown): bigint {
  if (typeof text !== 'string' && typeof text !== 'number') {
    throw new QuantityError(
      `${resource}: not a Kubernetes quantity, got ${JSON.stringify(text)}; write a string such as 500m or 2Gi`,
    );
  }
  try {
    return resourceAmount(resource, Quantity.parse(text));
  } catch (error) {
    throw error instanceof QuantityError ? new QuantityError(`${resource}: ${error.message}`) : error;
  }
}

/** The amount as Kubernetes prints it: `1930m` of cpu, `6903Mi` of memory, `29` pods. */
export function formatAmount(resource: string, amount: bigint): string {
  if (resource === CPU || STORAGE.has(resource)) {
    return Quantity.ofMilli(amount, resource === CPU ? 'DecimalSI' : 'BinarySI').toString();
  }
  return Quantity.of(amount, resource.startsWith('hugepages-') ? 'BinarySI' : 'DecimalSI').toString();
}

/** The sum of each resource in any of the lists. */
export function merge(...lists: readonly ResourceList[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const list of lists) {
    for (const [resource, amount] of list) {
      sums.set(resource, (sums.get(resource) ?? 0n) + amount);
    }
  }
  return sums;
}

/** `left - right` for the resources of `left`. Resources of `right` only are dropped. */
export function subtract(left: ResourceList, right: ResourceList): Map<string, bigint> {
  return new Map([...left].map(([resource, amount]) => [resource, amount - (right.get(resource) ?? 0n)]));
}

/** Subtracts `source` from `destination` in place. A resource of `source` only becomes negative. */
export function subtractFrom(destination: Map<string, bigint>, source: ResourceList): void {
  for (const [resource, amount] of source) {
    destination.set(resource, (destination.get(resource) ?? 0n) - amount);
  }
}

/**
 * Whether the request is within the total. Nothing fits in a total with a negative amount, not even an empty request.
 */
export function fits(request: ResourceList, total: ResourceList): boolean {
  for (const amount of total.values()) {
    if (amount < 0n) {
      return false;
    }
  }
  for (const [resource, amount] of request) {
    if (amount > (total.get(resource) ?? 0n)) {
      return false;
    }
  }
  return true;
}

/** The largest amount of each resource in any of the lists. */
export function maxResources(...lists: readonly ResourceList[]): Map<string, bigint> {
  const largest = new Map<string, bigint>();
  for (const list of lists) {
    for (const [resource, amount] of list) {
      const current = largest.get(resource);
      if (current === undefined || amount > current) {
        largest.set(resource, amount);
      }
    }
  }
  return largest;
}

/** The smallest amount of each resource that is in all lists. */
export function minResources(...lists: readonly ResourceList[]): Map<string, bigint> {
  const [first, ...rest] = lists;
  const smallest = new Map(first);
  for (const list of rest) {
    for (const [resource, amount] of smallest) {
      const listed = list.get(resource);
      if (listed === undefined) {
        smallest.delete(resource);
      } else if (listed < amount) {
        smallest.set(resource, listed);
      }
    }
  }
  return smallest;
}
