import { OverlayMatch } from './overlay-match';
import { ResourceList } from '../../../model';
import { NodeOverlaySpec } from '../../input/schedule-input';

const NO_RESOURCES: ResourceList = new Map();

interface CapacityUpdate {
  readonly resources: Map<string, bigint>;
  /** The last applied overlay: Karpenter checks the next one for conflicts with this one only. */
  latest: { readonly weight: number; readonly resources: ResourceList };
}

/** The changes that overlays make to the types of one pool. Overlays must be added heaviest first. */
export class OverlayStore {
  /** Price changes by cell. */
  private readonly changes = new Map<number, string>();
  private readonly weights = new Map<number, number>();
  private readonly capacities = new Map<number, CapacityUpdate>();

  constructor(private readonly types: number) {}

  /**
   * The first type for which the overlay sets the same price or resource as an overlay of equal weight, and which of
   * them.
   */
  conflict(
    { priceChange, weight, capacity }: NodeOverlaySpec,
    { types, planes, offers }: OverlayMatch,
  ): { type: number; what: string } | undefined {
    for (const type of types) {
      if (
        priceChange !== undefined &&
        planes.some((plane) => offers(type, plane) && this.weights.get(this.cell(type, plane)) === weight)
      ) {
        return { type, what: 'price' };
      }
      const latest = this.capacities.get(type)?.latest;
      const resource =
        latest?.weight === weight ? [...capacity.keys()].find((name) => latest.resources.has(name)) : undefined;
      if (resource !== undefined) return { type, what: resource };
    }
    return undefined;
  }

  add({ priceChange, weight, capacity }: NodeOverlaySpec, { types, planes, offers }: OverlayMatch): void {
    for (const type of types) {
      if (priceChange !== undefined) {
        for (const plane of planes) if (offers(type, plane)) this.addPrice(this.cell(type, plane), priceChange, weight);
      }
      if (capacity.size > 0) this.addCapacity(type, capacity, weight);
    }
  }

  get isEmpty(): boolean {
    return this.capacities.size === 0 && this.weights.size === 0;
  }

  priceChange(type: number, plane: number): string | undefined {
    return this.changes.get(this.cell(type, plane));
  }

  capacity(type: number): ResourceList {
    return this.capacities.get(type)?.resources ?? NO_RESOURCES;
  }

  /** All resources that overlays add. */
  resources(): Set<string> {
    return new Set([...this.capacities.values()].flatMap(({ resources }) => [...resources.keys()]));
  }

  private addPrice(cell: number, change: string, weight: number): void {
    if (!this.changes.has(cell)) this.changes.set(cell, change);
    this.weights.set(cell, weight);
  }

  private addCapacity(type: number, capacity: ResourceList, weight: number): void {
    let update = this.capacities.get(type);
    if (update === undefined) {
      update = { resources: new Map(), latest: { weight, resources: capacity } };
      this.capacities.set(type, update);
    }
    for (const [resource, amount] of capacity)
      if (!update.resources.has(resource)) update.resources.set(resource, amount);
    update.latest = { weight, resources: capacity };
  }

  private cell(type: number, plane: number): number {
    return plane * this.types + type;
  }
}
