import { asRecord, isClusterScoped } from '../../../../contract';
import { EmptiedVariable, ObjectEdit } from '../../../vocabulary/source-file';
import { PlainRecord, stringMapOf } from '../../records';

export type { ObjectEdit };

const CLUSTER_KINDS = new RegExp(
  '^(Namespace|Node|PersistentVolume|StorageClass|PriorityClass|CustomResourceDefinition|APIService|CSIDriver|RuntimeClass|' +
    'IngressClass|Cluster.*|.*WebhookConfiguration)$',
);

/** Sets the namespace of objects that write none, as Argo CD does. */
export function defaultNamespaceEdit(namespace: unknown): ObjectEdit[] {
  if (typeof namespace !== 'string' || namespace === '') return [];
  return [
    (object) => {
      const metadata = asRecord(object.metadata) ?? {};
      return hasNoNamespace(object) || metadata.namespace !== undefined
        ? object
        : { ...object, metadata: { ...metadata, namespace } };
    },
  ];
}

/** Sets the labels and annotations of all objects, as Flux does with `commonMetadata`. */
export function commonMetadataEdit(commonMetadata: unknown): ObjectEdit[] {
  const { labels, annotations } = asRecord(commonMetadata) ?? {};
  const added = Object.entries({ labels: stringMapOf(labels), annotations: stringMapOf(annotations) }).filter(
    ([, pairs]) => Object.keys(pairs).length > 0,
  );
  if (added.length === 0) return [];
  return [
    (object) => {
      const metadata = asRecord(object.metadata) ?? {};
      const fields = added.map(([field, pairs]) => [field, { ...asRecord(metadata[field]), ...pairs }]);
      return { ...object, metadata: { ...metadata, ...Object.fromEntries(fields) } };
    },
  ];
}

function hasNoNamespace({ apiVersion, kind }: PlainRecord): boolean {
  return (
    (typeof apiVersion === 'string' && isClusterScoped(apiVersion)) ||
    (typeof kind === 'string' && CLUSTER_KINDS.test(kind))
  );
}

/** One edit that makes all edits in order. */
export function chained(edits: readonly ObjectEdit[]): ObjectEdit {
  const edit: ObjectEdit = (object) =>
    edits.reduce<PlainRecord | undefined>((edited, one) => edited && one(edited), object);
  if (edits.every(({ emptied }) => emptied === undefined)) return edit;
  const emptied = (object: PlainRecord): EmptiedVariable[] => {
    let edited: PlainRecord | undefined = object;
    return edits.flatMap((one) => {
      const found = (edited && one.emptied?.(edited)) ?? [];
      edited = edited && one(edited);
      return found;
    });
  };
  return Object.assign(edit, { emptied });
}
