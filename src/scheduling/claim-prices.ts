import { InstanceTypeTable, OfferingPlane } from '../catalog';
import { Label, oncePer } from '../model';
import { distinctValues } from './distinct-values';
import { cheapestOffer, lowestPrice } from './launch-options';
import { launchOf } from './launch-request';
import { minValuesError, minValuesOf } from './min-values';
import { SchedulingSettings } from './schedule-input';
import { Offer, PlannedNodeClaim } from './schedule-plan';
import { PoolTemplate } from './templates';

/** The order in which Karpenter would have capacity: what it launches is the first of these that there is. */
const CAPACITY_TYPES = ['reserved', 'spot', 'on-demand'];

/** What a planned NodeClaim can cost, type by type, in USD per hour. */
export class ClaimPrices {
  private readonly planes: readonly OfferingPlane[];

  /** @param capacityTypes those that are left to the claim */
  constructor(
    private readonly claim: PlannedNodeClaim, private readonly template: Pick<PoolTemplate, 'table' | 'requirements'>, private readonly settings: SchedulingSettings,
    public readonly capacityTypes: readonly string[] = claim.capacityTypes,
  ) {
    // Of the partitions of a placement group, which cost the same, the first that is left to the claim.
    const first = claim.launch?.cheapest.partition;
    this.planes = template.table.offerings.filter(({ zone, capacityType, reservation, partition }) =>
      claim.zones.includes(zone) && capacityTypes.includes(capacityType) && reservation?.free !== 0 && (first === undefined || partition === first));
  }

  /** The same claim, when it must be of this capacity type. */
  as(capacityType: string): ClaimPrices {
    return new ClaimPrices(this.claim, this.template, this.settings, [capacityType]);
  }

  /** Those that can be launched at all, the cheapest first. */
  launchable(types: readonly string[]): string[] {
    const priced = types.map((name) => ({ name, price: lowestPrice(this.planes, this.index(name)) })).filter(({ price }) => price < Infinity);
    return priced.sort((left, right) => left.price - right.price || (left.name < right.name ? -1 : 1)).map(({ name }) => name);
  }

  /** Those that one of the types can be launched in. */
  zones(types: readonly string[]): string[] {
    const indices = types.map((name) => this.index(name));
    const isOffered = ({ usdPerHour }: OfferingPlane) => indices.some((at) => !Number.isNaN(usdPerHour[at] ?? NaN));
    return this.claim.zones.filter((zone) => this.planes.some((plane) => plane.zone === zone && isOffered(plane)));
  }

  /** In the dearest zone that it may be launched in; infinite where there is none. */
  worst(type: string): number {
    const at = this.index(type);
    for (const capacityType of CAPACITY_TYPES) {
      let dearest = -Infinity;
      for (const plane of this.planes) if (plane.capacityType === capacityType && plane.usdPerHour[at] > dearest) dearest = plane.usdPerHour[at];
      if (dearest > -Infinity) return dearest;
    }
    return Infinity;
  }

  /** The least that it can cost; undefined where nothing offers it. */
  cheapest(type: string): Offer | undefined {
    const at = this.index(type);
    const offered = this.planes.filter(({ usdPerHour }) => !Number.isNaN(usdPerHour[at]));
    return offered.length === 0 ? undefined : cheapestOffer(this.template.table, offered, at);
  }

  /** What EC2 is asked for where the claim names these types, the cheapest first, or why nothing. */
  launch(types: readonly string[]): ReturnType<typeof launchOf> {
    const { template, planes, claim, settings } = this;
    return launchOf({ template, planes, zonesLeft: new Set(claim.zones), types: types.map((name) => this.index(name)) }, settings);
  }

  /** Whether the pool asks for some variety of types. */
  get hasMinValues(): boolean {
    return minValuesOf(this.template.requirements).length > 0;
  }

  /** Why Karpenter takes these types for too few, in its own words. BestEffort asks for no more than there was to begin with. */
  minValuesError(types: readonly string[]): string | undefined {
    const short = minValuesOf(this.template.requirements).filter(([key, minimum]) => {
      const least = this.settings.minValuesPolicy === 'BestEffort' ? Math.min(minimum, this.variety(key, this.claim.instanceTypes)) : minimum;
      return this.variety(key, types) < least;
    });
    return short.length === 0 ? undefined : minValuesError(short.map(([key]) => key));
  }

  private variety(key: string, types: readonly string[]): number {
    const allows = (value: string) => {
      if (key === Label.ZONE) return this.claim.zones.includes(value);
      return key === Label.CAPACITY_TYPE ? this.capacityTypes.includes(value) : this.template.requirements.get(key).has(value);
    };
    return distinctValues(this.template.table, key, types.map((name) => this.index(name)), allows).length;
  }

  private index(name: string): number {
    return positions(this.template.table).get(name) ?? -1;
  }
}

const positions = oncePer((table: InstanceTypeTable): ReadonlyMap<string, number> => new Map(table.names.map((name, at) => [name, at])));
