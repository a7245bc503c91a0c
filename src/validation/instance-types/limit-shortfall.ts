import { ResourceList } from '../../model';

/** An instance type that a NodePool allows. */
export interface AllowedSize {
  readonly name: string;
  readonly capacity: ResourceList;
}

/** How far limits are below the smallest instance type. */
export interface LimitShortfall {
  /** The type that exceeds the limits by the smallest factor. It may be small in one resource and large in another. */
  readonly smallest: AllowedSize;
  /** The limits that it exceeds. */
  readonly exceeded: readonly string[];
}

/** Undefined if at least one type is within all limits. */
export function limitShortfall(limits: ResourceList, sizes: readonly AllowedSize[]): LimitShortfall | undefined {
  const isWithin = sizes.some(({ capacity }) =>
    [...limits].every(([resource, limit]) => (capacity.get(resource) ?? 0n) <= limit),
  );
  if (isWithin || sizes.length === 0) return undefined;
  const excess = ({ capacity }: AllowedSize) =>
    Math.max(
      ...[...limits].map(([resource, limit]) => {
        const amount = Number(capacity.get(resource) ?? 0n);
        return amount === 0 ? 0 : amount / Number(limit);
      }),
    );
  const [smallest] = [...sizes].sort(
    (left, right) =>
      excess(left) - excess(right) ||
      difference('cpu', left, right) ||
      difference('memory', left, right) ||
      (left.name < right.name ? -1 : 1),
  );
  return {
    smallest,
    exceeded: [...limits.keys()].filter((resource) => (smallest.capacity.get(resource) ?? 0n) > limits.get(resource)!),
  };
}

function difference(resource: string, left: AllowedSize, right: AllowedSize): number {
  return Number(left.capacity.get(resource) ?? 0n) - Number(right.capacity.get(resource) ?? 0n);
}
