import { Root } from './root';
import { asRecord } from '../../../../contract';
import { memoizeByIdentity, valueText } from '../../../../model';
import { SourceFile } from '../../model';
import { PlainRecord } from '../../records';
import { CUSTOM_WORKLOAD_KINDS } from '../../workload/custom/custom-kinds';
import { readDocuments } from '../../yaml/documents';
import { findUnreadable, SourceText } from '../source-text';
import { plannedObjects } from '../terraform/planned-manifests';
import { pulumiObjects, wrappedObjects } from '../wrapped-objects';

/** Groups of the kinds below. Other groups have kinds of the same name, such as the Job of Volcano. */
const JUDGED_GROUPS = new Set([
  '',
  'apps',
  'batch',
  'extensions',
  'policy',
  'karpenter.sh',
  'karpenter.k8s.aws',
  'autoscaling.x-k8s.io',
  'storage.k8s.io',
  'scheduling.k8s.io',
]);

export const POOL_KINDS = ['NodePool', 'EC2NodeClass'];
export const WORKLOAD_KINDS = [
  'Deployment',
  'StatefulSet',
  'DaemonSet',
  'ReplicaSet',
  'Job',
  'CronJob',
  'Pod',
  ...CUSTOM_WORKLOAD_KINDS,
];
export const JUDGED_KINDS = [
  ...POOL_KINDS,
  ...WORKLOAD_KINDS,
  'Provisioner',
  'AWSNodeTemplate',
  'NodeOverlay',
  'CapacityBuffer',
  'PodDisruptionBudget',
];

/** Kinds without a namespace that workloads of any root use by name. The node.k8s.io group is written. */
export const CLUSTER_CLASS_KINDS = ['StorageClass', 'PriorityClass', 'RuntimeClass.node.k8s.io'];
/** Kinds with a namespace that change the pods of a workload, wherever the workload is defined. */
export const NAMESPACE_KINDS = ['LimitRange', 'PersistentVolumeClaim'];

/** The judged objects of a file, as kind, namespace and name, as the edit of the file leaves them. */
export const identitiesIn = memoizeByIdentity((file: SourceFile): readonly string[] => {
  return editedObjectsIn(file)
    .filter((object) => isOfKind(object, JUDGED_KINDS))
    .map(({ kind, metadata }) => {
      const { name, namespace } = asRecord(metadata) ?? {};
      return JSON.stringify([currentKind(kind), namespace ?? 'default', name]);
    });
});

/** The keys of the objects of these kinds that the root defines. */
export function definedIn(
  { sources }: Root,
  kinds: readonly string[],
  keyOf: (object: PlainRecord) => string = objectKey,
): string[] {
  return sources.flatMap((file) =>
    editedObjectsIn(file)
      .filter((object) => isOfKind(object, kinds))
      .map(keyOf),
  );
}

/** The objects of a file, as the edit of the file leaves them. */
export const editedObjectsIn = memoizeByIdentity((file: SourceFile): readonly PlainRecord[] =>
  writtenObjectsIn(file)
    .flatMap((object) => {
      const edited = file.edit ? file.edit(object) : object;
      return edited ? [edited] : [];
    })
    .flatMap(withWrapped),
);

/** The kind and name of an object that has no namespace. */
export function objectKey({ kind, metadata }: PlainRecord): string {
  return JSON.stringify([currentKind(kind), asRecord(metadata)?.name]);
}

/** The kind that replaces a legacy kind: an object of the same name is a newer version of the same thing. */
function currentKind(kind: unknown): unknown {
  return kind === 'Provisioner' ? 'NodePool' : kind === 'AWSNodeTemplate' ? 'EC2NodeClass' : kind;
}

/** Whether the object has one of these kinds, in a group that is judged. A custom kind is written with its group. */
export function isOfKind({ apiVersion, kind }: PlainRecord, kinds: readonly string[]): boolean {
  const [group, version] = valueText(apiVersion ?? '').split('/');
  const name = valueText(kind);
  if (JUDGED_GROUPS.has(version === undefined ? '' : group)) return kinds.includes(name);
  return kinds.includes(`${name}.${group}`);
}

/** The objects of a file before edits, those of lists and of Terraform plans included. */
export function objectsIn(file: SourceFile): PlainRecord[] {
  return writtenObjectsIn(file).flatMap(withWrapped);
}

function withWrapped(object: PlainRecord): PlainRecord[] {
  return [object, ...wrappedObjects(object).map(({ raw }) => raw)];
}

function writtenObjectsIn(file: SourceFile): PlainRecord[] {
  return documentsIn(file).flatMap((document) => {
    const object = asRecord(document) ?? {};
    const planned = plannedObjects(object);
    if (planned.length > 0) return [...planned];
    const programmed = pulumiObjects(object);
    if (programmed.length > 0) return programmed.map(({ raw }) => raw);
    return Array.isArray(object.items) ? object.items.map((item) => asRecord(item) ?? {}) : [object];
  });
}

/** The values of the documents of a file; none if it cannot be read. */
export const documentsIn = memoizeByIdentity((file: SourceFile): readonly unknown[] =>
  findUnreadable(file) ? [] : readDocuments(new SourceText(file)).documents.map(({ value }) => value),
);
