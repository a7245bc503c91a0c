import { OfferingPlane } from './instance-type-table';
import { RESERVED } from './label-columns';
import { ReservationFacts } from './node-class-facts';

/** What Karpenter divides the on-demand price by: next to nothing, and in the same order. */
const DISCOUNT = 10_000_000;

interface Scene {
  readonly names: readonly string[];
  readonly onDemand: Float64Array;
  readonly zones: readonly string[];
  readonly launchable: (type: number) => boolean;
}

/**
 * An offering for each reservation that something can be launched into, be there room left or not.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instancetype/offering/reserved_capacity_resolver.go
 */
export function reservedPlanes({ names, onDemand, zones, launchable }: Scene, reservations: readonly ReservationFacts[]): OfferingPlane[] {
  return reservations.flatMap(({ id, instanceType, zone, type: kind, interruptible, expiring, gated, free = Infinity }) => {
    const type = names.indexOf(instanceType);
    if (type < 0 || expiring || gated || !zones.includes(zone) || !launchable(type)) return [];
    const usdPerHour = new Float64Array(names.length).fill(NaN);
    usdPerHour[type] = Number.isNaN(onDemand[type]) ? 0 : onDemand[type] / DISCOUNT;
    return [{ zone, capacityType: RESERVED, usdPerHour, reservation: { id, type: kind, interruptible, free } }];
  });
}
