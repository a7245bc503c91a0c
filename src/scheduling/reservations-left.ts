import { NodeClassFacts, OfferingPlane, ReservationFacts } from '../catalog';
import { PlannedNodeClaim } from './schedule-plan';

/** Instances by the id of the capacity reservation that they are launched into. */
export type TakenInstances = ReadonlyMap<string, number>;

export function takenBy(claims: ReadonlyArray<Pick<PlannedNodeClaim, 'launch'>>): Map<string, number> {
  const taken = new Map<string, number>();
  for (const { launch } of claims) {
    const id = launch?.cheapest.reservation;
    if (id !== undefined) taken.set(id, (taken.get(id) ?? 0) + 1);
  }
  return taken;
}

/** The classes with what is left of their reservations. Of one that nobody has counted there is always enough. */
export function classesAfter(classes: ReadonlyMap<string, NodeClassFacts>, taken: TakenInstances): ReadonlyMap<string, NodeClassFacts> {
  if (taken.size === 0) return classes;
  return new Map([...classes].map(([name, facts]) => [name, {
    ...facts,
    reservations: facts.reservations?.map((reservation) => reservation.free === undefined ? reservation
      : { ...reservation, free: Math.max(0, reservation.free - (taken.get(reservation.id) ?? 0)) }),
  }]));
}

/** The offerings with what is left of their reservations: a full one is still there. */
export function planesAfter(planes: readonly OfferingPlane[], taken: TakenInstances): OfferingPlane[] {
  return planes.map((plane) => plane.reservation && taken.has(plane.reservation.id)
    ? { ...plane, reservation: { ...plane.reservation, free: Math.max(0, plane.reservation.free - taken.get(plane.reservation.id)!) } } : plane);
}

type NodeClasses = ReadonlyMap<string, NodeClassFacts>;

/** The classes with room for an instance more, or fewer, in a reservation; the same object where nobody has counted its room, or none is left. */
export function withRoom(classes: NodeClasses, id: string, change: 1 | -1): NodeClasses {
  const isMeant = ({ id: other, free = -1 }: ReservationFacts) => other === id && free >= 0 && free + change >= 0;
  if (![...classes.values()].some(({ reservations = [] }) => reservations.some(isMeant))) return classes;
  const known = CHANGED.get(classes) ?? new Map<string, NodeClasses>();
  CHANGED.set(classes, known);
  const found = known.get(`${change} ${id}`) ?? new Map([...classes].map(([name, facts]) => [name, !facts.reservations ? facts : {
    ...facts, reservations: facts.reservations.map((each) => isMeant(each) ? { ...each, free: each.free! + change } : each),
  }]));
  known.set(`${change} ${id}`, found);
  // There and back again it is the same object.
  if (!CHANGED.has(found)) CHANGED.set(found, new Map([[`${-change} ${id}`, classes]]));
  return found;
}

const CHANGED = new WeakMap<NodeClasses, Map<string, NodeClasses>>();
