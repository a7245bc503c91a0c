import { compareKarpenterVersions, NEWEST_KARPENTER_VERSION } from './karpenter-version';

/** One kind of API object at one API version. */
export interface KarpenterApi {
  readonly apiVersion: string;
  readonly kind: string;
  /** First release that serves it; absent: since before 0.28. */
  readonly since?: string;
  /** First release that no longer serves it; absent: still served. */
  readonly removedIn?: string;
  /** What to write instead, as `apiVersion kind`; absent while it is served. */
  readonly successor?: string;
}

export const NODE_POOL_API = { apiVersion: 'karpenter.sh/v1', group: 'karpenter.sh', kind: 'NodePool' } as const;
export const NODE_CLAIM_API = { apiVersion: 'karpenter.sh/v1', group: 'karpenter.sh', kind: 'NodeClaim' } as const;
export const EC2_NODE_CLASS_API = { apiVersion: 'karpenter.k8s.aws/v1', group: 'karpenter.k8s.aws', kind: 'EC2NodeClass' } as const;
export const NODE_OVERLAY_API = { apiVersion: 'karpenter.sh/v1alpha1', group: 'karpenter.sh', kind: 'NodeOverlay' } as const;
export const CAPACITY_BUFFER_API = { apiVersion: 'autoscaling.x-k8s.io/v1beta1', group: 'autoscaling.x-k8s.io', kind: 'CapacityBuffer' } as const;

/** A kind whose objects are judged. */
export type KarpenterKind = 'NodePool' | 'NodeClaim' | 'EC2NodeClass' | 'NodeOverlay' | 'CapacityBuffer';

/** Each kind as the newest release serves it. */
export const KIND_APIS: Readonly<Record<KarpenterKind, { readonly apiVersion: string; readonly group: string }>> = {
  NodePool: NODE_POOL_API,
  NodeClaim: { apiVersion: 'karpenter.sh/v1', group: 'karpenter.sh' },
  EC2NodeClass: EC2_NODE_CLASS_API,
  NodeOverlay: NODE_OVERLAY_API,
  CapacityBuffer: CAPACITY_BUFFER_API,
};

export const KARPENTER_KINDS: ReadonlyArray<{ readonly kind: string; readonly group: string }> =
  Object.entries(KIND_APIS).map(([kind, { group }]) => ({ kind, group }));

/** Groups whose kinds are all of the cluster, in every version. */
const CLUSTER_WIDE_GROUPS: readonly string[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];

/** Whether objects of it have no namespace: the API server clears one that is written. */
export function isClusterWide(apiVersion: string): boolean {
  return CLUSTER_WIDE_GROUPS.includes(apiVersion.split('/')[0]);
}

/** Whether it is one of the kinds that are judged, at the API version that is judged. */
export function isKarpenterKind(apiVersion: string, kind: string): boolean {
  return Object.hasOwn(KIND_APIS, kind) && KIND_APIS[kind as KarpenterKind].apiVersion === apiVersion;
}

/**
 * Every kind that Karpenter for AWS ever served at v1alpha5 or later.
 *
 * Sources: the upgrade guide (0.32 introduces v1beta1, 0.33 drops the alpha kinds, 1.0 introduces v1, 1.1 drops
 * v1beta1;
 * https://karpenter.sh/docs/upgrading/upgrade-guide/) and the CRDs shipped with 1.15.1.
 */
export const KARPENTER_APIS: readonly KarpenterApi[] = [
  { apiVersion: 'karpenter.sh/v1alpha5', kind: 'Provisioner', removedIn: '0.33.0', successor: 'karpenter.sh/v1 NodePool' },
  { apiVersion: 'karpenter.sh/v1alpha5', kind: 'Machine', removedIn: '0.33.0', successor: 'karpenter.sh/v1 NodeClaim' },
  { apiVersion: 'karpenter.k8s.aws/v1alpha1', kind: 'AWSNodeTemplate', removedIn: '0.33.0', successor: 'karpenter.k8s.aws/v1 EC2NodeClass' },
  { apiVersion: 'karpenter.sh/v1beta1', kind: 'NodePool', since: '0.32.0', removedIn: '1.1.0', successor: 'karpenter.sh/v1 NodePool' },
  { apiVersion: 'karpenter.sh/v1beta1', kind: 'NodeClaim', since: '0.32.0', removedIn: '1.1.0', successor: 'karpenter.sh/v1 NodeClaim' },
  { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', since: '0.32.0', removedIn: '1.1.0', successor: 'karpenter.k8s.aws/v1 EC2NodeClass' },
  { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', since: '1.0.0' },
  { apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', since: '1.0.0' },
  { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', since: '1.0.0' },
  { apiVersion: 'karpenter.sh/v1alpha1', kind: 'NodeOverlay', since: '1.7.0' },
  { apiVersion: CAPACITY_BUFFER_API.apiVersion, kind: 'CapacityBuffer', since: '1.14.0' },
];

const KARPENTER_GROUPS: readonly string[] = [NODE_POOL_API.group, EC2_NODE_CLASS_API.group];

/**
 * What a release makes of an object:
 * - `foreign`: none of Karpenter's groups or kinds;
 * - `served`;
 * - `removed` or `future`: known, but no longer or not yet served by this release;
 * - `unknown`: this kind was never in this group at this version (`nearest` is what was probably meant).
 */
export interface ApiStatus {
  readonly state: 'foreign' | 'served' | 'removed' | 'future' | 'unknown';
  readonly api?: KarpenterApi;
  /** `apiVersion kind` to write instead. */
  readonly successor?: string;
}

export function findApiStatus(apiVersion: string, kind: string, karpenterVersion: string = NEWEST_KARPENTER_VERSION): ApiStatus {
  const api = KARPENTER_APIS.find((a) => a.apiVersion === apiVersion && a.kind === kind);
  if (!api) return statusOfUnlisted(apiVersion, kind);
  if (api.removedIn !== undefined && compareKarpenterVersions(karpenterVersion, api.removedIn) >= 0) {
    return { state: 'removed', api, successor: api.successor };
  }
  if (api.since !== undefined && compareKarpenterVersions(karpenterVersion, api.since) < 0) return { state: 'future', api };
  return { state: 'served', api };
}

function statusOfUnlisted(apiVersion: string, kind: string): ApiStatus {
  const group = apiVersion.split('/')[0];
  // The group is others' too: of it, this kind alone is Karpenter's.
  const isBuffer = group === CAPACITY_BUFFER_API.group && kind === CAPACITY_BUFFER_API.kind;
  if (!KARPENTER_GROUPS.includes(group) && !isBuffer) return { state: 'foreign' };
  const sameKind = KARPENTER_APIS.filter((a) => a.kind.toLowerCase() === kind.toLowerCase()).pop();
  if (!sameKind) return { state: 'unknown' };
  return { state: 'unknown', successor: sameKind.successor ?? `${sameKind.apiVersion} ${sameKind.kind}` };
}
