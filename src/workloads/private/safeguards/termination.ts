import { DEFAULT_TERMINATION_GRACE_SECONDS } from '../../../contract';
import { placementOf } from '../placement';
import { LONGEST_GRACE_SECONDS, Settings } from '../settings';
import { child, Subject } from '../subject';
import { firstTcpPort } from './readiness';

const GRACE_SECONDS = 60;

/** Time for the container to end after the delay, and within the notice of a spot instance. */
export function terminationGrace({ pod }: Subject, settings: Settings): string | undefined {
  const written = pod.terminationGracePeriodSeconds;
  if (written === undefined || written === null || written === settings.filledIn.graceSeconds) {
    pod.terminationGracePeriodSeconds = Math.max(GRACE_SECONDS, settings.preStopSeconds + DEFAULT_TERMINATION_GRACE_SECONDS);
    return undefined;
  }
  const onSpot = !placementOf(settings)?._onDemandOnly;
  return onSpot && Number(written) > LONGEST_GRACE_SECONDS ? `${written} seconds, of the ${LONGEST_GRACE_SECONDS} that a spot instance leaves` : undefined;
}

/**
 * The delay is part of the time to end: it takes at most half of it, or what leaves the container the time that it has
 * without.
 */
export function preStop({ pod, containers, isWindows }: Subject, { preStopSeconds }: Settings): undefined {
  const grace = Number(pod.terminationGracePeriodSeconds ?? DEFAULT_TERMINATION_GRACE_SECONDS);
  const seconds = Math.min(preStopSeconds, Math.max(Math.floor(grace / 2), grace - DEFAULT_TERMINATION_GRACE_SECONDS));
  if (!(seconds > 0) || isWindows) return;
  for (const container of containers) {
    if (firstTcpPort(container) === undefined || container.lifecycle?.preStop) continue;
    child(container, 'lifecycle').preStop = { sleep: { seconds } };
  }
}
