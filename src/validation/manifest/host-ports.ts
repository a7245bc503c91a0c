import { isIPv6 } from 'node:net';
import { FieldReader } from './field-reader';
import { FieldPath } from './model';
import { PlainRecord } from './records';
import { asRecord } from '../../contract';
import { HostPort } from '../../scheduling';

const MOST = 65_535;

/** Ports of the node that regular containers take; those of init containers and sidecars do not count for Karpenter. */
export function readHostPorts(reader: FieldReader, path: FieldPath, spec: PlainRecord): HostPort[] {
  // What is no list or no object in it was reported where the requests are read.
  const containers: readonly unknown[] = Array.isArray(spec.containers) ? spec.containers : [];
  return containers.flatMap((container, i) => reader.records([...path, 'containers', i, 'ports'], asRecord(container)?.ports)
    .flatMap(({ at, item }) => readPort(reader, at, item, spec.hostNetwork === true) ?? []));
}

/** With hostNetwork every container port is a host port. */
function readPort(reader: FieldReader, at: FieldPath, item: PlainRecord, hostNetwork: boolean): HostPort | undefined {
  const containerPort = portNumber(reader, [...at, 'containerPort'], item.containerPort);
  const port = portNumber(reader, [...at, 'hostPort'], item.hostPort) ?? 0;
  const protocol = reader.oneOf([...at, 'protocol'], item.protocol ?? 'TCP', ['TCP', 'UDP', 'SCTP']) ?? 'TCP';
  const ip = reader.text([...at, 'hostIP'], item.hostIP) ?? '';
  const taken = port === 0 && hostNetwork ? containerPort ?? 0 : port;
  return taken === 0 ? undefined : { ip: ip === '' ? '0.0.0.0' : canonicalAddress(ip), port: taken, protocol };
}

function portNumber(reader: FieldReader, path: FieldPath, value: unknown): number | undefined {
  const port = reader.count(path, value);
  return port !== undefined && port > MOST ? reader.reject(path, `must be at most ${MOST}`, port, `write 1 to ${MOST}`) : port;
}

/** One spelling for each IPv6 address. */
function canonicalAddress(ip: string): string {
  return isIPv6(ip) && !ip.includes('%') ? new URL(`http://[${ip}]`).hostname.slice(1, -1) : ip;
}
