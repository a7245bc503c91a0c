import { Pair } from 'yaml';
import { LegacyObject } from './legacy-object';
import { Fields } from '../yaml/fields';

/** What a new object may take over from one of another kind. */
const PORTABLE = ['name', 'namespace', 'generateName', 'labels', 'annotations', 'finalizers'];

const REMADE = 'Karpenter reckons the hash of the new object itself';
const OF_THE_OLD_OBJECT: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/provisioner-hash', REMADE],
  ['karpenter.k8s.aws/nodetemplate-hash', REMADE],
  ['karpenter.sh/nodepool-hash', REMADE],
  ['karpenter.sh/nodepool-hash-version', REMADE],
  ['karpenter.k8s.aws/ec2nodeclass-hash', REMADE],
  ['karpenter.k8s.aws/ec2nodeclass-hash-version', REMADE],
  ['kubectl.kubernetes.io/last-applied-configuration', 'kubectl writes it again'],
]);

/** Metadata for the new object: the API server's own fields belong to the old one, and are kept in `comments`. */
export function portableMetadata(object: LegacyObject, comments: Fields): Fields {
  const metadata = new Fields(object.metadata.map);
  for (const { key: { value: name } } of metadata.all) {
    if (!PORTABLE.includes(name)) object.retire(metadata.take(name), comments, `metadata.${name} belongs to the old object`);
  }
  const annotations = metadata.inner('annotations');
  for (const [key, why] of OF_THE_OLD_OBJECT) object.retire(annotations?.take(key), comments, `metadata.annotations, ${key}: ${why}`);
  if (annotations?.isEmpty) metadata.dropEmpty('annotations');
  return metadata;
}

/** The object itself: type, metadata and spec, in the usual order, and what is left of the old object as comments. */
export function newRoot(api: { readonly apiVersion: string; readonly kind: string }, object: LegacyObject, spec: Fields): Fields {
  const comments = Fields.empty();
  const metadata = portableMetadata(object, comments);
  const root = Fields.empty();
  for (const name of ['apiVersion', 'kind'] as const) {
    const field = object.root.take(name);
    root.set(name, api[name]);
    const written = root.find(name)!;
    if (field) Object.assign(written.key, { commentBefore: field.key.commentBefore, spaceBefore: field.key.spaceBefore });
    if (field) written.value.comment = field.value.comment;
  }
  root.map.items.push(new Pair(object.sectionKey('metadata'), metadata.map));
  root.map.items.push(new Pair(object.sectionKey('spec'), spec.map));
  object.retire(object.root.take('status'), comments, 'status is written by Karpenter');
  object.retireRest(object.root, comments, '');
  root.addComment(comments.map.comment);
  return root;
}
