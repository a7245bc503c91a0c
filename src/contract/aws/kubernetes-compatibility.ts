import { compareKarpenterVersions } from '../karpenter-version';

/**
 * The first release of Karpenter for each minor version of Kubernetes, oldest first.
 *
 * @see https://karpenter.sh/docs/upgrading/compatibility/
 */
export const FIRST_KARPENTER_FOR_KUBERNETES: ReadonlyArray<readonly [kubernetes: string, karpenter: string]> = [
  ['1.29', '0.34.0'], ['1.30', '0.37.0'], ['1.31', '1.0.5'], ['1.32', '1.2.0'], ['1.33', '1.5.0'], ['1.34', '1.6.0'], ['1.35', '1.9.0'], ['1.36', '1.13.0'],
  ['1.37', '1.15.0'],
];

const MINOR = /^v?(1\.\d{1,3})(?:\.\d{1,4})?(?:[-+].{0,64})?$/;

/** The first release for a version such as `1.34` or `v1.34.2-eks`; undefined where none is known. */
export function firstKarpenterFor(kubernetesVersion: string): string | undefined {
  const minor = MINOR.exec(kubernetesVersion)?.[1];
  return FIRST_KARPENTER_FOR_KUBERNETES.find(([kubernetes]) => kubernetes === minor)?.[1];
}

/** What does not go together, or undefined, also where a version is not known. */
export function findIncompatibility(kubernetesVersion: string, karpenterVersion: string): string | undefined {
  const first = firstKarpenterFor(kubernetesVersion);
  if (first === undefined || compareKarpenterVersions(karpenterVersion, first) >= 0) return undefined;
  return `must be ${first} or newer for Kubernetes ${kubernetesVersion}, got ${karpenterVersion}; move Karpenter to ${first} before the cluster`;
}
