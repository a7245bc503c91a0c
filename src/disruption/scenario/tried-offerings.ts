import { OfferingKey } from '../../catalog';
import { Label } from '../../model';
import { withRoom } from '../../scheduling';
import { Cluster, ClusterNode, Instant } from '../cluster';
import { UnavailableOfferings, withAllOffered } from './offerings';

/** Whoever launches: of its cluster the classes offer what is tried. */
interface Launching {
  cluster: Cluster;
  readonly unavailable: UnavailableOfferings;
  /** Whether a place is to be looked for anew for pods that wait. */
  unsettled: boolean;
  after(seconds: number): Instant;
}

/** Launches nothing of an offering for some time. */
export function avoid(world: Launching, offering: OfferingKey, seconds: number): void {
  world.unavailable.add(offering, world.after(seconds));
  tryOffered(world);
}

/** Tries what is not to be left alone now, and no more. */
export function tryOffered(world: Launching): void {
  offer(world, withAllOffered(world.cluster.scheduling.nodeClasses));
  world.unsettled = true;
}

/** A node goes from a capacity reservation, or comes to one. */
export function leaveRoom(world: Launching, node: ClusterNode | undefined, change: 1 | -1): void {
  const id = node?.labels[Label.CAPACITY_RESERVATION_ID];
  if (id === undefined) return;
  const all = withAllOffered(world.cluster.scheduling.nodeClasses);
  const left = withRoom(all, id, change);
  if (left !== all) offer(world, left);
}

/** Of these classes all that is tried. */
function offer(world: Launching, all: Cluster['scheduling']['nodeClasses']): void {
  const { cluster, unavailable } = world;
  world.cluster = { ...cluster, scheduling: { ...cluster.scheduling, nodeClasses: unavailable.without(all) } };
}
