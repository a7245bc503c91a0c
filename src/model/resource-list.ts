import { Quantity } from './quantity';
import { QuantityError } from './quantity-error';

/** Amounts by resource name, in canonical integer units: cpu in millicores, memory and storage in bytes, all else in counts. */
export type ResourceList = ReadonlyMap<string, bigint>;

const CPU = 'cpu';

/** The quantity in the canonical unit of the resource, rounded up as the API server rounds container requests. */
export function resourceAmount(resource: string, quantity: Quantity): bigint {
  return resource === CPU ? quantity.milliValue() : quantity.value();
}

/**
 * Reads a `requests`, `limits` or `capacity` map of a manifest.
 *
 * @throws QuantityError naming the resource whose amount cannot be read
 */
export function parseResourceList(raw: Readonly<Record<string, string | number>>): Map<string, bigint> {
  return new Map(Object.entries(raw).map(([resource, text]) => [resource, parseAmount(resource, text)]));
}

function parseAmount(resource: string, text: unknown): bigint {
  if (typeof text !== 'string' && typeof text !== 'number') {
    throw new QuantityError(`${resource}: not a Kubernetes quantity, got ${JSON.stringify(text)}; write a string such as 500m or 2Gi`);
  }
  try {
    return resourceAmount(resource, Quantity.parse(text));
  } catch (error) {
    throw error instanceof QuantityError ? new QuantityError(`${resource}: ${error.message}`) : error;
  }
}

/** The amount as Kubernetes prints it: `1930m` of cpu, `6903Mi` of memory, `29` pods. */
export function formatAmount(resource: string, amount: bigint): string {
  if (resource === CPU) {
    return Quantity.ofMilli(amount).toString();
  }
  return Quantity.of(amount, isMeasuredInBytes(resource) ? 'BinarySI' : 'DecimalSI').toString();
}

function isMeasuredInBytes(resource: string): boolean {
  return resource === 'memory' || resource === 'ephemeral-storage' || resource.startsWith('hugepages-');
}

/** Sums by resource, over every resource that any list names. */
export function merge(...lists: readonly ResourceList[]): Map<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const list of lists) {
    for (const [resource, amount] of list) {
      sums.set(resource, (sums.get(resource) ?? 0n) + amount);
    }
  }
  return sums;
}

/** `left - right` for the resources of `left`; what only `right` names is dropped, never negative. */
export function subtract(left: ResourceList, right: ResourceList): Map<string, bigint> {
  return new Map([...left].map(([resource, amount]) => [resource, amount - (right.get(resource) ?? 0n)]));
}

/** Takes `source` out of `destination` in place; a resource that only `source` names becomes negative there. */
export function subtractFrom(destination: Map<string, bigint>, source: ResourceList): void {
  for (const [resource, amount] of source) {
    destination.set(resource, (destination.get(resource) ?? 0n) - amount);
  }
}

/** Whether the request is within the total. A total with any negative amount fits nothing, not even an empty request. */
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

/** The largest amount of each resource that any list names. */
export function maxResources(...lists: readonly ResourceList[]): Map<string, bigint> {
  const largest = new Map<string, bigint>();
  for (const list of lists) {
    for (const [resource, amount] of list) {
      const known = largest.get(resource);
      if (known === undefined || amount > known) {
        largest.set(resource, amount);
      }
    }
  }
  return largest;
}

/** The smallest amount of each resource that every list names. */
export function minResources(...lists: readonly ResourceList[]): Map<string, bigint> {
  const [first, ...others] = lists;
  const smallest = new Map(first);
  for (const list of others) {
    for (const [resource, amount] of smallest) {
      const other = list.get(resource);
      if (other === undefined) {
        smallest.delete(resource);
      } else if (other < amount) {
        smallest.set(resource, other);
      }
    }
  }
  return smallest;
}
