import { nearestName } from '../model';

/** Selects the newest AMI of a family. */
const LATEST = 'latest';

interface VersionForm {
  readonly pattern: RegExp;
  /** For advice: the form in words, and an example. */
  readonly form: string;
  readonly example: string;
}

/** Amazon EKS names its Linux AMIs by the day of the release. */
const DATE: VersionForm = {
  pattern: /^v20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/, form: 'v and the date of a release, as in', example: 'v20250915',
};

/**
 * The versions that AWS publishes for each alias, as SSM parameters have them.
 *
 * Sources: pkg/providers/amifamily/al2.go, al2023.go and bottlerocket.go of Karpenter for AWS 1.15.1. Karpenter removes
 * each leading v of a Bottlerocket version. A commit after the version is also a parameter.
 */
const FORMS: ReadonlyMap<string, VersionForm> = new Map([
  ['al2', DATE],
  ['al2023', DATE],
  ['bottlerocket', {
    pattern: /^v*(latest|\d+\.\d+\.\d+(-[0-9a-f]{7,40})?)$/, form: 'the three numbers of a release, as in', example: 'v1.43.0',
  }],
]);

export interface ImpossibleAlias {
  readonly family: string;
  readonly version: string;
  /** What to write instead. */
  readonly remedy: string;
}

/**
 * The parts of an alias that can select no AMI, because of the form of its version. Undefined for other aliases, and
 * for aliases that the API server rejects.
 */
export function findImpossibleAlias(alias: string): ImpossibleAlias | undefined {
  const [family, version, ...others] = alias.split('@');
  const form = FORMS.get(family);
  if (!form || !version || others.length > 0 || version === LATEST || form.pattern.test(version)) return undefined;
  return { family, version, remedy: `write ${correction(family, version, form)}` };
}

function correction(family: string, version: string, { pattern, form, example }: VersionForm): string {
  const lower = version.toLowerCase();
  const meant = lower === LATEST ? LATEST : nearestName(lower, [LATEST]) ?? [lower, `v${lower}`].find((candidate) => pattern.test(candidate));
  return meant === undefined ? `${form} ${family}@${example}, or ${family}@${LATEST}` : `${family}@${meant}`;
}
