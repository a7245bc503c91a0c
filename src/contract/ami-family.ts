import { nearestName } from '../model';
import { asRecord } from './field-problem';

/** AMI families by the part of an alias before the `@`. */
export const AMI_ALIAS_FAMILIES: Readonly<Record<string, string>> = {
  al2: 'AL2',
  al2023: 'AL2023',
  bottlerocket: 'Bottlerocket',
  windows2019: 'Windows2019',
  windows2022: 'Windows2022',
  windows2025: 'Windows2025',
};

/**
 * The AMI family of an EC2NodeClass `spec`: the field `amiFamily`, or the family of an alias. Undefined if neither is
 * known.
 */
export function amiFamilyOfClass({
  amiFamily,
  amiSelectorTerms,
}: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof amiFamily === 'string')
    return amiFamily === 'Custom' || Object.values(AMI_ALIAS_FAMILIES).includes(amiFamily) ? amiFamily : undefined;
  const terms: readonly unknown[] = Array.isArray(amiSelectorTerms) ? amiSelectorTerms : [];
  const alias = terms.map((term) => asRecord(term)?.alias).find((value) => typeof value === 'string') as
    | string
    | undefined;
  const name = (alias ?? '').split('@')[0];
  return Object.hasOwn(AMI_ALIAS_FAMILIES, name) ? AMI_ALIAS_FAMILIES[name] : undefined;
}

/** Selects the newest AMI of a family. */
const LATEST = 'latest';
interface VersionForm {
  readonly pattern: RegExp;
  /** The format in words, for the remedy. */
  readonly form: string;
  readonly example: string;
}
/** Amazon EKS names its Linux AMIs by release date. */
const DATE: VersionForm = {
  pattern: /^v20\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/,
  form: 'v and the date of a release, as in',
  example: 'v20250915',
};
/**
 * The formats of the versions that AWS publishes as SSM parameters for each alias.
 *
 * Sources: pkg/providers/amifamily/al2.go, al2023.go and bottlerocket.go of Karpenter for AWS 1.15.1. Karpenter removes
 * each leading v of a Bottlerocket version. A commit after the version is also a parameter.
 */
const FORMS: ReadonlyMap<string, VersionForm> = new Map([
  ['al2', DATE],
  ['al2023', DATE],
  [
    'bottlerocket',
    {
      pattern: /^v*(latest|\d+\.\d+\.\d+(-[0-9a-f]{7,40})?)$/,
      form: 'the three numbers of a release, as in',
      example: 'v1.43.0',
    },
  ],
]);

export interface ImpossibleAlias {
  readonly family: string;
  readonly version: string;
  /** What to write instead. */
  readonly remedy: string;
  /** The alias that was likely meant. */
  readonly meant?: string;
}
/**
 * The parts of an alias that selects no AMI because AWS never publishes a version of this format. Undefined for valid
 * aliases and for aliases that the API server rejects.
 */
export function findImpossibleAlias(alias: string): ImpossibleAlias | undefined {
  const [family, version, ...rest] = alias.split('@');
  const form = FORMS.get(family);
  if (!form || !version || rest.length > 0 || version === LATEST || form.pattern.test(version)) return undefined;
  const meant = meantVersion(version, form);
  if (meant !== undefined) return { family, version, remedy: `write ${family}@${meant}`, meant: `${family}@${meant}` };
  return { family, version, remedy: `write ${form.form} ${family}@${form.example}, or ${family}@${LATEST}` };
}

function meantVersion(version: string, { pattern }: VersionForm): string | undefined {
  const lower = version.toLowerCase();
  return lower === LATEST
    ? LATEST
    : (nearestName(lower, [LATEST]) ?? [lower, `v${lower}`].find((candidate) => pattern.test(candidate)));
}
