import { Label } from '../../model';
import { fullReservations, templateOf } from '../../scheduling';
import { DisruptionContext } from '../context';
import { ClusterState } from '../session';
import { simulateScheduling } from '../simulation/simulate-scheduling';
import { Candidate, Command, commandOf, DisruptionMethod, TerminateFirstReason } from '../types';

/**
 * Terminates a node before its replacement is launched, because the replacement needs the place that the node holds.
 * Requires the feature gate TerminateFirstDrift or TerminateFirstRepair.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/disruption/helpers.go
 */
export function terminateFirst(method: DisruptionMethod, candidate: Candidate, reason: TerminateFirstReason): Command {
  return { ...commandOf(method, [candidate]), decision: 'terminate-first', terminateFirst: reason };
}

/**
 * Whether all pods of the candidate are scheduled once its place in its capacity reservation is free, and no pod has to
 * wait for another reservation. Call it only if they are not scheduled otherwise.
 *
 * @param includesBlockedPods as in `SimulationOptions`
 */
export function fitsInFreedReservation(
  candidate: Candidate,
  context: DisruptionContext,
  includesBlockedPods = false,
): boolean {
  const creditedReservation = reservationOf(candidate);
  return (
    creditedReservation !== undefined &&
    simulateScheduling(context, [candidate], { includesBlockedPods, creditedReservation }).failure() === undefined
  );
}

/**
 * The ids of the full capacity reservations that a new node of a static pool would need; undefined if it can be
 * launched otherwise.
 */
export function fullStaticReservations(
  pool: string,
  { cluster: { scheduling, catalog }, prices }: ClusterState,
): ReadonlySet<string> | undefined {
  const template = templateOf(scheduling.nodePools.find(({ name }) => name === pool)!, scheduling, catalog)!;
  return fullReservations(template, prices.get(pool)!);
}

/** Whether terminating the candidate frees a place in one of the reservations. */
export function holdsReservation(candidate: Candidate, reservations: ReadonlySet<string>): boolean {
  const id = reservationOf(candidate);
  return id !== undefined && reservations.has(id);
}

function reservationOf({ node: { labels } }: Candidate): string | undefined {
  return labels[Label.CAPACITY_TYPE] === 'reserved' ? labels[Label.CAPACITY_RESERVATION_ID] || undefined : undefined;
}
