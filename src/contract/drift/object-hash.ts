/**
 * The hashes that Karpenter writes in annotations of NodePools and EC2NodeClasses, and copies to a NodeClaim at launch.
 * If the hash of the NodeClaim differs from its NodePool's or EC2NodeClass's, the node drifts.
 */
import { asRecord } from '../field-problem';
import { EC2_NODE_CLASS_API, KIND_APIS, NODE_POOL_API } from '../karpenter-api';
import { EC2_NODE_CLASS_SPEC, NODE_CLAIM_TEMPLATE } from './hashed-types';
import { hashUnordered, stringHash, structHash } from './struct-hash';
import { amiFamilyOfClass } from '../ami-family';
import { NEWEST_KARPENTER_VERSION } from '../karpenter-version';
import { findKind, kindsOf, pruneAndDefault } from '../schema';

/** Annotations with a hash and its version. Hashes of different versions are not compared, so they cause no drift. */
export interface HashAnnotations {
  readonly hash: string;
  readonly version: string;
}

export const NODE_POOL_HASH: HashAnnotations = {
  hash: `${NODE_POOL_API.group}/nodepool-hash`,
  version: `${NODE_POOL_API.group}/nodepool-hash-version`,
};

export const NODE_CLASS_HASH: HashAnnotations = {
  hash: `${EC2_NODE_CLASS_API.group}/ec2nodeclass-hash`,
  version: `${EC2_NODE_CLASS_API.group}/ec2nodeclass-hash-version`,
};

/** The version of `nodePoolHash`, of Karpenter 1.0 and newer. */
export const NODE_POOL_HASH_VERSION = 'v3';

/** The version of `nodeClassHash`, of Karpenter for AWS 1.15. */
export const NODE_CLASS_HASH_VERSION = 'v6';

/** The value of a NodePool's annotation `karpenter.sh/nodepool-hash`, computed from its manifest. */
export function nodePoolHash(manifest: unknown): string {
  return String(structHash(asRecord(storedSpec(manifest, 'NodePool'))?.template, NODE_CLAIM_TEMPLATE));
}

/**
 * The value of an EC2NodeClass's annotation `karpenter.k8s.aws/ec2nodeclass-hash`, computed from its manifest.
 *
 * @param caBundle the cluster's CA bundle in base64, as in the kubeconfig; it is part of the hash
 */
export function nodeClassHash(manifest: unknown, caBundle: string): string {
  return String(hashUnordered([manifestHash(manifest), stringHash(caBundle)]));
}

/**
 * The hash of an EC2NodeClass after a change, computed from the hash before. The CA bundle need not be known, because
 * the old hash contains it.
 *
 * @param hash the hash of `before`, of version NODE_CLASS_HASH_VERSION
 */
export function nodeClassHashAfter(hash: string, before: unknown, after: unknown): string {
  return String(hashUnordered([BigInt(hash), manifestHash(before), manifestHash(after)]));
}

function manifestHash(manifest: unknown): bigint {
  const spec = asRecord(storedSpec(manifest, 'EC2NodeClass')) ?? {};
  return hashUnordered([
    structHash(spec, EC2_NODE_CLASS_SPEC),
    stringHash(amiFamilyOrCustom(spec)),
    stringHash(kubeletJson(spec)),
  ]);
}

type Spec = Readonly<Record<string, unknown>>;

/** The spec as the API server stores it: with defaults, and without unknown fields. */
export function storedSpec(manifest: unknown, kind: 'NodePool' | 'EC2NodeClass'): unknown {
  const { schema } = findKind(kindsOf(NEWEST_KARPENTER_VERSION), KIND_APIS[kind].apiVersion, kind)!;
  return asRecord(pruneAndDefault(manifest, schema).value)?.spec;
}

export function amiFamilyOrCustom(spec: Spec): string {
  return amiFamilyOfClass(spec) ?? 'Custom';
}

/** `kubelet` as Go's json.Marshal prints it: sorted keys, no spaces, HTML characters escaped. */
export function kubeletJson({ kubelet }: Spec): string {
  if (Object.keys(asRecord(kubelet) ?? {}).length === 0) return 'null';
  const text = JSON.stringify(kubelet, (_, value: unknown) => {
    const record = asRecord(value);
    return record
      ? Object.fromEntries(Object.entries(record).sort(([left], [right]) => (left < right ? -1 : 1)))
      : value;
  });
  return text.replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
