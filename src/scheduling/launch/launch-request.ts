import {
  OfferedTypes,
  capacityReservationTypeFilter,
  spotInstanceFilter,
  exoticInstanceTypeFilter,
} from './launch-filters';
import { cheapestOffer, distinct } from './launch-pricing';
import { minValuesError, minValuesOf, unmetMinValues } from './min-values';
import { PoolTemplate } from './pool-template';
import { OfferingPlane } from '../../catalog';
import { Label } from '../../model';
import { SchedulingSettings } from '../input/schedule-input';
import { LaunchRequest, PlannedNodeClaim } from '../schedule-plan';

/** A NodeClaim lists at most this many instance types, the cheapest. */
const MAX_CLAIM_TYPES = 600;
/** A request to EC2 lists at most this many instance types, the cheapest. */
const MAX_LAUNCH_TYPES = 60;

/** The types and offerings that a claim may be launched with. */
export interface Launchable {
  readonly template: Pick<PoolTemplate, 'table' | 'requirements'>;
  /** The offerings that the claim's requirements allow. */
  readonly planes: readonly OfferingPlane[];
  /** Zones that the claim's requirements allow, including zones without an offering. */
  readonly zonesLeft: ReadonlySet<string>;
  /** Cheapest first. */
  readonly types: readonly number[];
  /** A NodeClaim of a static pool lists no types, and does not record that overlays apply. */
  readonly isStatic?: boolean;
}

/** A claim as the scheduler creates it. */
export interface LaunchableClaim extends Launchable {
  readonly template: PoolTemplate;
}

/**
 * Karpenter's error if it drops a claim because the cheapest 600 types do not meet minValues; undefined if it keeps the
 * claim.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/scheduler.go
 */
export function claimRefusal(claim: LaunchableClaim, settings: SchedulingSettings): string | undefined {
  const error = truncationError(claim, claim.types.slice(0, MAX_CLAIM_TYPES), settings);
  return (
    error &&
    `pod didn’t schedule because NodePool couldn’t meet minValues requirements, ${error} (NodePool=${claim.template.pool.name})`
  );
}

/**
 * The request that Karpenter sends to EC2. With minValues, Karpenter skips the exotic and spot filters,
 * because they might leave too few types.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/filter/filter.go
 */
export function launchOf(
  claim: Launchable,
  settings: SchedulingSettings,
): Pick<PlannedNodeClaim, 'launch' | 'launchFailure'> {
  const {
    template: { table, requirements },
    planes,
  } = claim;
  const named = claim.isStatic ? claim.types : claim.types.slice(0, MAX_CLAIM_TYPES);
  let offered: OfferedTypes = {
    types: named.filter((type) => planes.some((plane) => isLaunchable(plane, type))),
    offers: (type, plane) => isLaunchable(plane, type),
  };
  if (offered.types.length === 0)
    return { launchFailure: 'insufficient capacity, all requested instance types were unavailable during launch' };
  offered = capacityReservationTypeFilter(offered, planes, table.names);
  if (minValuesOf(requirements).length === 0)
    offered = spotInstanceFilter(exoticInstanceTypeFilter(offered, table), planes);
  const requested = cheapestTypes(offered, claim);
  const error = truncationError(claim, requested, settings);
  if (error)
    return {
      launchFailure: `insufficient capacity, truncating instance types based on the passed-in requirements, ${error}`,
    };
  const overlaid = !claim.isStatic && named.some((type) => table.priceOverlaid?.[type] === 1);
  return { launch: requestOf({ ...offered, types: requested }, claim, overlaid) };
}

/** A full reservation is an offering that cannot be launched. */
function isLaunchable({ usdPerHour, reservation }: OfferingPlane, type: number): boolean {
  return !Number.isNaN(usdPerHour[type]) && reservation?.free !== 0;
}

function truncationError(
  claim: Launchable,
  types: readonly number[],
  { minValuesPolicy }: SchedulingSettings,
): string | undefined {
  if (minValuesPolicy === 'BestEffort') return undefined;
  const short = unmetMinValues(claim.template, types, (key, value) => allows(claim, key, value));
  return short.length === 0 ? undefined : `validating minValues, ${minValuesError(short)}`;
}

/**
 * Whether the claim allows the value. Pods narrow only zones, capacity types and partitions; each type has one value of
 * every other label.
 */
function allows({ template, planes, zonesLeft }: Launchable, key: string, value: string): boolean {
  if (key === Label.ZONE) return zonesLeft.has(value);
  if (key === Label.CAPACITY_TYPE) return planes.some(({ capacityType }) => capacityType === value);
  if (key === Label.PLACEMENT_GROUP_PARTITION) return planes.some(({ partition }) => partition === value);
  return template.requirements.get(key).has(value);
}

function cheapestTypes({ types, offers }: OfferedTypes, { template: { table }, planes }: Launchable): number[] {
  const priced = types.map((type) => ({ type, price: lowestOffered(type, planes, offers) }));
  return priced
    .sort((left, right) => left.price - right.price || (table.names[left.type] < table.names[right.type] ? -1 : 1))
    .slice(0, MAX_LAUNCH_TYPES)
    .map(({ type }) => type);
}

function lowestOffered(type: number, planes: readonly OfferingPlane[], offers: OfferedTypes['offers']): number {
  let lowest = Infinity;
  for (const plane of planes)
    if (plane.usdPerHour[type] < lowest && offers(type, plane)) lowest = plane.usdPerHour[type];
  return lowest;
}

function requestOf(
  { types, offers }: OfferedTypes,
  { template: { table }, planes }: Launchable,
  overlaid: boolean,
): LaunchRequest {
  const capacityType = ['reserved', 'spot', 'on-demand'].find((candidate) =>
    planes.some((plane) => plane.capacityType === candidate && types.some((type) => offers(type, plane))),
  )!;
  const requested = planes.filter(
    (plane) => plane.capacityType === capacityType && types.some((type) => offers(type, plane)),
  );
  const prices = new Map(types.map((type) => [type, lowestOffered(type, requested, offers)]));
  const candidates = types
    .filter((type) => prices.get(type)! < Infinity)
    .sort((left, right) => prices.get(left)! - prices.get(right)! || (table.names[left] < table.names[right] ? -1 : 1));
  return {
    capacityType,
    allocationStrategy: allocationStrategy(capacityType, requested, overlaid),
    instanceTypes: candidates.map((type) => table.names[type]),
    zones: distinct(requested.map(({ zone }) => zone)),
    cheapest: cheapestOffer(
      table,
      requested.filter((plane) => offers(candidates[0], plane)),
      candidates[0],
    ),
  };
}

function allocationStrategy(
  capacityType: string,
  requested: readonly OfferingPlane[],
  overlaid: boolean,
): LaunchRequest['allocationStrategy'] {
  if (requested.some(({ reservation }) => reservation?.type === 'capacity-block' || reservation?.interruptible))
    return 'none';
  if (capacityType === 'spot') return overlaid ? 'capacity-optimized-prioritized' : 'price-capacity-optimized';
  return overlaid ? 'prioritized' : 'lowest-price';
}
