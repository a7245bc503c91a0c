import { Candidate, Scene } from './candidates';
import { Command, commandOf, DisruptionMethod, TerminateFirstReason } from './command';
import { simulate } from './simulation';
import { Label } from '../model';
import { fullReservations, templateOf } from '../scheduling';

/**
 * Nodes that go before there is another for their pods, as there can be none before they have gone: the feature gates TerminateFirstDrift
 * and TerminateFirstRepair.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go
 */
export function terminateFirst(method: DisruptionMethod, candidate: Candidate, reason: TerminateFirstReason): Command {
  return { ...commandOf(method, [candidate]), decision: 'terminate-first', terminateFirst: reason };
}

/**
 * Whether all that the pods of a node lack is its own place in a capacity reservation: with it, and waiting for no other, they are all
 * placed. Ask where they are not without it.
 *
 * @param includesKept as for a simulation
 */
export function fitsOnceGone(candidate: Candidate, scene: Scene, includesKept = false): boolean {
  const freed = reservationOf(candidate);
  return freed !== undefined && simulate(scene, [candidate], false, { includesKept, freed }).failure() === undefined;
}

/** Those without room that new nodes of a static pool could only be launched into; undefined where they could be launched. */
export function fullReservationsOf(pool: string, { cluster, prices }: Scene): ReadonlySet<string> | undefined {
  const { scheduling, catalog } = cluster;
  const template = templateOf(scheduling.nodePools.find(({ name }) => name === pool)!, scheduling, catalog)!;
  return fullReservations(template, prices.get(pool)!);
}

/** Whether the node leaves a place in one of the reservations when it goes. */
export function isInOneOf(reservations: ReadonlySet<string>, candidate: Candidate): boolean {
  const id = reservationOf(candidate);
  return id !== undefined && reservations.has(id);
}

function reservationOf({ node: { labels } }: Candidate): string | undefined {
  return labels[Label.CAPACITY_TYPE] === 'reserved' ? labels[Label.CAPACITY_RESERVATION_ID] || undefined : undefined;
}
