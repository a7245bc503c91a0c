import { Pair } from 'yaml';
import { LegacyObject } from './legacy-object';
import { Fields } from '../yaml/fields';

/** Metadata fields that the new object keeps. */
const PORTABLE = ['name', 'namespace', 'generateName', 'labels', 'annotations', 'finalizers'];

const HASH_REASON = 'Karpenter computes the hash of the new object';
/** Annotations that describe the old object, with the reason why they are commented out. */
const OBSOLETE_ANNOTATIONS: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/provisioner-hash', HASH_REASON],
  ['karpenter.k8s.aws/nodetemplate-hash', HASH_REASON],
  ['karpenter.sh/nodepool-hash', HASH_REASON],
  ['karpenter.sh/nodepool-hash-version', HASH_REASON],
  ['karpenter.k8s.aws/ec2nodeclass-hash', HASH_REASON],
  ['karpenter.k8s.aws/ec2nodeclass-hash-version', HASH_REASON],
  ['kubectl.kubernetes.io/last-applied-configuration', 'kubectl writes it again'],
]);

/** Metadata of the new object. Fields that the API server sets belong to the old object, and become `comments`. */
function portableMetadata(object: LegacyObject, comments: Fields): Fields {
  const metadata = new Fields(object.metadata.map);
  for (const {
    key: { value: name },
  } of metadata.entries) {
    if (!PORTABLE.includes(name))
      object.commentOut(metadata.take(name), comments, `metadata.${name} belongs to the old object`);
  }
  const annotations = metadata.inner('annotations');
  for (const [key, why] of OBSOLETE_ANNOTATIONS)
    object.commentOut(annotations?.take(key), comments, `metadata.annotations, ${key}: ${why}`);
  if (annotations?.isEmpty) metadata.dropEmpty('annotations');
  return metadata;
}

/** Builds the new object: apiVersion, kind, metadata and spec, then the rest of the old object as comments. */
export function newRoot(
  api: { readonly apiVersion: string; readonly kind: string },
  object: LegacyObject,
  spec: Fields,
): Fields {
  const comments = Fields.empty();
  const metadata = portableMetadata(object, comments);
  const root = Fields.empty();
  for (const name of ['apiVersion', 'kind'] as const) {
    const field = object.root.take(name);
    root.set(name, api[name]);
    const written = root.find(name)!;
    if (field)
      Object.assign(written.key, { commentBefore: field.key.commentBefore, spaceBefore: field.key.spaceBefore });
    if (field) written.value.comment = field.value.comment;
  }
  root.map.items.push(new Pair(object.sectionKey('metadata'), metadata.map));
  root.map.items.push(new Pair(object.sectionKey('spec'), spec.map));
  object.commentOut(object.root.take('status'), comments, 'status is written by Karpenter');
  object.commentOutRest(object.root, comments, '');
  root.addComment(comments.map.comment);
  return root;
}
