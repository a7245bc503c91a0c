import { UsageFigure, UsageLog, UsageResource } from './figures';
import { asRecord } from '../../../contract';
import { countText, listText, printable, Quantity, valueText } from '../../../model';
import { FieldPath, ManifestObject } from '../../manifest';
import { PlainRecord } from '../../manifest/records';

/** A container in the manifest of a workload. */
export interface SizableContainer {
  readonly name: string;
  /** The path of the container in its object. */
  readonly path: FieldPath;
  readonly resources: PlainRecord;
  /** The pod-level requests and limits, which replace those of containers. */
  readonly podResources: PlainRecord;
}

/** A workload whose containers are written in its own object. */
export interface SizableWorkload {
  /** `Deployment shop/web`. */
  readonly label: string;
  readonly kind: string;
  /** @default - the manifest leaves the namespace to the deployment */
  readonly namespace?: string;
  readonly name: string;
  readonly containers: readonly SizableContainer[];
}

/** The figures of one resource of a container. */
export interface MatchedFigures {
  readonly workload: SizableWorkload;
  readonly container: SizableContainer;
  readonly resource: UsageResource;
  readonly figures: readonly UsageFigure[];
}

/** The letters of generated names, which form no words. */
const SUFFIX = '[bcdfghjklmnpqrstvwxz2456789]';
/** The end of the names of pods, by the kind of their workload. */
const POD_SUFFIXES: ReadonlyMap<string, RegExp> = new Map([
  ['Deployment', new RegExp(`^-${SUFFIX}{1,10}-${SUFFIX}{5}$`)],
  ['Rollout', new RegExp(`^-${SUFFIX}{1,10}-${SUFFIX}{5}$`)],
  ['ReplicaSet', new RegExp(`^-${SUFFIX}{5}$`)],
  ['DaemonSet', new RegExp(`^-${SUFFIX}{5}$`)],
  ['StatefulSet', /^-\d+$/],
  ['Job', new RegExp(`^-(\\d+-)?${SUFFIX}{5}$`)],
  ['CronJob', new RegExp(`^-\\d+-(\\d+-)?${SUFFIX}{5}$`)],
  ['Pod', /^$/],
]);

/** The workloads of the input. Of several with one identity, the last is kept, as `kubectl apply` leaves it. */
export function sizableWorkloads(objects: readonly ManifestObject[]): SizableWorkload[] {
  const found = objects.flatMap(({ kind, namespace, name, raw }) => {
    const containers = name === '' ? [] : containersIn(raw.spec, ['spec']);
    const label = workloadLabel(raw);
    return containers.length === 0 ? [] : [{ label, kind, namespace, name, containers }];
  });
  return [...new Map(found.map((workload) => [workload.label, workload])).values()];
}

/** `Deployment shop/web`, the identity of the workload. */
export function workloadLabel({ kind, metadata }: PlainRecord): string {
  const { namespace, name } = asRecord(metadata) ?? {};
  return `${valueText(kind)} ${typeof namespace === 'string' && namespace !== '' ? `${namespace}/` : ''}${name}`;
}

/** The containers of all pod specs in a value. A custom object may have several pod specs. */
function containersIn(value: unknown, path: FieldPath): SizableContainer[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => containersIn(item, [...path, index]));
  const record = asRecord(value);
  if (record === undefined) return [];
  if (!Array.isArray(record.containers))
    return Object.entries(record).flatMap(([key, item]) => containersIn(item, [...path, key]));
  return ['containers', 'initContainers'].flatMap((field) =>
    listOf(record[field]).flatMap((item, index) => {
      const { name, resources } = asRecord(item) ?? {};
      if (typeof name !== 'string') return [];
      const podResources = asRecord(record.resources) ?? {};
      return [{ name, path: [...path, field, index], resources: asRecord(resources) ?? {}, podResources }];
    }),
  );
}

/** The figures by container and resource, in the order of the workloads. A figure without a container is noted. */
export function matchFigures(
  figures: readonly UsageFigure[],
  workloads: readonly SizableWorkload[],
  log: UsageLog,
): MatchedFigures[] {
  const groups = new Map<string, { match: Omit<MatchedFigures, 'figures'>; figures: UsageFigure[] }>();
  const byName = groupBy(workloads, ({ name }) => name);
  for (const figure of figures) {
    const workload = workloadOf(figure, workloads, byName, log);
    const container = workload && containerOf(figure, workload, log);
    if (workload === undefined || container === undefined) continue;
    const key = JSON.stringify([workload.label, figure.container, figure.resource]);
    const group = groups.get(key) ?? { match: { workload, container, resource: figure.resource }, figures: [] };
    group.figures.push(figure);
    groups.set(key, group);
  }
  return [...groups.values()]
    .filter(({ match, figures: own }) => isOfOneNamespace(match.workload, own, log))
    .map(({ match, figures: own }) => {
      noteRepeated(own, log);
      return { ...match, figures: own };
    });
}

/** Pods of a workload differ, and so do sources. Several figures of one source for the same pods contradict. */
function noteRepeated(figures: readonly UsageFigure[], log: UsageLog): void {
  const byPods = groupBy(figures, ({ source, pod, workload }) => JSON.stringify([source, pod ?? workload?.name]));
  for (const repeated of byPods.values()) {
    if (repeated.length < 2) continue;
    const [{ source, resource, pod }] = repeated;
    const name = resource === 'cpu' ? 'CPU' : 'memory';
    for (const { at } of repeated)
      log.note(
        `several ${name} figures${source === 'measured' ? '' : ` of ${source}`} for one container${pod === undefined ? '' : ' of one pod'}: the highest is used`,
        at,
      );
  }
}

function workloadOf(
  figure: UsageFigure,
  workloads: readonly SizableWorkload[],
  byName: ReadonlyMap<string, readonly SizableWorkload[]>,
  log: UsageLog,
): SizableWorkload | undefined {
  const { workload, pod, namespace, at } = figure;
  const named =
    workload === undefined
      ? workloads.filter((candidate) => isPodOf(pod!, candidate))
      : (byName.get(workload.name) ?? []).filter(({ kind }) => isKind(kind, workload.kind));
  const exact = named.filter((candidate) => candidate.namespace === namespace);
  const candidates = exact.length > 0 ? exact : named.filter((candidate) => candidate.namespace === undefined);
  if (candidates.length === 1) return candidates[0];
  const name = printable(
    workload === undefined ? `pod ${namespace}/${pod}` : `${workload.kind ?? 'workload'} ${namespace}/${workload.name}`,
  );
  log.note(
    candidates.length === 0
      ? `no manifest of ${name}: not used`
      : `${name} may belong to ${listText(
          candidates.map(({ label }) => label),
          'or',
        )}: not used`,
    at,
  );
  return undefined;
}

/** kube-prometheus writes kinds in lower case. */
function isKind(kind: string, wanted: string | undefined): boolean {
  return wanted === undefined || kind.toLowerCase() === wanted.toLowerCase();
}

function isPodOf(pod: string, { kind, name }: SizableWorkload): boolean {
  return pod.startsWith(name) && POD_SUFFIXES.get(kind)?.test(pod.slice(name.length)) === true;
}

function containerOf(
  figure: UsageFigure,
  { label, containers }: SizableWorkload,
  log: UsageLog,
): SizableContainer | undefined {
  const { container, resource, at } = figure;
  const found = containers.filter(({ name }) => name === container);
  const note = (message: string) => {
    log.note(`${message}: not used`, at);
    return undefined;
  };
  if (found.length === 0) return note(`${label} has no container ${printable(container)} in the manifests`);
  if (found.length > 1)
    return note(`${label} has ${countText(found.length, 'pod template')} with a container ${printable(container)}`);
  const [{ podResources }] = found;
  if ([podResources.requests, podResources.limits].some((amounts) => asRecord(amounts)?.[resource] !== undefined))
    return note(`${label} has a ${resource} request of its own for the whole pod`);
  const unit = otherUnit(figure, found[0]);
  if (unit !== undefined) return note(unit);
  return found[0];
}

const MANY_CPUS = 10_000;
const LITTLE_MEMORY = 4 * 2 ** 20;
const MANY_TIMES = 100;
/** An idle web server uses some 3 MiB, with requests of up to 1 GiB. */
const TINY_PART = 1 / 500;

/** Why a figure seems to be in another unit, compared with the present request. Undefined if it does not. */
function otherUnit({ source, resource, amount }: UsageFigure, { resources }: SizableContainer): string | undefined {
  const { requests, limits } = resources;
  const quantity = Quantity.tryParse(asRecord(requests)?.[resource] ?? asRecord(limits)?.[resource]);
  if (quantity === undefined) return undefined;
  if (resource === 'cpu')
    return amount > MANY_CPUS && amount > MANY_TIMES * Number(quantity.milliValue())
      ? `the CPU figure is above 10 CPUs and 100 times the request, as if ${
          source === 'VPA' ? 'the m of millicores were missing' : 'it were in millicores; the unit is cores'
        }`
      : undefined;
  return amount < LITTLE_MEMORY && amount < Number(quantity.value()) * TINY_PART
    ? 'the memory figure is below 4 MiB and less than 1/500 of the request, as if it were in KiB; the unit is bytes'
    : undefined;
}

/** A manifest without a namespace stands for one workload. Which of several namespaces is meant is not known. */
function isOfOneNamespace(workload: SizableWorkload, figures: readonly UsageFigure[], log: UsageLog): boolean {
  const namespaces = [...new Set(figures.map(({ namespace }) => namespace))];
  if (namespaces.length === 1) return true;
  for (const { at } of figures)
    log.note(
      `${workload.label} has no namespace in its manifest, and usage in ${listText(namespaces.map(printable))}: not used`,
      at,
    );
  return false;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group === undefined) groups.set(keyOf(item), [item]);
    else group.push(item);
  }
  return groups;
}
