import { Accumulated } from './kustomize/accumulated';
import { BuildFiles } from './kustomize/build-files';
import { decodedKustomization, Kustomization } from './kustomize/kustomization-file';
import { NotFollowed, KustomizeRefusal } from './kustomize/refusal';
import { withNulls } from './kustomize/resources/read-resources';
import { Resource } from './kustomize/resources/resource';
import { KustTarget } from './kustomize/target';
import { PlainFields } from './kustomize/values';

import { asRecord, isClusterScoped } from '../../../../contract';
import { PlainRecord } from '../../records';

/** Changes an object as a kustomization does. Returns undefined if it removes the object. */
export type ObjectEdit = (object: PlainRecord) => PlainRecord | undefined;

const CLUSTER_KINDS = new RegExp(
  '^(Namespace|Node|PersistentVolume|StorageClass|PriorityClass|CustomResourceDefinition|APIService|CSIDriver|RuntimeClass|' +
    'IngressClass|Cluster.*|.*WebhookConfiguration)$',
);

/** The fields of Argo CD and Flux that are those of a kustomization. */
const FIELDS = [
  'patches',
  'namespace',
  'namePrefix',
  'nameSuffix',
  'commonLabels',
  'commonAnnotations',
  'replicas',
] as const;

/** The edits that Argo CD and Flux make of each object. A field that kustomize would refuse changes nothing. */
export function inlineEdits(content: PlainRecord): ObjectEdit[] {
  return FIELDS.flatMap((field) => {
    if (content[field] === undefined) return [];
    const kustomization = attempt(() => decodedKustomization({ [field]: content[field] }));
    return kustomization ? [editOf(kustomization)] : [];
  });
}

function editOf(kustomization: Kustomization): ObjectEdit {
  const target = new KustTarget('.', kustomization, new BuildFiles(new Map()), (_, run) => run());
  return (object) => {
    const accumulated = new Accumulated();
    // A patch may be for another object.
    accumulated.missing.add('other objects');
    const resource = new Resource(withNulls(object) as PlainFields);
    accumulated.list.appendCopies([resource]);
    const isApplied = attempt(() => {
      target.transform(accumulated);
      return true;
    });
    if (!isApplied) return object;
    return resource.isEmpty ? undefined : resource.fields;
  };
}

function attempt<T>(action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if (error instanceof KustomizeRefusal || error instanceof NotFollowed) return undefined;
    throw error;
  }
}

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

function hasNoNamespace({ apiVersion, kind }: PlainRecord): boolean {
  return (
    (typeof apiVersion === 'string' && isClusterScoped(apiVersion)) ||
    (typeof kind === 'string' && CLUSTER_KINDS.test(kind))
  );
}

/** One edit that makes all edits in order. */
export function chained(edits: readonly ObjectEdit[]): ObjectEdit {
  return (object) => edits.reduce<PlainRecord | undefined>((edited, edit) => edited && edit(edited), object);
}
