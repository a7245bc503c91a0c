import { asRecord, FieldPath, misread, safeFix, setField, unsafeFix } from '../../../contract';
import { listText, nearestName } from '../../../model';
import { FieldReader, isToken } from '../field-reader';
import { PlainRecord, recordsOf } from '../records';

const PROBES = ['livenessProbe', 'readinessProbe', 'startupProbe'] as const;
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc'];

/** Rejects a probe without a handler or with two, and reports a port that the container does not have. */
export function checkProbes(reader: FieldReader, path: FieldPath, container: PlainRecord): void {
  for (const name of PROBES) {
    const probe = asRecord(container[name]);
    if (probe === undefined) continue;
    const probePath = [...path, name];
    const handlers = HANDLERS.filter((handler) => probe[handler] !== undefined && probe[handler] !== null);
    if (handlers.length === 0)
      reader.reject(probePath, `must have ${listText(HANDLERS, 'or')}`, probe, 'add one of them, or remove the probe');
    if (handlers.length > 1)
      reader.reject(
        [...probePath, handlers[1]],
        `must not be set beside ${handlers[0]}, because a probe has one handler`,
        probe[handlers[1]],
        'keep one of them',
      );
    for (const handler of handlers)
      checkPort(reader, [...probePath, handler, 'port'], asRecord(probe[handler])?.port, container, name);
    if (name !== 'readinessProbe' && typeof probe.successThreshold === 'number' && probe.successThreshold > 1)
      reader.reject(
        [...probePath, 'successThreshold'],
        `must be 1 in a ${name}`,
        probe.successThreshold,
        'write 1, or remove it',
        unsafeFix(setField([...probePath, 'successThreshold'], 1)),
      );
  }
}

/** The kubelet looks a name up in the ports of the same container. */
function checkPort(
  reader: FieldReader,
  path: FieldPath,
  port: unknown,
  { ports }: PlainRecord,
  probe: (typeof PROBES)[number],
): void {
  if (typeof port !== 'string' || port === '' || isToken(port)) return;
  if (/^\d+$/.test(port)) {
    reader.reject(
      path,
      'must be a number, or the name of a port',
      port,
      `write ${port}, without quotes`,
      safeFix(setField(path, Number(port))),
    );
    return;
  }
  const names = recordsOf(ports).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  if (names.includes(port) || names.some(isToken)) return;
  const meant = nearestName(port, names) ?? (names.length === 1 ? names[0] : undefined);
  // The kubelet throws away the results of a probe with an error: the first result stays for ever.
  const isAlive = probe === 'livenessProbe';
  const effect = isAlive ? 'the kubelet never restarts the container' : 'the pod never gets ready';
  reader.add({
    ...misread(
      path,
      `must be the name of a port of the container, or the probe never runs: ${effect}`,
      port,
      meant === undefined ? 'write the number of the port, or name the port in ports' : `write ${meant}`,
      meant === undefined ? undefined : unsafeFix(setField(path, meant)),
    ),
    isSevere: !isAlive,
  });
}
