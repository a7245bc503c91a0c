import { compareKarpenterVersions, parseKarpenterVersion } from '../karpenter-version';

/**
 * The releases of Karpenter for AWS whose CRDs this package has, oldest first.
 *
 * Sources: pkg/apis/crds in the Go module github.com/aws/karpenter-provider-aws at `v<release>`. Of the other minor
 * versions no module is published.
 */
export const KARPENTER_RELEASES: readonly string[] = ['1.0.8', '1.3.3', '1.8.6', '1.9.3', '1.10.0', '1.13.0', '1.14.0', '1.15.1'];

/**
 * The release whose CRDs stand for a version: of the same minor version, or else the next newer one, since an API of v1
 * only grows and so refuses nothing that the older one takes.
 */
export function releaseFor(version: string): string {
  const newest = KARPENTER_RELEASES[KARPENTER_RELEASES.length - 1];
  const wanted = parseKarpenterVersion(version);
  if (!wanted) return newest;
  const firstPatch = `${wanted[0]}.${wanted[1]}.0`;
  return KARPENTER_RELEASES.find((release) => compareKarpenterVersions(release, firstPatch) >= 0) ?? newest;
}
