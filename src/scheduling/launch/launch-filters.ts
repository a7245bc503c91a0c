import { InstanceTypeTable, OfferingPlane } from '../../catalog';
import { Label, memoizeByIdentity } from '../../model';

/** Accelerators: Karpenter prefers types without them. */
const ACCELERATORS = [
  'aws.amazon.com/neuron',
  'aws.amazon.com/neuroncore',
  'amd.com/gpu',
  'nvidia.com/gpu',
  'habana.ai/gaudi',
];

/** Instance types with the offerings that a claim may use. */
export interface OfferedTypes {
  readonly types: readonly number[];
  readonly offers: (type: number, plane: OfferingPlane) => boolean;
}

/** Removes bare metal types and types with accelerators, unless no other type is left. */
export function exoticInstanceTypeFilter(offered: OfferedTypes, table: InstanceTypeTable): OfferedTypes {
  const exotic = exoticTypes(table);
  const generic = offered.types.filter((type) => exotic[type] === 0);
  return generic.length === 0 ? offered : { ...offered, types: generic };
}

/** Removes spot offerings that cost more than the cheapest on-demand offering, if the claim may use both. */
export function spotInstanceFilter(offered: OfferedTypes, planes: readonly OfferingPlane[]): OfferedTypes {
  let onDemand = Infinity;
  let hasSpot = false;
  for (const plane of planes) {
    const isSpot = plane.capacityType === 'spot';
    if (isSpot ? hasSpot : plane.capacityType !== 'on-demand') continue;
    for (const type of offered.types) {
      if (!offered.offers(type, plane)) continue;
      if (isSpot) hasSpot = true;
      else if (plane.usdPerHour[type] < onDemand) onDemand = plane.usdPerHour[type];
    }
  }
  if (onDemand === Infinity || !hasSpot) return offered;
  const offers = (type: number, plane: OfferingPlane) =>
    offered.offers(type, plane) && !(plane.capacityType === 'spot' && plane.usdPerHour[type] > onDemand);
  return { types: offered.types.filter((type) => planes.some((plane) => offers(type, plane))), offers };
}

/**
 * If there are reserved offerings, keeps those of one kind of reservation, the cheapest kind: one request cannot mix
 * kinds. Of capacity blocks, only the cheapest offering is kept. Of other kinds, only the reservation with the most
 * free instances is kept for each type and zone.
 */
export function capacityReservationTypeFilter(
  offered: OfferedTypes,
  planes: readonly OfferingPlane[],
  names: readonly string[],
): OfferedTypes {
  const offers = reservedOffers(offered, planes);
  if (offers.length === 0) return offered;
  const best = offers.reduce((left, right) =>
    right.price < left.price || (right.price === left.price && right.rank < left.rank) ? right : left,
  );
  const ofKind = offers.filter(({ rank }) => rank === best.rank);
  const kept = best.rank === BLOCK ? [cheapestBlock(ofKind, names)] : withMostFree(ofKind);
  return {
    types: offered.types.filter((type) => kept.some((offer) => offer.type === type)),
    offers: (type, plane) => kept.some((offer) => offer.type === type && offer.plane === plane),
  };
}

interface ReservedOffer {
  readonly type: number;
  readonly plane: OfferingPlane;
  readonly price: number;
  /** Rank of the reservation's kind: with equal prices the lowest rank wins. */
  readonly rank: number;
}

const BLOCK = 1;
const INTERRUPTIBLE = 2;

function reservedOffers({ types, offers }: OfferedTypes, planes: readonly OfferingPlane[]): ReservedOffer[] {
  return planes.flatMap((plane) => {
    const { reservation, usdPerHour } = plane;
    if (!reservation) return [];
    const rank = reservation.type === 'capacity-block' ? BLOCK : reservation.interruptible ? INTERRUPTIBLE : 0;
    return types.filter((type) => offers(type, plane)).map((type) => ({ type, plane, price: usdPerHour[type], rank }));
  });
}

function cheapestBlock(offers: readonly ReservedOffer[], names: readonly string[]): ReservedOffer {
  return offers.reduce((left, right) =>
    right.price < left.price || (right.price === left.price && names[right.type] < names[left.type]) ? right : left,
  );
}

function withMostFree(offers: readonly ReservedOffer[]): ReservedOffer[] {
  const best = new Map<string, ReservedOffer>();
  for (const offer of offers) {
    const key = `${offer.type} ${offer.plane.zone}`;
    const previous = best.get(key);
    if (!previous || offer.plane.reservation!.free > previous.plane.reservation!.free) best.set(key, offer);
  }
  return [...best.values()];
}

/** 1 for bare metal types and types with accelerators. */
const exoticTypes = memoizeByIdentity((table: InstanceTypeTable): Uint8Array => {
  const sizes = table.labels.find(({ key }) => key === Label.INSTANCE_SIZE);
  const accelerators = ACCELERATORS.map((resource) => table.capacity[table.resources.indexOf(resource)]).filter(
    (column) => column !== undefined,
  );
  return Uint8Array.from(table.names, (_, type) => {
    const metal = sizes?.values[sizes.codes[type]]?.includes('metal') ?? false;
    return metal || accelerators.some((column) => column[type] !== 0) ? 1 : 0;
  });
});
