/** The newest release whose API this package knows, and the default version everywhere. */
export const NEWEST_KARPENTER_VERSION = '1.15.1';

/** The first release with the v1 API, which is the only validated API. */
export const OLDEST_KARPENTER_VERSION = '1.0.0';

/**
 * The first release whose CRD accepts any map for `spec.kubelet` of an EC2NodeClass. Its controller checks the map
 * instead.
 */
export const OPEN_KUBELET_SINCE = '1.15.0';

const VERSION = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?:[-+].{0,64})?$/;

/** The numbers of `1.15.1`, `v1.15.1` or `1.15`. Undefined if the text is not a version. */
export function parseKarpenterVersion(
  text: string,
): readonly [major: number, minor: number, patch: number] | undefined {
  const match = VERSION.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/**
 * Negative if a is older than b, positive if newer, 0 if the same release.
 *
 * @throws Error if one of them is not a version
 */
export function compareKarpenterVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => {
    const version = parseKarpenterVersion(text);
    if (!version)
      throw new Error(
        `karpenter version: must be <major>.<minor>.<patch>, got ${JSON.stringify(text)}; write for example ${NEWEST_KARPENTER_VERSION}`,
      );
    return version;
  });
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

/** Whether the API of the version is known. Newer patch releases of the newest minor version count as known. */
export function isKnownKarpenterVersion(text: string): boolean {
  const version = parseKarpenterVersion(text);
  const newest = parseKarpenterVersion(NEWEST_KARPENTER_VERSION)!;
  return version !== undefined && version[0] === newest[0] && version[1] <= newest[1];
}

/** Whether the release is older than the v1 API. */
export function isBeforeV1(text: string | undefined): boolean {
  const version = text === undefined ? undefined : parseKarpenterVersion(text);
  return version !== undefined && version[0] === 0;
}

/**
 * The first release of Karpenter for each minor version of Kubernetes, oldest first.
 *
 * @see https://karpenter.sh/docs/upgrading/compatibility/
 */
export const FIRST_KARPENTER_FOR_KUBERNETES: ReadonlyArray<readonly [kubernetes: string, karpenter: string]> = [
  ['1.29', '0.34.0'],
  ['1.30', '0.37.0'],
  ['1.31', '1.0.5'],
  ['1.32', '1.2.0'],
  ['1.33', '1.5.0'],
  ['1.34', '1.6.0'],
  ['1.35', '1.9.0'],
  ['1.36', '1.13.0'],
  ['1.37', '1.15.0'],
];
const MINOR = /^v?(1\.\d{1,3})(?:\.\d{1,4})?(?:[-+].{0,64})?$/;

/** The first release of Karpenter for a Kubernetes version such as `1.34` or `v1.34.2-eks`. Undefined if not known. */
export function firstKarpenterFor(kubernetesVersion: string): string | undefined {
  const minor = MINOR.exec(kubernetesVersion)?.[1];
  return FIRST_KARPENTER_FOR_KUBERNETES.find(([kubernetes]) => kubernetes === minor)?.[1];
}

/**
 * The oldest minor version of Kubernetes that releases of Karpenter accept, oldest release first. For an older cluster,
 * the controller reports that it is not compatible.
 *
 * Source: `MinK8sVersion` in `pkg/providers/version/version.go` of each release.
 *
 * @see https://karpenter.sh/docs/upgrading/compatibility/
 */
const OLDEST_KUBERNETES_SINCE: ReadonlyArray<readonly [karpenter: string, kubernetesMinor: number]> = [
  [OLDEST_KARPENTER_VERSION, 25],
  ['1.5.0', 26],
];

/** The oldest Kubernetes version for the release of Karpenter, such as `1.26`. Undefined for a release before 1.0. */
export function oldestKubernetesFor(karpenterVersion: string): string | undefined {
  const minor = OLDEST_KUBERNETES_SINCE.filter(
    ([first]) => compareKarpenterVersions(karpenterVersion, first) >= 0,
  ).pop()?.[1];
  return minor === undefined ? undefined : `1.${minor}`;
}

/** Whether the cluster is older than the release of Karpenter accepts. */
export function isKubernetesTooOld(kubernetesVersion: string, karpenterVersion: string): boolean {
  const minor = MINOR.exec(kubernetesVersion)?.[1];
  const oldest = oldestKubernetesFor(karpenterVersion);
  return minor !== undefined && oldest !== undefined && Number(minor.slice(2)) < Number(oldest.slice(2));
}

/** An error message if the versions are incompatible. Undefined if they are compatible or not known. */
export function incompatibilityProblem(kubernetesVersion: string, karpenterVersion: string): string | undefined {
  if (isKubernetesTooOld(kubernetesVersion, karpenterVersion)) {
    const oldest = oldestKubernetesFor(karpenterVersion);
    return `needs Kubernetes ${oldest} or newer, got ${karpenterVersion} for Kubernetes ${kubernetesVersion}; upgrade the cluster to ${oldest} or newer`;
  }
  const first = firstKarpenterFor(kubernetesVersion);
  if (first === undefined || compareKarpenterVersions(karpenterVersion, first) >= 0) return undefined;
  return `must be ${first} or newer for Kubernetes ${kubernetesVersion}, got ${karpenterVersion}; move Karpenter to ${first} before the cluster`;
}
