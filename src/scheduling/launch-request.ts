import { OfferingPlane } from '../catalog';
import { Label } from '../model';
import { Offered, ofOneReservationKind, withoutDearSpot, withoutExotic } from './launch-filters';
import { cheapestOffer, distinct } from './launch-options';
import { minValuesError, minValuesOf, unmetMinValues } from './min-values';
import { SchedulingSettings } from './schedule-input';
import { LaunchRequest, PlannedNodeClaim } from './schedule-plan';
import { PoolTemplate } from './templates';

/** The cheapest that a NodeClaim names. */
const MOST_CLAIM_TYPES = 600;
/** The cheapest that one request to EC2 names. */
const MOST_LAUNCH_TYPES = 60;

/** What a claim can be launched as. */
export interface Launchable {
  readonly template: Pick<PoolTemplate, 'table' | 'requirements'>;
  /** The zones, capacity types and reservations that are left to it. */
  readonly planes: readonly OfferingPlane[];
  /** Zones that it may name: into some of them it may have nothing to launch. */
  readonly zonesLeft: ReadonlySet<string>;
  /** Cheapest first. */
  readonly types: readonly number[];
  /** A NodeClaim of a static pool names no types, and says nothing of overlays. */
  readonly isStatic?: boolean;
}

/** A claim as the scheduler leaves it. */
export interface LaunchableClaim extends Launchable {
  readonly template: PoolTemplate;
}

/**
 * Why Karpenter gives a claim up when it cuts it to what a NodeClaim holds, in its own words; undefined where it keeps it.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/scheduling/scheduler.go
 */
export function claimRefusal(claim: LaunchableClaim, settings: SchedulingSettings): string | undefined {
  const error = truncationError(claim, claim.types.slice(0, MOST_CLAIM_TYPES), settings);
  return error && `pod didn’t schedule because NodePool couldn’t meet minValues requirements, ${error} (NodePool=${claim.template.pool.name})`;
}

/**
 * What Karpenter asks EC2 for. With minValues in the claim no filter runs: each might leave too little variety.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/filter/filter.go
 */
export function launchOf(claim: Launchable, settings: SchedulingSettings): Pick<PlannedNodeClaim, 'launch' | 'launchFailure'> {
  const { template: { table, requirements }, planes } = claim;
  const named = claim.isStatic ? claim.types : claim.types.slice(0, MOST_CLAIM_TYPES);
  let offered: Offered = {
    types: named.filter((type) => planes.some((plane) => isLaunchable(plane, type))),
    offers: (type, plane) => isLaunchable(plane, type),
  };
  if (offered.types.length === 0) return { launchFailure: 'insufficient capacity, all requested instance types were unavailable during launch' };
  offered = ofOneReservationKind(offered, planes, table.names);
  if (minValuesOf(requirements).length === 0) offered = withoutDearSpot(withoutExotic(offered, table), planes);
  const requested = cheapestTypes(offered, claim);
  const error = truncationError(claim, requested, settings);
  if (error) return { launchFailure: `insufficient capacity, truncating instance types based on the passed-in requirements, ${error}` };
  const overlaid = !claim.isStatic && named.some((type) => table.priceOverlaid?.[type] === 1);
  return { launch: requestOf({ ...offered, types: requested }, claim, overlaid) };
}

/** A reservation that is full is there, and nothing can be launched into it. */
function isLaunchable({ usdPerHour, reservation }: OfferingPlane, type: number): boolean {
  return !Number.isNaN(usdPerHour[type]) && reservation?.free !== 0;
}

function truncationError(claim: Launchable, types: readonly number[], { minValuesPolicy }: SchedulingSettings): string | undefined {
  if (minValuesPolicy === 'BestEffort') return undefined;
  const short = unmetMinValues(claim.template, types, (key, value) => allows(claim, key, value));
  return short.length === 0 ? undefined : `validating minValues, ${minValuesError(short)}`;
}

/** Pods narrow the zones, capacity types and partitions of a claim; every other label that types differ by they carry one value of. */
function allows({ template, planes, zonesLeft }: Launchable, key: string, value: string): boolean {
  if (key === Label.ZONE) return zonesLeft.has(value);
  if (key === Label.CAPACITY_TYPE) return planes.some(({ capacityType }) => capacityType === value);
  if (key === Label.PLACEMENT_GROUP_PARTITION) return planes.some(({ partition }) => partition === value);
  return template.requirements.get(key).has(value);
}

function cheapestTypes({ types, offers }: Offered, { template: { table }, planes }: Launchable): number[] {
  const priced = types.map((type) => ({ type, price: lowestOffered(type, planes, offers) }));
  return priced
    .sort((left, right) => left.price - right.price || (table.names[left.type] < table.names[right.type] ? -1 : 1))
    .slice(0, MOST_LAUNCH_TYPES)
    .map(({ type }) => type);
}

function lowestOffered(type: number, planes: readonly OfferingPlane[], offers: Offered['offers']): number {
  let lowest = Infinity;
  for (const plane of planes) if (plane.usdPerHour[type] < lowest && offers(type, plane)) lowest = plane.usdPerHour[type];
  return lowest;
}

function requestOf({ types, offers }: Offered, { template: { table }, planes }: Launchable, overlaid: boolean): LaunchRequest {
  const capacityType = ['reserved', 'spot', 'on-demand'].find((candidate) =>
    planes.some((plane) => plane.capacityType === candidate && types.some((type) => offers(type, plane))))!;
  const asked = planes.filter((plane) => plane.capacityType === capacityType && types.some((type) => offers(type, plane)));
  const prices = new Map(types.map((type) => [type, lowestOffered(type, asked, offers)]));
  const candidates = types.filter((type) => prices.get(type)! < Infinity)
    .sort((left, right) => prices.get(left)! - prices.get(right)! || (table.names[left] < table.names[right] ? -1 : 1));
  return {
    capacityType,
    allocationStrategy: allocationStrategy(capacityType, asked, overlaid),
    instanceTypes: candidates.map((type) => table.names[type]),
    zones: distinct(asked.map(({ zone }) => zone)),
    cheapest: cheapestOffer(table, asked.filter((plane) => offers(candidates[0], plane)), candidates[0]),
  };
}

function allocationStrategy(capacityType: string, asked: readonly OfferingPlane[], overlaid: boolean): LaunchRequest['allocationStrategy'] {
  if (asked.some(({ reservation }) => reservation?.type === 'capacity-block' || reservation?.interruptible)) return 'none';
  if (capacityType === 'spot') return overlaid ? 'capacity-optimized-prioritized' : 'price-capacity-optimized';
  return overlaid ? 'prioritized' : 'lowest-price';
}
