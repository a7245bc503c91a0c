import { PoolTemplate } from './pool-template';
import { admission, compatibleOfferings, compatibleTypes } from './type-filter';
import { InstanceTypeTable, NodeClassFacts, OfferingPlane, ReservationFacts } from '../../catalog';
import { Label, Requirements } from '../../model';
import { PlannedNodeClaim } from '../schedule-plan';

/** Number of launched instances by capacity reservation id. */
export type ReservedInstances = ReadonlyMap<string, number>;

export function reservedInstances(claims: ReadonlyArray<Pick<PlannedNodeClaim, 'launch'>>): Map<string, number> {
  const instances = new Map<string, number>();
  for (const { launch } of claims) {
    const id = launch?.cheapest.reservation;
    if (id !== undefined) instances.set(id, (instances.get(id) ?? 0) + 1);
  }
  return instances;
}

/**
 * The node classes with the reservation capacity that these launches leave. A reservation without a count is never
 * full.
 */
export function nodeClassesAfter(
  classes: ReadonlyMap<string, NodeClassFacts>,
  launched: ReservedInstances,
): ReadonlyMap<string, NodeClassFacts> {
  if (launched.size === 0) return classes;
  return new Map(
    [...classes].map(([name, facts]) => [
      name,
      {
        ...facts,
        reservations: facts.reservations?.map((reservation) =>
          reservation.free === undefined
            ? reservation
            : { ...reservation, free: Math.max(0, reservation.free - (launched.get(reservation.id) ?? 0)) },
        ),
      },
    ]),
  );
}

/**
 * The offerings with the reservation capacity that these launches leave. The offering of a full reservation stays in
 * the list.
 */
export function offeringsAfter(planes: readonly OfferingPlane[], launched: ReservedInstances): OfferingPlane[] {
  return planes.map((plane) =>
    plane.reservation && launched.has(plane.reservation.id)
      ? {
          ...plane,
          reservation: {
            ...plane.reservation,
            free: Math.max(0, plane.reservation.free - launched.get(plane.reservation.id)!),
          },
        }
      : plane,
  );
}

type NodeClasses = ReadonlyMap<string, NodeClassFacts>;

/**
 * The node classes with the free instances of one reservation changed by `change`; the same classes if the reservation
 * has no count, or none of its instances is left.
 *
 * Results are shared: equal changes give the same object, and the opposite change gives the original back. The
 * incremental solver re-encodes the pools for every new object, and simulations often take a reservation and return it.
 */
export function withReservationChange(classes: NodeClasses, id: string, change: 1 | -1): NodeClasses {
  const isAffected = ({ id: reservation, free = -1 }: ReservationFacts) =>
    reservation === id && free >= 0 && free + change >= 0;
  if (![...classes.values()].some(({ reservations = [] }) => reservations.some(isAffected))) return classes;
  const changes = CHANGED_CLASSES.get(classes) ?? new Map<string, NodeClasses>();
  CHANGED_CLASSES.set(classes, changes);
  const changed =
    changes.get(`${change} ${id}`) ??
    new Map(
      [...classes].map(([name, facts]) => [
        name,
        !facts.reservations
          ? facts
          : {
              ...facts,
              reservations: facts.reservations.map((reservation) =>
                isAffected(reservation) ? { ...reservation, free: reservation.free! + change } : reservation,
              ),
            },
      ]),
    );
  changes.set(`${change} ${id}`, changed);
  if (!CHANGED_CLASSES.has(changed)) CHANGED_CLASSES.set(changed, new Map([[`${-change} ${id}`, classes]]));
  return changed;
}

/** By node classes: the results of `withReservationChange` by change and reservation id. */
const CHANGED_CLASSES = new WeakMap<NodeClasses, Map<string, NodeClasses>>();

/**
 * Ids of the full capacity reservations that alone keep the pool from launching a node. Undefined if one of the pool's
 * reservations has room, or if EC2 sells one of the types on demand or as spot, even if it is unavailable now.
 *
 * @param everywhere the pool's instance types with all of their offerings, available or not
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go staticReservations
 */
export function fullReservations(
  { table, requirements }: PoolTemplate,
  everywhere: InstanceTypeTable,
): ReadonlySet<string> | undefined {
  const fits = compatibleTypes(table, requirements);
  const unreserved = compatibleOfferings(everywhere, requirements).filter(({ reservation }) => !reservation);
  if (unreserved.some(({ capacityType }) => isSold(capacityType, table, fits))) return undefined;
  const ids = new Set<string>();
  for (const { reservation, usdPerHour } of compatibleOfferings(table, requirements)) {
    if (!reservation || !fits.some((isFit, type) => isFit && !Number.isNaN(usdPerHour[type]))) continue;
    if (reservation.free > 0) return undefined;
    ids.add(reservation.id);
  }
  return ids;
}

/** Whether EC2 sells one of the types with this capacity type at all. */
function isSold(capacityType: string, { labels }: InstanceTypeTable, fits: readonly boolean[]): boolean {
  const column = labels.find(({ key }) => key === Label.CAPACITY_TYPE)!;
  const admits = admission(
    column,
    Requirements.fromLabels({ [Label.CAPACITY_TYPE]: capacityType }).get(Label.CAPACITY_TYPE),
  );
  return fits.some((isFit, type) => isFit && admits(type));
}
