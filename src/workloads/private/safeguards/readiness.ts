import { Json, recordsIn, Subject } from '../subject';

const PROBE = { periodSeconds: 5, failureThreshold: 3 };
const TIMEOUT_SECONDS = 1;
const HANDLERS = ['httpGet', 'tcpSocket', 'grpc', 'exec'];

/** Asks what another probe asks already, or else whether the port answers. */
export function readiness({ containers }: Subject): undefined {
  for (const container of containers) {
    if (container.readinessProbe) continue;
    const asked = [container.startupProbe, container.livenessProbe].find((probe) => handlerOf(probe));
    const handler = handlerOf(asked) ?? tcpHandler(container);
    // An answer that may take its time there may take it here: otherwise the pod would never be ready.
    if (handler) container.readinessProbe = { ...structuredClone(handler), ...PROBE, timeoutSeconds: asked?.timeoutSeconds ?? TIMEOUT_SECONDS };
  }
}

export function firstTcpPort(container: Json): number | undefined {
  return recordsIn(container.ports).find(({ protocol, containerPort }) => (protocol ?? 'TCP') === 'TCP' && Number.isSafeInteger(containerPort))?.containerPort;
}

function handlerOf(probe: Json | undefined): Json | undefined {
  const kind = HANDLERS.find((handler) => probe?.[handler] !== undefined);
  return kind === undefined ? undefined : { [kind]: probe![kind] };
}

function tcpHandler(container: Json): Json | undefined {
  const port = firstTcpPort(container);
  return port === undefined ? undefined : { tcpSocket: { port } };
}
