import { cheapestOffer, lowestPrice } from './launch-pricing';
import { launchOf } from './launch-request';
import { distinctValues, minValuesError, minValuesOf } from './min-values';
import { PoolTemplate } from './pool-template';
import { InstanceTypeTable, OfferingPlane } from '../../catalog';
import { Label, memoizeByIdentity } from '../../model';
import { SchedulingSettings } from '../input/schedule-input';
import { Offer, PlannedNodeClaim } from '../schedule-plan';

/** Karpenter's order of preference: it launches the first capacity type that is available. */
const CAPACITY_TYPES = ['reserved', 'spot', 'on-demand'];

/** Prices of a planned NodeClaim by instance type, in USD per hour. */
export class ClaimPrices {
  private readonly planes: readonly OfferingPlane[];

  /** @param capacityTypes the capacity types that the claim may use */
  constructor(
    private readonly claim: PlannedNodeClaim,
    private readonly template: Pick<PoolTemplate, 'table' | 'requirements'>,
    private readonly settings: SchedulingSettings,
    public readonly capacityTypes: readonly string[] = claim.capacityTypes,
  ) {
    // All partitions of a placement group cost the same: only the claim's first one is used.
    const firstPartition = claim.launch?.cheapest.partition;
    this.planes = template.table.offerings.filter(
      ({ zone, capacityType, reservation, partition }) =>
        claim.zones.includes(zone) &&
        capacityTypes.includes(capacityType) &&
        reservation?.free !== 0 &&
        (firstPartition === undefined || partition === firstPartition),
    );
  }

  /** Prices of the same claim limited to one capacity type. */
  withCapacityType(capacityType: string): ClaimPrices {
    return new ClaimPrices(this.claim, this.template, this.settings, [capacityType]);
  }

  /** The types that have an offering, cheapest first. */
  launchableTypes(types: readonly string[]): string[] {
    const priced = types
      .map((name) => ({ name, price: lowestPrice(this.planes, this.index(name)) }))
      .filter(({ price }) => price < Infinity);
    return priced
      .sort((left, right) => left.price - right.price || (left.name < right.name ? -1 : 1))
      .map(({ name }) => name);
  }

  /** The claim's zones in which one of the types has an offering. */
  zones(types: readonly string[]): string[] {
    const indices = types.map((name) => this.index(name));
    const isOffered = ({ usdPerHour }: OfferingPlane) => indices.some((type) => !Number.isNaN(usdPerHour[type] ?? NaN));
    return this.claim.zones.filter((zone) => this.planes.some((plane) => plane.zone === zone && isOffered(plane)));
  }

  /**
   * Price in the most expensive zone, for the preferred capacity type that is offered; Infinity if the type has no
   * offering.
   */
  worstLaunchPrice(type: string): number {
    const index = this.index(type);
    for (const capacityType of CAPACITY_TYPES) {
      let highest = -Infinity;
      for (const plane of this.planes) {
        if (plane.capacityType === capacityType && plane.usdPerHour[index] > highest) highest = plane.usdPerHour[index];
      }
      if (highest > -Infinity) return highest;
    }
    return Infinity;
  }

  /** The cheapest offering of the type; undefined if it has none. */
  cheapestOffer(type: string): Offer | undefined {
    const index = this.index(type);
    const offered = this.planes.filter(({ usdPerHour }) => !Number.isNaN(usdPerHour[index]));
    return offered.length === 0 ? undefined : cheapestOffer(this.template.table, offered, index);
  }

  /** The launch request for a claim that lists these types, cheapest first, or the reason why the launch fails. */
  launch(types: readonly string[]): ReturnType<typeof launchOf> {
    const { template, planes, claim, settings } = this;
    return launchOf(
      { template, planes, zonesLeft: new Set(claim.zones), types: types.map((name) => this.index(name)) },
      settings,
    );
  }

  /** Whether a requirement of the pool has minValues. */
  get hasMinValues(): boolean {
    return minValuesOf(this.template.requirements).length > 0;
  }

  /**
   * Karpenter's error if these types do not meet minValues. With BestEffort the minimum is at most the number of values
   * that the claim had before.
   */
  minValuesError(types: readonly string[]): string | undefined {
    const short = minValuesOf(this.template.requirements).filter(([key, minimum]) => {
      const least =
        this.settings.minValuesPolicy === 'BestEffort'
          ? Math.min(minimum, this.variety(key, this.claim.instanceTypes))
          : minimum;
      return this.variety(key, types) < least;
    });
    return short.length === 0 ? undefined : minValuesError(short.map(([key]) => key));
  }

  private variety(key: string, types: readonly string[]): number {
    const allows = (value: string) => {
      if (key === Label.ZONE) return this.claim.zones.includes(value);
      return key === Label.CAPACITY_TYPE
        ? this.capacityTypes.includes(value)
        : this.template.requirements.get(key).has(value);
    };
    return distinctValues(
      this.template.table,
      key,
      types.map((name) => this.index(name)),
      allows,
    ).length;
  }

  private index(name: string): number {
    return positions(this.template.table).get(name) ?? -1;
  }
}

const positions = memoizeByIdentity(
  (table: InstanceTypeTable): ReadonlyMap<string, number> => new Map(table.names.map((name, index) => [name, index])),
);
