import { asRecord, FieldPath, misread, safeFix, setField, unsafeFix } from '../../../contract';
import { listText, nearestName, valueText } from '../../../model';
import { FieldReader, isToken } from '../field-reader';
import { PlainRecord, recordsOf } from '../records';
import { checkMemoryVolumes } from './memory-volumes';
import { checkProbes } from './probes';

const PORT_NAME = /^(?=.*[a-z])[a-z0-9]+(?:-[a-z0-9]+)*$/;
const LONGEST_PORT_NAME = 15;
/** The default of terminationGracePeriodSeconds. */
const GRACE_SECONDS = 30;
/** What a program needs after the hook to end its connections. */
const STOP_SECONDS = 30;
const MEDIA = ['', 'Memory', 'HugePages'];

/**
 * Rejects what the API server refuses in the volumes and containers of a pod, although each field has a value of its
 * type.
 *
 * @param claims - names of the claim templates, which are volumes of the pod, too
 * @see https://github.com/kubernetes/kubernetes/blob/v1.34.0/pkg/apis/core/validation/validation.go
 */
export function checkPodFields(
  reader: FieldReader,
  path: FieldPath,
  spec: PlainRecord,
  claims: readonly string[],
): void {
  checkVolumes(reader, [...path, 'volumes'], spec.volumes);
  checkMemoryVolumes(reader, path, spec);
  const volumes = [...textsOf(recordsOf(spec.volumes), 'name'), ...claims];
  const names = new Set<string>();
  for (const field of ['initContainers', 'containers']) {
    // An item that is no object is reported where the requests are read.
    const list: readonly unknown[] = Array.isArray(spec[field]) ? spec[field] : [];
    list.forEach((raw, i) => {
      const [container] = recordsOf([raw]);
      if (container === undefined) return;
      const containerPath = [...path, field, i];
      checkUnique(reader, [...containerPath, 'name'], container.name, names, 'container');
      checkPorts(reader, [...containerPath, 'ports'], container.ports, spec.hostNetwork === true);
      checkMounts(reader, [...containerPath, 'volumeMounts'], container.volumeMounts, volumes);
      checkEnvironment(reader, [...containerPath, 'env'], container.env);
      checkProbes(reader, containerPath, container);
      checkSleeps(reader, [...containerPath, 'lifecycle'], container.lifecycle, {
        path: [...path, 'terminationGracePeriodSeconds'],
        seconds: spec.terminationGracePeriodSeconds ?? GRACE_SECONDS,
      });
    });
  }
}

/** The API server compares the sleep action of a hook with the grace period. It does not read commands that sleep. */
function checkSleeps(
  reader: FieldReader,
  path: FieldPath,
  raw: unknown,
  grace: { readonly path: FieldPath; readonly seconds: unknown },
): void {
  const lifecycle = asRecord(raw) ?? {};
  for (const hook of ['postStart', 'preStop']) {
    const seconds = asRecord(asRecord(lifecycle[hook])?.sleep)?.seconds;
    if (typeof seconds !== 'number' || typeof grace.seconds !== 'number' || seconds <= grace.seconds) continue;
    const needed = seconds + STOP_SECONDS;
    reader.reject(
      [...path, hook, 'sleep', 'seconds'],
      `must be at most terminationGracePeriodSeconds, which is ${grace.seconds}`,
      seconds,
      `write terminationGracePeriodSeconds: ${needed}, which leaves ${STOP_SECONDS} s after the hook, or a shorter hook`,
      unsafeFix(setField(grace.path, needed)),
    );
  }
}

function textsOf(items: readonly PlainRecord[], field: string): string[] {
  return items.flatMap((item) => (typeof item[field] === 'string' ? [item[field]] : []));
}

function checkUnique(reader: FieldReader, path: FieldPath, name: unknown, seen: Set<string>, what: string): void {
  if (typeof name !== 'string' || name === '') return;
  if (seen.has(name))
    reader.reject(
      path,
      `must not be the name of another ${what} of the pod`,
      name,
      'write another name, or remove one',
    );
  seen.add(name);
}

function checkVolumes(reader: FieldReader, path: FieldPath, raw: unknown): void {
  const names = new Set<string>();
  recordsOf(raw).forEach((volume, i) => {
    const volumePath = [...path, i];
    checkUnique(reader, [...volumePath, 'name'], volume.name, names, 'volume');
    const sources = Object.keys(volume).filter((key) => key !== 'name' && volume[key] !== null && !isToken(key));
    if (sources.length > 1)
      reader.reject(
        [...volumePath, sources[1]],
        `must not be set beside ${listText(sources.filter((_, index) => index !== 1))}, because a volume has one source`,
        volume[sources[1]],
        'keep one of them, or write a volume for each',
      );
    const [emptyDir] = recordsOf([volume.emptyDir]);
    if (emptyDir !== undefined) checkMedium(reader, [...volumePath, 'emptyDir', 'medium'], emptyDir.medium);
  });
}

/** The API server accepts any text, and the kubelet refuses to set up the volume. */
function checkMedium(reader: FieldReader, path: FieldPath, medium: unknown): void {
  if (typeof medium !== 'string' || MEDIA.includes(medium) || medium.startsWith('HugePages-') || isToken(medium))
    return;
  const meant = MEDIA.find((name) => name.toLowerCase() === medium.toLowerCase()) ?? nearestName(medium, MEDIA);
  reader.add({
    ...misread(
      path,
      'must be Memory or HugePages: the kubelet knows no other medium, and the pod does not start',
      medium,
      meant === undefined ? 'remove it for a folder on the disk of the node' : `write ${meant}`,
      meant === undefined ? undefined : safeFix(setField(path, meant)),
    ),
    isSevere: true,
  });
}

function checkMounts(reader: FieldReader, path: FieldPath, raw: unknown, volumes: readonly string[]): void {
  const places = new Set<string>();
  recordsOf(raw).forEach(({ name, mountPath }, i) => {
    const namePath = [...path, i, 'name'];
    if (
      typeof name === 'string' &&
      name !== '' &&
      !isToken(name) &&
      !volumes.includes(name) &&
      !volumes.some(isToken)
    ) {
      const meant = nearestName(name, volumes);
      reader.reject(
        namePath,
        'must be the name of a volume of the pod',
        name,
        meant === undefined ? `add a volume ${name}, or remove the mount` : `write ${meant}`,
        meant === undefined ? undefined : unsafeFix(setField(namePath, meant)),
      );
    }
    if (typeof mountPath !== 'string' || isToken(mountPath)) return;
    if (places.has(mountPath))
      reader.reject(
        [...path, i, 'mountPath'],
        'must not be the path of another mount of the container',
        mountPath,
        'write another path, or remove one of the mounts',
      );
    places.add(mountPath);
  });
}

function checkPorts(reader: FieldReader, path: FieldPath, raw: unknown, hostNetwork: boolean): void {
  const names = new Set<string>();
  recordsOf(raw).forEach(({ name, containerPort, hostPort }, i) => {
    checkPortName(reader, [...path, i, 'name'], name, names);
    // The API server replaces a host port of 0 by the port of the container.
    const isOther = typeof hostPort === 'number' && hostPort !== 0 && hostPort !== containerPort;
    if (hostNetwork && typeof containerPort === 'number' && isOther)
      reader.reject(
        [...path, i, 'hostPort'],
        `must be containerPort (${containerPort}) if hostNetwork is true`,
        hostPort,
        `write ${containerPort}`,
        unsafeFix(setField([...path, i, 'hostPort'], containerPort)),
      );
  });
}

function checkPortName(reader: FieldReader, path: FieldPath, name: unknown, names: Set<string>): void {
  if (typeof name !== 'string' || name === '' || isToken(name)) return;
  if (name.length > LONGEST_PORT_NAME || !PORT_NAME.test(name))
    reader.reject(
      path,
      `must have at most ${LONGEST_PORT_NAME} lower-case letters, digits and single "-", and a letter`,
      name,
      'write a shorter name, such as http',
    );
  else if (names.has(name))
    reader.reject(path, 'must not be the name of another port of the container', name, 'write another name');
  names.add(name);
}

function checkEnvironment(reader: FieldReader, path: FieldPath, raw: unknown): void {
  recordsOf(raw).forEach(({ value, valueFrom }, i) => {
    if (value === undefined || value === null || value === '' || valueFrom === undefined || valueFrom === null) return;
    reader.reject(
      [...path, i, 'valueFrom'],
      `must not be set beside value (${valueText(value)})`,
      valueFrom,
      'keep one of them',
    );
  });
}
