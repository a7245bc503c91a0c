/**
 * Releases of the EKS-optimized AMIs of Amazon Linux, from the changelog of awslabs/amazon-eks-ami as of 2026-07-23.
 * Its entries list the AMIs of each Kubernetes version.
 *
 * @see https://github.com/awslabs/amazon-eks-ami/blob/main/CHANGELOG.md
 */

/** Which releases of a family have AMIs for a Kubernetes minor version. Dates are as in an alias, such as 20260114. */
interface AmiReleases {
  /** The newest release before `first`: it and all older ones have none. @default - there is no older release */
  readonly lastBefore?: string;
  readonly first: string;
  readonly last: string;
  /** The oldest release after `last`: it and all newer ones have none. @default - the newest release still has some */
  readonly firstAfter?: string;
}

/** By alias family and Kubernetes minor version. */
const RELEASES: Readonly<Record<string, ReadonlyMap<number, AmiReleases>>> = {
  al2: new Map([
    [23, { lastBefore: '20220725', first: '20220802', last: '20240928', firstAfter: '20241011' }],
    [24, { lastBefore: '20221101', first: '20221104', last: '20250123', firstAfter: '20250203' }],
    [25, { lastBefore: '20230203', first: '20230217', last: '20250419', firstAfter: '20250501' }],
    [26, { lastBefore: '20230322', first: '20230406', last: '20250519', firstAfter: '20250620' }],
    [27, { lastBefore: '20230509', first: '20230513', last: '20250715', firstAfter: '20250807' }],
    [28, { lastBefore: '20230825', first: '20230919', last: '20251112', firstAfter: '20251120' }],
    [29, { lastBefore: '20240110', first: '20240117', last: '20251209', firstAfter: '20251217' }],
    [30, { lastBefore: '20240506', first: '20240514', last: '20251209', firstAfter: '20251217' }],
    [31, { lastBefore: '20240910', first: '20240917', last: '20251209', firstAfter: '20251217' }],
    [32, { lastBefore: '20241213', first: '20241225', last: '20251209', firstAfter: '20251217' }],
  ]),
  al2023: new Map([
    [23, { first: '20240213', last: '20240928', firstAfter: '20241011' }],
    [24, { first: '20240213', last: '20250123', firstAfter: '20250203' }],
    [25, { first: '20240213', last: '20250419', firstAfter: '20250501' }],
    [26, { first: '20240213', last: '20250519', firstAfter: '20250620' }],
    [27, { first: '20240213', last: '20250715', firstAfter: '20250807' }],
    [28, { first: '20240213', last: '20251112', firstAfter: '20251120' }],
    [29, { first: '20240213', last: '20260318', firstAfter: '20260403' }],
    [30, { lastBefore: '20240506', first: '20240514', last: '20260714' }],
    [31, { lastBefore: '20240910', first: '20240917', last: '20260714' }],
    [32, { lastBefore: '20241213', first: '20241225', last: '20260714' }],
    [33, { lastBefore: '20250514', first: '20250519', last: '20260714' }],
    [34, { lastBefore: '20250904', first: '20250915', last: '20260714' }],
    [35, { lastBefore: '20260107', first: '20260114', last: '20260714' }],
    [36, { lastBefore: '20260505', first: '20260610', last: '20260714' }],
  ]),
};

export interface MissingAmi {
  /** The newest date up to which, or the oldest date from which, no AMI exists. */
  readonly date: string;
  readonly isTooOld: boolean;
  /** An alias of the newest or the last release that has an AMI. */
  readonly instead: string;
  /** The oldest release that certainly has one. */
  readonly first: string;
}

/**
 * Why an alias of a dated release certainly has no AMI for a Kubernetes minor version, or for any version that EKS has
 * had, if the version is not known. Undefined if it has one, or if that is not known.
 */
export function findMissingAmi(alias: string, minor?: number): MissingAmi | undefined {
  const [, family, release] = /^([a-z0-9]+)@v(\d{8})$/.exec(alias) ?? [];
  const byMinor = family !== undefined && Object.hasOwn(RELEASES, family) ? RELEASES[family] : undefined;
  if (byMinor === undefined) return undefined;
  const versions = minor === undefined ? [...byMinor.values()] : [byMinor.get(minor)];
  const reasons = versions.map((releases) => releases && missingIn(releases, family, release));
  // The last reason is that of the newest version.
  return reasons.includes(undefined) ? undefined : reasons[reasons.length - 1];
}

function missingIn(
  { lastBefore, first, last, firstAfter }: AmiReleases,
  family: string,
  release: string,
): MissingAmi | undefined {
  const instead = `${family}@v${last}`;
  if (lastBefore !== undefined && release <= lastBefore) return { date: lastBefore, isTooOld: true, instead, first };
  if (firstAfter !== undefined && release >= firstAfter) return { date: firstAfter, isTooOld: false, instead, first };
  return undefined;
}
