/**
 * The hashes that Karpenter writes on NodePools, EC2NodeClasses and, when it launches them, NodeClaims: as long as both
 * are the same, no static field has changed since.
 */
import { EC2_NODE_CLASS_API, NODE_POOL_API } from '../karpenter-api';
import { asRecord } from '../value-rule';
import { EC2_NODE_CLASS_SPEC, NODE_CLAIM_TEMPLATE } from './hashed-types';
import { familyOf, kubeletText, storedSpec } from './stored-spec';
import { structHash, textHash, together } from './struct-hash';

/** Annotations with a hash and its version. Hashes of different versions are not compared, so they cause no drift. */
export interface HashAnnotations {
  readonly hash: string;
  readonly version: string;
}

export const NODE_POOL_HASH: HashAnnotations = { hash: `${NODE_POOL_API.group}/nodepool-hash`, version: `${NODE_POOL_API.group}/nodepool-hash-version` };
export const NODE_CLASS_HASH: HashAnnotations = {
  hash: `${EC2_NODE_CLASS_API.group}/ec2nodeclass-hash`,
  version: `${EC2_NODE_CLASS_API.group}/ec2nodeclass-hash-version`,
};

/** Of `nodePoolHash`: that of Karpenter 1.0 and newer. */
export const NODE_POOL_HASH_VERSION = 'v3';
/** Of `nodeClassHash`: that of Karpenter for AWS 1.15. */
export const NODE_CLASS_HASH_VERSION = 'v6';

/** What a NodePool has in its annotation `karpenter.sh/nodepool-hash`, as a manifest writes it. */
export function nodePoolHash(manifest: unknown): string {
  return String(structHash(asRecord(storedSpec(manifest, 'NodePool'))?.template, NODE_CLAIM_TEMPLATE));
}

/**
 * What an EC2NodeClass has in its annotation `karpenter.k8s.aws/ec2nodeclass-hash`, as a manifest writes it.
 *
 * @param caBundle of the cluster, as the kubeconfig has it in base64; the hash holds it as well
 */
export function nodeClassHash(manifest: unknown, caBundle: string): string {
  return String(together([ownHash(manifest), textHash(caBundle)]));
}

/**
 * The hash that an EC2NodeClass gets when it changes. What is not its own in the hash, the certificate of the cluster,
 * is in the old one as well.
 *
 * @param hash of `before`, of version NODE_CLASS_HASH_VERSION
 */
export function nodeClassHashAfter(hash: string, before: unknown, after: unknown): string {
  return String(together([BigInt(hash), ownHash(before), ownHash(after)]));
}

function ownHash(manifest: unknown): bigint {
  const spec = asRecord(storedSpec(manifest, 'EC2NodeClass')) ?? {};
  return together([structHash(spec, EC2_NODE_CLASS_SPEC), textHash(familyOf(spec)), textHash(kubeletText(spec))]);
}
