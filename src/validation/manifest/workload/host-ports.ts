import { isIPv6 } from 'node:net';
import { asRecord } from '../../../contract';
import { HostPort } from '../../../scheduling';
import { FieldReader } from '../field-reader';
import { FieldPath } from '../model';
import { PlainRecord } from '../records';

const MAX_PORT = 65_535;

/**
 * The host ports of regular containers. Karpenter ignores those of init containers and sidecars.
 *
 * @param defaultsHostPorts whether the API server has defaulted the ports, as it does for pods, but not for templates
 */
export function readHostPorts(
  reader: FieldReader,
  path: FieldPath,
  spec: PlainRecord,
  defaultsHostPorts: boolean,
): HostPort[] {
  // A wrong type of the list or its items was reported when the requests were read.
  const containers: readonly unknown[] = Array.isArray(spec.containers) ? spec.containers : [];
  return containers.flatMap((container, i) =>
    reader
      .records([...path, 'containers', i, 'ports'], asRecord(container)?.ports)
      .flatMap(
        ({ itemPath, item }) => readPort(reader, itemPath, item, spec.hostNetwork === true && defaultsHostPorts) ?? [],
      ),
  );
}

/** With hostNetwork every container port is a host port. */
function readPort(reader: FieldReader, path: FieldPath, item: PlainRecord, hostNetwork: boolean): HostPort | undefined {
  const containerPort = readPortNumber(reader, [...path, 'containerPort'], item.containerPort);
  const writtenHostPort = readPortNumber(reader, [...path, 'hostPort'], item.hostPort) ?? 0;
  const protocol = reader.oneOf([...path, 'protocol'], item.protocol ?? 'TCP', ['TCP', 'UDP', 'SCTP']) ?? 'TCP';
  const ip = reader.string([...path, 'hostIP'], item.hostIP) ?? '';
  const port = writtenHostPort === 0 && hostNetwork ? (containerPort ?? 0) : writtenHostPort;
  return port === 0 ? undefined : { ip: ip === '' ? '0.0.0.0' : canonicalAddress(ip), port, protocol };
}

function readPortNumber(reader: FieldReader, path: FieldPath, value: unknown): number | undefined {
  const port = reader.count(path, value);
  return port !== undefined && port > MAX_PORT
    ? reader.reject(path, `must be at most ${MAX_PORT}`, port, `write 1 to ${MAX_PORT}`)
    : port;
}

/** One spelling for each IPv6 address. */
function canonicalAddress(ip: string): string {
  return isIPv6(ip) && !ip.includes('%') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}
