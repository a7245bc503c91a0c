/**
 * Releases of Bottlerocket by Kubernetes minor version, from its changelog up to 1.26.1 and the highlights of later
 * releases up to 1.66.0 of 2026-09-22.
 *
 * @see https://github.com/bottlerocket-os/bottlerocket/releases
 */
const FIRST: ReadonlyMap<number, string> = new Map([
  [22, '1.6.2'],
  [23, '1.8.0'],
  [24, '1.10.0'],
  [25, '1.12.0'],
  [26, '1.13.0'],
  [27, '1.14.0'],
  [28, '1.15.0'],
  [29, '1.18.0'],
  [30, '1.20.0'],
  [31, '1.22.0'],
  [34, '1.47.0'],
  [35, '1.53.0'],
  [36, '1.61.0'],
  [37, '1.66.0'],
]);
/** The release without the variants that earlier ones had. */
const REMOVED: ReadonlyMap<number, string> = new Map([
  [22, '1.15.0'],
  [23, '1.25.0'],
  [30, '1.64.0'],
]);

export interface MissingVariant {
  /** The first release with variants for the Kubernetes version, or the first without them. */
  readonly release: string;
  readonly isTooOld: boolean;
}

/** Why a Bottlerocket release in an alias certainly has no AMI for a Kubernetes minor version. */
export function findMissingVariant(alias: string, minor: number | undefined): MissingVariant | undefined {
  const [, release] = /^bottlerocket@v?(\d{1,4}\.\d{1,4}\.\d{1,4})$/.exec(alias) ?? [];
  if (release === undefined || minor === undefined) return undefined;
  const [first, removed] = [FIRST.get(minor), REMOVED.get(minor)];
  if (first !== undefined && isOlder(release, first)) return { release: first, isTooOld: true };
  return removed !== undefined && !isOlder(release, removed) ? { release: removed, isTooOld: false } : undefined;
}

function isOlder(left: string, right: string): boolean {
  const [a, b] = [left, right].map((release) => release.split('.').map(Number));
  const index = a.findIndex((part, position) => part !== b[position]);
  return index >= 0 && a[index] < b[index];
}
