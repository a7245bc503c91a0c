import { DEFAULT_TERMINATION_GRACE_SECONDS } from '../../../contract';
import { child, Json, recordsIn, EditableWorkload } from '../editable-workload';
import { placementOf } from '../placement';
import { Settings, MAX_GRACE_SECONDS } from '../settings';

const PROBE = { periodSeconds: 5, failureThreshold: 3 };
const TIMEOUT_SECONDS = 1;
const HANDLERS = ['httpGet', 'tcpSocket', 'grpc', 'exec'];

/** Reuses the handler of another probe, or else probes the first TCP port. */
export function readiness({ containers }: EditableWorkload): undefined {
  for (const container of containers) {
    if (container.readinessProbe) continue;
    const otherProbe = [container.startupProbe, container.livenessProbe].find((probe) => handlerOf(probe));
    const handler = handlerOf(otherProbe) ?? tcpHandler(container);
    // Keeps the timeout of the other probe: with a shorter one, the pod might never be ready.
    if (handler)
      container.readinessProbe = {
        ...structuredClone(handler),
        ...PROBE,
        timeoutSeconds: otherProbe?.timeoutSeconds ?? TIMEOUT_SECONDS,
      };
  }
}

export function firstTcpPort(container: Json): number | undefined {
  return recordsIn(container.ports).find(
    ({ protocol, containerPort }) => (protocol ?? 'TCP') === 'TCP' && Number.isSafeInteger(containerPort),
  )?.containerPort;
}

function handlerOf(probe: Json | undefined): Json | undefined {
  const kind = HANDLERS.find((handler) => probe?.[handler] !== undefined);
  return kind === undefined ? undefined : { [kind]: probe![kind] };
}

function tcpHandler(container: Json): Json | undefined {
  const port = firstTcpPort(container);
  return port === undefined ? undefined : { tcpSocket: { port } };
}
const GRACE_SECONDS = 60;

/** Leaves the container time to stop after the preStop delay, within the spot interruption notice. */
export function terminationGrace({ pod }: EditableWorkload, settings: Settings): string | undefined {
  const written = pod.terminationGracePeriodSeconds;
  if (written === undefined || written === null || written === settings.defaults.graceSeconds) {
    pod.terminationGracePeriodSeconds = Math.max(
      GRACE_SECONDS,
      settings.preStopSeconds + DEFAULT_TERMINATION_GRACE_SECONDS,
    );
    return undefined;
  }
  const onSpot = !placementOf(settings)?._onDemandOnly;
  return onSpot && Number(written) > MAX_GRACE_SECONDS
    ? `${written} seconds, of the ${MAX_GRACE_SECONDS} that a spot instance leaves`
    : undefined;
}

/**
 * The delay is part of the grace period. It takes at most half of it, or more if the container still has the default
 * grace period after the delay.
 */
export function preStop({ pod, containers, isWindows }: EditableWorkload, { preStopSeconds }: Settings): undefined {
  const grace = Number(pod.terminationGracePeriodSeconds ?? DEFAULT_TERMINATION_GRACE_SECONDS);
  const seconds = Math.min(preStopSeconds, Math.max(Math.floor(grace / 2), grace - DEFAULT_TERMINATION_GRACE_SECONDS));
  if (!(seconds > 0) || isWindows) return;
  for (const container of containers) {
    if (firstTcpPort(container) === undefined || container.lifecycle?.preStop) continue;
    child(container, 'lifecycle').preStop = { sleep: { seconds } };
  }
}
