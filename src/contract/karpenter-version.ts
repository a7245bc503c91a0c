
/** The newest release whose API this package knows; its facts are the ones used unless a version is given. */
export const NEWEST_KARPENTER_VERSION = '1.15.1';

/** The first one with the API that is judged here. */
export const OLDEST_KARPENTER_VERSION = '1.0.0';

/**
 * The first one whose CRD takes any map for `spec.kubelet` of an EC2NodeClass, and whose controller checks it instead.
 */
export const OPEN_KUBELET_SINCE = '1.15.0';

const VERSION = /^v?(\d{1,6})\.(\d{1,6})(?:\.(\d{1,6}))?(?:[-+].{0,64})?$/;

/** Numbers of `1.15.1`, `v1.15.1` or `1.15`; undefined if the text is no version. */
export function parseKarpenterVersion(text: string): readonly [major: number, minor: number, patch: number] | undefined {
  const match = VERSION.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3] ?? 0)] : undefined;
}

/**
 * Negative if a is older than b, positive if newer, 0 if the same release.
 *
 * @throws Error if one of them is no version
 */
export function compareKarpenterVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((text) => {
    const version = parseKarpenterVersion(text);
    if (!version) throw new Error(`karpenter version: must be <major>.<minor>.<patch>, got ${JSON.stringify(text)}; write for example ${NEWEST_KARPENTER_VERSION}`);
    return version;
  });
  return left[0] - right[0] || left[1] - right[1] || left[2] - right[2];
}

/** Whether it is a version whose API is known here; a newer patch of the newest one is. */
export function isKnownKarpenterVersion(text: string): boolean {
  const version = parseKarpenterVersion(text);
  const newest = parseKarpenterVersion(NEWEST_KARPENTER_VERSION)!;
  return version !== undefined && version[0] === newest[0] && version[1] <= newest[1];
}
