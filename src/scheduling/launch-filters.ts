import { InstanceTypeTable, OfferingPlane } from '../catalog';
import { Label } from '../model';

/** Capacities that make a type one that is only for those who ask for it. */
const ACCELERATORS = ['aws.amazon.com/neuron', 'aws.amazon.com/neuroncore', 'amd.com/gpu', 'nvidia.com/gpu', 'habana.ai/gaudi'];

/** Types with the offerings that a claim may have of them. */
export interface Offered {
  readonly types: readonly number[];
  readonly offers: (type: number, plane: OfferingPlane) => boolean;
}

/** Leaves bare metal and accelerators out, unless there is nothing else. */
export function withoutExotic(offered: Offered, table: InstanceTypeTable): Offered {
  const exotic = exoticTypes(table);
  const generic = offered.types.filter((type) => exotic[type] === 0);
  return generic.length === 0 ? offered : { ...offered, types: generic };
}

/** Where both are to be had, leaves out spot offerings that cost more than the cheapest on-demand offering of all the types. */
export function withoutDearSpot(offered: Offered, planes: readonly OfferingPlane[]): Offered {
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
  const offers = (type: number, plane: OfferingPlane) => offered.offers(type, plane)
    && !(plane.capacityType === 'spot' && plane.usdPerHour[type] > onDemand);
  return { types: offered.types.filter((type) => planes.some((plane) => offers(type, plane))), offers };
}

/**
 * Of reserved offerings, those of one kind of reservation, the cheapest: one request cannot mix them. Of capacity blocks then the one
 * cheapest offering; of others, where a type has several reservations in a zone, the one with the most room.
 */
export function ofOneReservationKind(offered: Offered, planes: readonly OfferingPlane[], names: readonly string[]): Offered {
  const offers = reservedOffers(offered, planes);
  if (offers.length === 0) return offered;
  const best = offers.reduce((left, right) => right.price < left.price || (right.price === left.price && right.rank < left.rank) ? right : left);
  const ofKind = offers.filter(({ rank }) => rank === best.rank);
  const kept = best.rank === BLOCK ? [cheapestBlock(ofKind, names)] : roomiest(ofKind);
  return {
    types: offered.types.filter((type) => kept.some((offer) => offer.type === type)),
    offers: (type, plane) => kept.some((offer) => offer.type === type && offer.plane === plane),
  };
}

interface ReservedOffer {
  readonly type: number;
  readonly plane: OfferingPlane;
  readonly price: number;
  /** Of its kind: at equal prices the first is taken. */
  readonly rank: number;
}

const BLOCK = 1;
const INTERRUPTIBLE = 2;

function reservedOffers({ types, offers }: Offered, planes: readonly OfferingPlane[]): ReservedOffer[] {
  return planes.flatMap((plane) => {
    const { reservation, usdPerHour } = plane;
    if (!reservation) return [];
    const rank = reservation.type === 'capacity-block' ? BLOCK : reservation.interruptible ? INTERRUPTIBLE : 0;
    return types.filter((type) => offers(type, plane)).map((type) => ({ type, plane, price: usdPerHour[type], rank }));
  });
}

function cheapestBlock(offers: readonly ReservedOffer[], names: readonly string[]): ReservedOffer {
  return offers.reduce((left, right) =>
    right.price < left.price || (right.price === left.price && names[right.type] < names[left.type]) ? right : left);
}

function roomiest(offers: readonly ReservedOffer[]): ReservedOffer[] {
  const best = new Map<string, ReservedOffer>();
  for (const offer of offers) {
    const key = `${offer.type} ${offer.plane.zone}`;
    const other = best.get(key);
    if (!other || offer.plane.reservation!.free > other.plane.reservation!.free) best.set(key, offer);
  }
  return [...best.values()];
}

const known = new WeakMap<InstanceTypeTable, Uint8Array>();

function exoticTypes(table: InstanceTypeTable): Uint8Array {
  let found = known.get(table);
  if (found === undefined) {
    found = judgeTypes(table);
    known.set(table, found);
  }
  return found;
}

function judgeTypes(table: InstanceTypeTable): Uint8Array {
  const sizes = table.labels.find(({ key }) => key === Label.INSTANCE_SIZE);
  const accelerators = ACCELERATORS.map((resource) => table.capacity[table.resources.indexOf(resource)]).filter((column) => column !== undefined);
  return Uint8Array.from(table.names, (_, type) => {
    const metal = sizes?.values[sizes.codes[type]]?.includes('metal') ?? false;
    return metal || accelerators.some((column) => column[type] !== 0) ? 1 : 0;
  });
}
