import { Json, recordsIn, Subject } from '../subject';

const PROBE = { periodSeconds: 5, failureThreshold: 3, timeoutSeconds: 1 };
const HANDLERS = ['httpGet', 'tcpSocket', 'grpc', 'exec'];

/** Asks what another probe asks already, or else whether the port answers. */
export function readiness({ containers }: Subject): undefined {
  for (const container of containers) {
    if (container.readinessProbe) continue;
    const handler = handlerOf(container.startupProbe) ?? handlerOf(container.livenessProbe) ?? tcpHandler(container);
    if (handler) container.readinessProbe = { ...structuredClone(handler), ...PROBE };
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
