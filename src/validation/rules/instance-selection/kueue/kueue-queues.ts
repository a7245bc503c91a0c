import { asRecord } from '../../../../contract';
import { memoizeByIdentity, ResourceList } from '../../../../model';
import { isCount } from '../../../manifest/field-reader';
import { findUnresolved } from '../../../manifest/find-unresolved';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { recordsOf, stringMapOf, stringOrUndefined } from '../../../manifest/records';

const GROUP = 'kueue.x-k8s.io';
const QUEUE_LABEL = `${GROUP}/queue-name`;
const LEAST_PODS = `${GROUP}/job-min-parallelism`;

/** A ResourceFlavor: Kueue adds its labels to the node selector of the pods that it admits with it. */
export interface KueueFlavor {
  readonly object: ManifestObject;
  readonly labels: Readonly<Record<string, string>>;
}

/** An object that names the next one on the way from a workload to its nodes. */
export interface KueueReference {
  readonly object: ManifestObject;
  readonly path: readonly (string | number)[];
  readonly kind: 'LocalQueue' | 'ClusterQueue' | 'ResourceFlavor';
  readonly name: string;
  /** The names of that kind in the input, in the object's namespace if the kind has one. */
  readonly known: readonly string[];
  /** The other namespaces with a LocalQueue of this name. Empty if a namespace is known only at deployment. */
  readonly namespaces?: readonly string[];
}

export const clusterQueues = memoizeByIdentity(({ objects }: ManifestModel) => ofKind(objects, 'ClusterQueue'));

export const kueueFlavors = memoizeByIdentity(({ objects }: ManifestModel): readonly KueueFlavor[] =>
  ofKind(objects, 'ResourceFlavor').flatMap((object) => {
    const labels = stringMapOf(object.raw.spec?.nodeLabels);
    return Object.keys(labels).length === 0 ? [] : [{ object, labels }];
  }),
);

export const kueueReferences = memoizeByIdentity(({ objects }: ManifestModel): readonly KueueReference[] => {
  const namesOf = (kind: string) => ofKind(objects, kind).map(({ name }) => name);
  const [queues, flavors] = [namesOf('ClusterQueue'), namesOf('ResourceFlavor')];
  const localQueues = ofKind(objects, 'LocalQueue');
  return objects.flatMap((object): KueueReference[] => {
    const spec = asRecord(object.raw.spec);
    if (isOfKueue(object) && object.kind === 'ClusterQueue') {
      return recordsOf(spec?.resourceGroups).flatMap((group, index) =>
        recordsOf(group.flavors).flatMap((flavor, position) =>
          reference(object, ['spec', 'resourceGroups', index, 'flavors', position, 'name'], {
            kind: 'ResourceFlavor',
            name: flavor.name,
            known: flavors,
          }),
        ),
      );
    }
    if (isOfKueue(object))
      return object.kind === 'LocalQueue'
        ? reference(object, ['spec', 'clusterQueue'], { kind: 'ClusterQueue', name: spec?.clusterQueue, known: queues })
        : [];
    const known = localQueues
      .filter(({ namespace = 'default' }) => namespace === (object.namespace ?? 'default'))
      .map(({ name }) => name);
    const templates = [['metadata'], ['spec', 'jobTemplate', 'metadata']];
    return templates.flatMap((template) => {
      const metadata = template.reduce<unknown>((value, key) => asRecord(value)?.[key], object.raw);
      const name = asRecord(asRecord(metadata)?.labels)?.[QUEUE_LABEL];
      const path = [...template, 'labels', QUEUE_LABEL];
      const named = localQueues.filter((queue) => queue.name === name);
      const isPlaced = [object, ...named].every(({ namespace }) => isPlainText(namespace));
      const namespaces = isPlaced ? [...new Set(named.map(({ namespace }) => namespace!))].sort() : [];
      const isMissing =
        known.length === 0 && (namespaces.length > 0 || (queues.length > 0 && localQueues.length === 0));
      if (!isMissing) return reference(object, path, { kind: 'LocalQueue', name, known, namespaces });
      return isPlainText(name) ? [{ object, path, kind: 'LocalQueue', name, known, namespaces }] : [];
    });
  });
});

/** The workloads whose queue may admit them with the flavor, such as `Job report`. */
export function workloadsOfFlavor(model: ManifestModel, flavor: string): string[] {
  const references = kueueReferences(model);
  const naming = (kind: KueueReference['kind'], names: readonly string[]) =>
    references.filter((each) => each.kind === kind && names.includes(each.name)).map(({ object }) => object);
  const queues = naming('ResourceFlavor', [flavor]).map(({ name }) => name);
  const localQueues = naming('ClusterQueue', queues);
  const isQueued = ({ namespace = 'default' }: ManifestObject, name: string) =>
    localQueues.some((queue) => queue.name === name && (queue.namespace ?? 'default') === namespace);
  return references
    .filter(({ kind, object, name }) => kind === 'LocalQueue' && isQueued(object, name))
    .map(({ object }) => `${object.kind} ${object.name}`);
}

/** What Kueue admits at once: a Job, or all pods of a JobSet. */
export interface KueueWorkload {
  /** `JobSet hpc/finetune`. */
  readonly name: string;
  readonly namespace: string;
  readonly queue: string;
  readonly podSets: ReadonlyArray<{ readonly count: number; readonly requests: ResourceList }>;
}

/** The Jobs and custom workloads of the input with a queue, also suspended ones, whose pods are known. */
export const queuedWorkloads = memoizeByIdentity(({ workloads }: ManifestModel): readonly KueueWorkload[] => {
  const byOwner = new Map<ManifestObject, WorkloadManifest[]>();
  for (const workload of workloads) {
    const owner = workload.object.madeBy ?? workload.object;
    if (isAdmittedWhole(owner)) byOwner.set(owner, [...(byOwner.get(owner) ?? []), workload]);
  }
  return [...byOwner].flatMap(([owner, members]): KueueWorkload[] => {
    const { queue, leastPods } = queueOf(owner);
    const podSets = members.map(({ object, shape }) => {
      const count = podCountOf(object.raw);
      return shape && count !== undefined ? { count: leastPods ?? count, requests: shape.requests } : undefined;
    });
    if (queue === undefined || podSets.some((podSet) => podSet === undefined)) return [];
    const { kind, name, namespace = 'default' } = owner;
    return [{ name: `${kind} ${namespace}/${name}`, namespace, queue, podSets: podSets.map((podSet) => podSet!) }];
  });
});

/** The ClusterQueue of the input that the queue of the workload leads to. */
export function clusterQueueOf(
  { objects }: ManifestModel,
  { queue, namespace }: KueueWorkload,
): ManifestObject | undefined {
  const local = ofKind(objects, 'LocalQueue').find(
    (each) => each.name === queue && (each.namespace ?? 'default') === namespace,
  );
  return ofKind(objects, 'ClusterQueue').find(({ name }) => name === local?.raw.spec?.clusterQueue);
}

/** Each pod of a Deployment, and each group of a LeaderWorkerSet, is admitted by itself. */
function isAdmittedWhole({ kind }: ManifestObject): boolean {
  return !['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'LeaderWorkerSet', 'Pod', 'Rollout'].includes(kind);
}

/** A Job that may start with fewer pods says so in an annotation. */
function queueOf({ raw }: ManifestObject): { readonly queue?: string; readonly leastPods?: number } {
  const ofJobs = [raw.metadata, raw.spec?.jobTemplate?.metadata].map((metadata) => asRecord(metadata));
  const [queue] = ofJobs.flatMap((metadata) => stringOrUndefined(asRecord(metadata?.labels)?.[QUEUE_LABEL]) ?? []);
  const [least] = ofJobs.flatMap((metadata) => {
    const written = asRecord(metadata?.annotations)?.[LEAST_PODS];
    return written === undefined ? [] : [Number(written)];
  });
  return { ...(queue === undefined ? {} : { queue }), ...(Number.isInteger(least) ? { leastPods: least } : {}) };
}

function podCountOf(raw: any): number | undefined {
  const spec = raw.spec?.jobTemplate?.spec ?? raw.spec;
  const parallelism = spec?.parallelism ?? spec?.replicas ?? 1;
  const completions = spec?.completions ?? parallelism;
  return isCount(parallelism) && isCount(completions) ? Math.min(parallelism, completions) : undefined;
}

function reference(
  object: ManifestObject,
  path: readonly (string | number)[],
  { name, ...target }: Omit<KueueReference, 'object' | 'path' | 'name'> & { readonly name: unknown },
): KueueReference[] {
  const text = stringOrUndefined(name);
  return text === undefined || target.known.length === 0 ? [] : [{ ...target, object, path, name: text }];
}

function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && findUnresolved(value) === undefined;
}

function ofKind(objects: readonly ManifestObject[], kind: string): ManifestObject[] {
  return objects.filter((object) => object.kind === kind && isOfKueue(object));
}

function isOfKueue({ apiVersion }: ManifestObject): boolean {
  return apiVersion.startsWith(`${GROUP}/`);
}
