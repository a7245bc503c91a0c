import { Backend, backendsOf, servicePortsOf, servicesOf } from './traffic-paths';
import { FieldPath, renameField, setField, unsafeFix } from '../../../../contract';
import { listText, memoizeByIdentity, nearestNames, selects } from '../../../../model';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { recordsOf, stringMapOf } from '../../../manifest/records';
import { podSpecOf } from '../../common/pod-constraints';
import { defineRule, SubjectFinding } from '../../define-rule';
import { subjectsFrom } from '../../subjects';

const BATCH = ['Job', 'CronJob'];

/** @see https://kubernetes.io/docs/concepts/services-networking/service/#defining-a-service */
export const trafficMissesPods = defineRule({
  id: 'KARP-442',
  name: 'traffic-misses-pods',
  severity: 'warning',
  summary:
    'A Service, an Ingress or a route misspells a label, a port or a Service, so that no request reaches pods that run.',
  subjects: subjectsFrom<{ readonly object: ManifestObject }>(({ model }) =>
    model.objects
      .filter((object) => servicesOf(model).includes(object) || backendsOf(object).length > 0)
      .filter(({ raw, namespace }) => findUnresolved([raw.spec, namespace]) === undefined)
      .map((object) => ({ object })),
  ),
  judge({ object }, { model }) {
    if (!servicesOf(model).includes(object))
      return backendsOf(object).flatMap((backend) => backendFinding(model, object, backend) ?? []);
    const selector = stringMapOf(object.raw.spec?.selector);
    const near = model.workloads.filter((workload) => isNear(object, workload));
    const selected = near.filter(({ podLabels }) => selects({ matchLabels: selector }, podLabels));
    if (Object.keys(selector).length === 0) return undefined;
    return selected.length === 0
      ? selectorFinding(model, object, near)
      : servicePortsOf(object).flatMap((_, index) => portFinding(selected, servicePortsOf(object), index) ?? []);
  },
});

function isNear({ namespace = 'default' }: ManifestObject, workload: WorkloadManifest): boolean {
  return workload.namespace === namespace && !BATCH.includes(workload.kind);
}

/** Labels by which Services select pods. */
const serviceSelectors = memoizeByIdentity((model: ManifestModel) =>
  servicesOf(model)
    .map(({ namespace = 'default', raw }) => ({ namespace, labels: stringMapOf(raw.spec?.selector) }))
    .filter(({ labels }) => Object.keys(labels).length > 0),
);

function selectorFinding(
  model: ManifestModel,
  service: ManifestObject,
  near: readonly WorkloadManifest[],
): SubjectFinding | undefined {
  const typos = near
    .filter(
      ({ name, podLabels, namespace }) =>
        name === service.name ||
        !serviceSelectors(model).some(
          (other) => other.namespace === namespace && selects({ matchLabels: other.labels }, podLabels),
        ),
    )
    .flatMap((workload) => typoOf(service, workload) ?? []);
  if (typos.length !== 1) return undefined;
  const [{ workload, key, value, meant }] = typos;
  const path = ['spec', 'selector', key];
  const { kind, name, object } = workload;
  return {
    path,
    message: `selects pods with ${key}: ${value}, and those of ${kind} ${name} have ${meant.key}: ${meant.value}: no request reaches them`,
    remedy: `write ${meant.key}: ${meant.value}`,
    evidence: { selector: { [key]: value }, workload: name },
    related: {
      object,
      path: [...workload.podPath.slice(0, -1), 'metadata', 'labels', meant.key],
      label: `${kind} ${name} has it`,
    },
    fix: unsafeFix(key === meant.key ? setField(path, meant.value) : renameField(path, meant.key)),
  };
}

/** The only label by which the selector misses the pods, if it is misspelt. */
function typoOf({ name, raw }: ManifestObject, workload: WorkloadManifest) {
  const { podLabels } = workload;
  const labels = Object.entries(stringMapOf(raw.spec?.selector));
  const wrong = labels.filter(([key, value]) => podLabels[key] !== value);
  if (wrong.length !== 1) return undefined;
  const [[key, value]] = wrong;
  const written = podLabels[key];
  if (written === undefined) {
    const free = Object.keys(podLabels).filter(
      (other) => podLabels[other] === value && !labels.some(([label]) => label === other),
    );
    const [meant] = misspelt(key, free);
    return meant === undefined ? undefined : { workload, key, value, meant: { key: meant, value } };
  }
  // Without another label in common, a name that differs by a letter may be that of another program.
  const isSure = labels.length > 1 || name === workload.name || name === written || isSameWord(value, written);
  return isSure && misspelt(value, [written]).length === 1
    ? { workload, key, value, meant: { key, value: written } }
    : undefined;
}

function isSameWord(left: string, right: string): boolean {
  const letters = (text: string) => text.toLowerCase().replace(/[-_.]/g, '');
  return letters(left) === letters(right);
}

/** Words that differ in numbers are different words. */
function misspelt(word: string, candidates: readonly string[]): string[] {
  const digits = (text: string) => text.replace(/\D/g, '');
  return nearestNames(
    word,
    candidates.filter((candidate) => digits(candidate) === digits(word)),
  );
}

type Port = Readonly<Record<string, unknown>>;

function portFinding(
  selected: readonly WorkloadManifest[],
  servicePorts: readonly Port[],
  index: number,
): SubjectFinding | undefined {
  const targets = servicePorts.map(({ port, targetPort = port }) => targetPort);
  const targetPort = targets[index];
  if (typeof targetPort === 'string' && /^\d+$/.test(targetPort)) return quotedPort(index, targetPort);
  const lists = selected.map(portsOf);
  const ports = lists.flat();
  const isOf = (target: unknown, { name, containerPort }: Port) => name === target || containerPort === target;
  if (lists.some((list) => list.length === 0) || findUnresolved(ports) !== undefined) return undefined;
  if (ports.some((each) => isOf(targetPort, each))) return undefined;
  // Another port of the Service already leads to these.
  const free = ports.filter((each) => !targets.some((target) => isOf(target, each)));
  const meant = meantPort(targetPort, ports, free);
  if (meant === undefined) return undefined;
  const path = ['spec', 'ports', index, 'targetPort'];
  const [{ kind, name }] = selected;
  return {
    path,
    message: `sends requests to port ${String(targetPort)}, which no container of ${kind} ${name} has: none of them arrives`,
    remedy: `write targetPort: ${meant}`,
    evidence: { targetPort: String(targetPort), ports: ports.map((each) => each.name ?? each.containerPort) },
    fix: unsafeFix(setField(path, meant)),
  };
}

function quotedPort(index: number, port: string): SubjectFinding {
  const path = ['spec', 'ports', index, 'targetPort'];
  return {
    path,
    severity: 'error',
    message: `is the text "${port}", which can be no name of a port: the API server refuses the Service`,
    remedy: `write targetPort: ${port}, without quotes`,
    evidence: { targetPort: port },
    fix: unsafeFix(setField(path, Number(port))),
  };
}

/** The ports of the containers that run beside each other. */
function portsOf(workload: WorkloadManifest): readonly Port[] {
  const { containers, initContainers } = podSpecOf(workload) ?? {};
  const sidecars = recordsOf(initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always');
  return [...recordsOf(containers), ...sidecars].flatMap((container) => recordsOf(container.ports));
}

/** A program may listen to a number that its container does not list, but a name has to be that of a port. */
function meantPort(target: unknown, ports: readonly Port[], free: readonly Port[]): string | number | undefined {
  const numbers = free.flatMap(({ containerPort }) => (typeof containerPort === 'number' ? [containerPort] : []));
  if (typeof target === 'number') {
    const swapped = numbers.filter((number) => isSwapped(String(number), String(target)));
    return swapped.length === 1 ? swapped[0] : undefined;
  }
  if (typeof target !== 'string') return undefined;
  const names = free.flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
  return misspelt(target, names)[0] ?? (ports.length === 1 ? numbers[0] : undefined);
}

/** Whether two numbers have the same digits in another order. */
function isSwapped(left: string, right: string): boolean {
  return left !== right && [...left].sort().join('') === [...right].sort().join('');
}

function backendFinding(model: ManifestModel, object: ManifestObject, backend: Backend): SubjectFinding | undefined {
  const { name, namespace, path } = backend;
  const near = servicesOf(model).filter((service) => (service.namespace ?? 'default') === namespace);
  const service = near.find((candidate) => candidate.name === name);
  if (service !== undefined) return backendPortFinding(service, backend);
  const [meant, ...others] = misspelt(
    name,
    near.map((candidate) => candidate.name),
  );
  if (meant === undefined || others.length > 0 || isReferenced(model, meant, namespace)) return undefined;
  return {
    object,
    path,
    message: `sends requests to Service ${name}, which does not exist: none reaches a pod`,
    remedy: `write ${meant}`,
    evidence: { service: name, nearest: meant },
    fix: unsafeFix(setField(path, meant)),
  };
}

/** Whether something else already sends requests to the Service. */
function isReferenced({ objects }: ManifestModel, service: string, namespace: string): boolean {
  return objects.some((object) =>
    backendsOf(object).some((backend) => backend.name === service && backend.namespace === namespace),
  );
}

function backendPortFinding(service: ManifestObject, { port }: Backend): SubjectFinding | undefined {
  if (port === undefined || findUnresolved(service.raw.spec) !== undefined) return undefined;
  const ports = servicePortsOf(service);
  const field = typeof port.value === 'number' ? 'port' : 'name';
  if (ports.length === 0 || ports.some((each) => each[field] === port.value)) return undefined;
  const [only] = ports;
  const meant = ports.length === 1 ? only[field] : undefined;
  const isMeant = typeof meant === 'number' || typeof meant === 'string';
  return {
    path: port.path,
    message: `sends requests to port ${String(port.value)} of Service ${service.name}, which has ${listText(
      ports.map((each) => String(each[field] ?? each.port)),
    )}: none reaches a pod`,
    remedy: isMeant ? `write ${meant}` : 'write a port of the Service',
    evidence: { service: service.name, port: port.value },
    ...(isMeant ? { fix: unsafeFix(setField(port.path as FieldPath, meant)) } : {}),
  };
}
