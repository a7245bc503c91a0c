import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from './karpenter-version';

/** One kind of API object at one API version. */
export interface KarpenterApi {
  readonly apiVersion: string;
  readonly kind: string;
  /** The first release that serves it. Absent if that release is older than 0.28. */
  readonly since?: string;
  /** The first release that no longer serves it. Absent if it is still served. */
  readonly removedIn?: string;
  /** The replacement, as `apiVersion kind`. Absent if it is still served. */
  readonly successor?: string;
}

export const NODE_POOL_API = { apiVersion: 'karpenter.sh/v1', group: 'karpenter.sh', kind: 'NodePool' } as const;

export const NODE_CLAIM_API = { apiVersion: 'karpenter.sh/v1', group: 'karpenter.sh', kind: 'NodeClaim' } as const;

export const EC2_NODE_CLASS_API = {
  apiVersion: 'karpenter.k8s.aws/v1',
  group: 'karpenter.k8s.aws',
  kind: 'EC2NodeClass',
} as const;

export const NODE_OVERLAY_API = {
  apiVersion: 'karpenter.sh/v1alpha1',
  group: 'karpenter.sh',
  kind: 'NodeOverlay',
} as const;

export const CAPACITY_BUFFER_API = {
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  group: 'autoscaling.x-k8s.io',
  kind: 'CapacityBuffer',
} as const;

/** A kind whose objects are validated. */
export type KarpenterKind = 'NodePool' | 'NodeClaim' | 'EC2NodeClass' | 'NodeOverlay' | 'CapacityBuffer';

/** Each kind as the newest release serves it. */
export const KIND_APIS: Readonly<Record<KarpenterKind, { readonly apiVersion: string; readonly group: string }>> = {
  NodePool: NODE_POOL_API,
  NodeClaim: { apiVersion: 'karpenter.sh/v1', group: 'karpenter.sh' },
  EC2NodeClass: EC2_NODE_CLASS_API,
  NodeOverlay: NODE_OVERLAY_API,
  CapacityBuffer: CAPACITY_BUFFER_API,
};

export const KARPENTER_KINDS: ReadonlyArray<{ readonly kind: string; readonly group: string }> = Object.entries(
  KIND_APIS,
).map(([kind, { group }]) => ({ kind, group }));

/** Groups that have only cluster-scoped kinds, in every version. */
const CLUSTER_SCOPED_GROUPS: readonly string[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];

/** Whether objects of this API version have no namespace. The API server then removes a given namespace. */
export function isClusterScoped(apiVersion: string): boolean {
  return CLUSTER_SCOPED_GROUPS.includes(apiVersion.split('/')[0]);
}

/** Whether objects of this kind and API version are validated. */
export function isValidatedKind(apiVersion: string, kind: string): boolean {
  return Object.hasOwn(KIND_APIS, kind) && KIND_APIS[kind as KarpenterKind].apiVersion === apiVersion;
}

/**
 * Every kind that Karpenter for AWS ever served at v1alpha5 or later.
 *
 * Sources: the upgrade guide (0.32 introduces v1beta1, 0.33 drops the alpha kinds, 1.0 introduces v1, 1.1 drops
 * v1beta1; https://karpenter.sh/docs/upgrading/upgrade-guide/) and the CRDs shipped with 1.15.1.
 */
export const KARPENTER_APIS: readonly KarpenterApi[] = [
  {
    apiVersion: 'karpenter.sh/v1alpha5',
    kind: 'Provisioner',
    removedIn: '0.33.0',
    successor: 'karpenter.sh/v1 NodePool',
  },
  { apiVersion: 'karpenter.sh/v1alpha5', kind: 'Machine', removedIn: '0.33.0', successor: 'karpenter.sh/v1 NodeClaim' },
  {
    apiVersion: 'karpenter.k8s.aws/v1alpha1',
    kind: 'AWSNodeTemplate',
    removedIn: '0.33.0',
    successor: 'karpenter.k8s.aws/v1 EC2NodeClass',
  },
  {
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodePool',
    since: '0.32.0',
    removedIn: '1.1.0',
    successor: 'karpenter.sh/v1 NodePool',
  },
  {
    apiVersion: 'karpenter.sh/v1beta1',
    kind: 'NodeClaim',
    since: '0.32.0',
    removedIn: '1.1.0',
    successor: 'karpenter.sh/v1 NodeClaim',
  },
  {
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    since: '0.32.0',
    removedIn: '1.1.0',
    successor: 'karpenter.k8s.aws/v1 EC2NodeClass',
  },
  { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', since: '1.0.0' },
  { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', since: '1.0.0' },
  { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', since: '1.0.0' },
  { apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', since: '1.7.0' },
  { apiVersion: CAPACITY_BUFFER_API.apiVersion, kind: 'CapacityBuffer', since: '1.14.0' },
];

const KARPENTER_GROUPS: readonly string[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];

/**
 * The status of an API in a release:
 * - `foreign`: not one of Karpenter's groups or kinds;
 * - `served`;
 * - `removed`: no longer served by this release;
 * - `future`: not yet served by this release;
 * - `unknown`: this kind never existed in this group and version. `successor` is what was probably meant.
 */
export interface ApiStatus {
  readonly state: 'foreign' | 'served' | 'removed' | 'future' | 'unknown';
  readonly api?: KarpenterApi;
  /** The `apiVersion kind` to write instead. */
  readonly successor?: string;
}

export function findApiStatus(
  apiVersion: string,
  kind: string,
  karpenterVersion: string = NEWEST_KARPENTER_VERSION,
): ApiStatus {
  const api = KARPENTER_APIS.find((a) => a.apiVersion === apiVersion && a.kind === kind);
  if (!api) return statusOfUnlisted(apiVersion, kind);
  if (api.removedIn !== undefined && compareKarpenterVersions(karpenterVersion, api.removedIn) >= 0) {
    return { state: 'removed', api, successor: api.successor };
  }
  if (api.since !== undefined && compareKarpenterVersions(karpenterVersion, api.since) < 0)
    return { state: 'future', api };
  return { state: 'served', api };
}

function statusOfUnlisted(apiVersion: string, kind: string): ApiStatus {
  const group = apiVersion.split('/')[0];
  // Other projects use this group, too. CapacityBuffer is the only kind of it that Karpenter serves.
  const isBuffer = group === CAPACITY_BUFFER_API.group && kind === CAPACITY_BUFFER_API.kind;
  if (!KARPENTER_GROUPS.includes(group) && !isBuffer) return { state: 'foreign' };
  const sameKind = KARPENTER_APIS.filter((a) => a.kind.toLowerCase() === kind.toLowerCase()).pop();
  if (!sameKind) return { state: 'unknown' };
  return { state: 'unknown', successor: sameKind.successor ?? `${sameKind.apiVersion} ${sameKind.kind}` };
}

/**
 * Node labels of earlier releases, with their replacements.
 *
 * Sources of all legacy keys: https://karpenter.sh/v0.32/upgrading/v1beta1-migration/ and
 * https://karpenter.sh/v1.0/upgrading/v1-migration/
 */
export const LEGACY_LABELS: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/provisioner-name', 'karpenter.sh/nodepool'],
]);

/** Annotations of pods and nodes in earlier releases, with their replacements. */
export const LEGACY_ANNOTATIONS: ReadonlyMap<string, string> = new Map([
  ['karpenter.sh/do-not-evict', 'karpenter.sh/do-not-disrupt'],
  ['karpenter.sh/do-not-consolidate', 'karpenter.sh/do-not-disrupt'],
]);

/** The taint of nodes that are being disrupted, in earlier releases. The new taint has no value. */
export const LEGACY_DISRUPTION_TAINT = {
  key: 'karpenter.sh/disruption',
  value: 'disrupting',
  successor: 'karpenter.sh/disrupted',
} as const;
