import { likelyQuantities, Quantity, QuantityError } from '../../model';
import { FieldFix, safeFix, setField, unsafeFix } from '../field-edit';
import { FieldPath } from '../field-path';
import { compilePattern } from '../regexp';

/** The meaning of a CRD pattern in words, and what to write instead of a string that does not match. */
export interface PatternMeaning {
  /** Completes `must be …`. */
  readonly description: string;
  readonly remedy: string;
  /** Whether the pattern is for quantities, whose parser gives a more specific remedy. */
  readonly isQuantity?: boolean;
  /** Whether the quantity is the size of a volume, which is a whole number of a few units. */
  readonly isVolumeSize?: boolean;
}

const DURATION_OR_NEVER: PatternMeaning = {
  description: 'a duration of hours, minutes and seconds, or Never',
  remedy: 'write for example 720h, 1h30m or Never; days have no unit, 30 days are 720h',
};
const QUALIFIED_NAME = 'write <name> or <dns domain>/<name>, with letters, digits, "-", "_" and "."';

const MEANINGS: Readonly<Record<string, PatternMeaning>> = {
  '^(([0-9]+(s|m|h))+|Never)$': DURATION_OR_NEVER,
  // Until 1.3, the pattern lacked the outer parentheses, so it matches more than intended.
  '^(([0-9]+(s|m|h))+)|(Never)$': DURATION_OR_NEVER,
  '^([0-9]+(s|m|h))+$': {
    description: 'a duration of hours, minutes and seconds',
    remedy: 'write for example 48h or 30m; leave it out for no limit',
  },
  '^((100|[0-9]{1,2})%|[0-9]+)$': {
    description: 'a count of nodes or a whole percentage up to 100%, as a string',
    remedy: 'write for example "10%" or "2"',
  },
  '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$': {
    description: 'a duration of hours and minutes',
    remedy: 'write for example 8h, 30m or 1h30m; a schedule has no seconds',
  },
  '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$': {
    description: 'a cron schedule',
    remedy:
      'write five fields such as "0 9 * * mon-fri", or one of @hourly, @daily, @weekly, @monthly, @yearly; times are UTC',
  },
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$':
    {
      description: 'a Kubernetes quantity',
      remedy: 'write for example 1000, 500m or 1000Gi',
      isQuantity: true,
    },
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$':
    {
      description: 'a qualified name',
      remedy: QUALIFIED_NAME,
    },
  '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$': {
    description: 'a label value',
    remedy: 'use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends',
  },
  '^[^/]*$': { description: 'an API group without a version', remedy: 'write karpenter.k8s.aws' },
  'subnet-[0-9a-z]+': { description: 'a subnet id', remedy: 'write for example subnet-0123456789abcdef0' },
  'sg-[0-9a-z]+': { description: 'a security group id', remedy: 'write for example sg-0123456789abcdef0' },
  'ami-[0-9a-z]+': { description: 'an AMI id', remedy: 'write for example ami-0123456789abcdef0' },
  '^cr-[0-9a-z]+$': { description: 'a capacity reservation id', remedy: 'write for example cr-0123456789abcdef0' },
  '^pg-[0-9a-z]+$': { description: 'a placement group id', remedy: 'write for example pg-0123456789abcdef0' },
  '^[0-9]{12}$': { description: 'an AWS account id of 12 digits', remedy: 'write it in quotes, as in "123456789012"' },
  '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$': {
    description: 'an amount or a percentage with its sign, down to -100%',
    remedy: 'write for example "+0.05", "-10%" or "+25%"',
  },
  // Until 1.14, the schema covered the kubelet's settings.
  '^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%||(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?)$':
    {
      description: 'a percentage from 0% to 100%, or a quantity',
      remedy: 'write a percentage such as 5%, or a quantity such as 500Mi',
    },
  '^\\d+(\\.\\d+)?$': {
    description: 'a price in USD per hour, as a string without an exponent',
    remedy: 'write for example "0.05"',
  },
  '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$':
    {
      description: 'a whole number of Gi (1 to 59000), G (1 to 64000), Ti or T',
      remedy: 'write for example 30Gi; some Ti values are not allowed, such as 18Ti: write 18432Gi',
      isQuantity: true,
      isVolumeSize: true,
    },
};

/** Patterns of other CRDs are not in the table and are quoted. */
export function meaningOf(pattern: string): PatternMeaning {
  return Object.hasOwn(MEANINGS, pattern)
    ? MEANINGS[pattern]
    : { description: `a string that matches ${pattern}`, remedy: 'write a matching string' };
}

/** What to write instead of a string that does not match. For quantities, the likely typo is named. */
export function patternRemedy(pattern: string, text: string): string {
  const { remedy, isQuantity, isVolumeSize } = meaningOf(pattern);
  const meant = meantStrings(pattern, text);
  if (meant.length > 0) return `write ${meant.join(' or ')}`;
  return (isQuantity && !isVolumeSize ? quantityRemedy(text) : undefined) ?? remedy;
}

/** The edit to the string that was meant. If several can have been meant, as 5G or 5Gi by `5GB`, it is not safe. */
export function patternFix(pattern: string, path: FieldPath, text: string): FieldFix | undefined {
  const [meant, ...others] = meantStrings(pattern, text);
  if (meant === undefined) return undefined;
  return (others.length === 0 ? safeFix : unsafeFix)(setField(path, meant));
}

/** The matching strings that may have been meant: quantities, or a duration in other units, as in `30d`. */
function meantStrings(pattern: string, text: string): string[] {
  const { isQuantity, isVolumeSize, description } = meaningOf(pattern);
  const durations = description.startsWith('a duration of hours') ? likelyDurations(text) : [];
  const quantities = isQuantity ? likelyQuantities(text) : [];
  const meant = isVolumeSize ? quantities.flatMap(volumeSizesOf) : quantities;
  return [...meant, ...durations].filter((candidate) => compilePattern(pattern).test(candidate));
}

/** Quantities in smaller units, because volumes have whole numbers: `1500G` for `1.5T`. A plain number is likely Gi. */
function volumeSizesOf(quantity: string): string[] {
  const [, number, unit = ''] = /^([\d.]+)([A-Za-z]*)$/.exec(quantity) ?? [];
  if (number === undefined) return [quantity];
  if (unit === '') return [`${number}Gi`, `${number}G`];
  if (unit === 'T') return [`${inSteps(number, 1000)}G`];
  if (unit === 'Ti') return [`${inSteps(number, 1024)}Gi`];
  return [quantity];
}

function inSteps(number: string, step: number): number {
  return Number((Number(number) * step).toFixed(6));
}

/** Units of other programs in those of Go, with their number of hours if Go has no such unit. */
const UNITS: ReadonlyArray<readonly [name: RegExp, unit: string, hours?: number]> = [
  [/^s(?:ec(?:ond)?s?)?$/, 's'],
  [/^m(?:in(?:ute)?s?)?$/, 'm'],
  [/^h(?:(?:ou)?rs?)?$/, 'h'],
  [/^d(?:ays?)?$/, 'h', 24],
  [/^w(?:eeks?)?$/, 'h', 168],
];

/** The durations that `30d`, `5 min`, `300`, `0` and `1.5h` may mean. */
function likelyDurations(text: string): string[] {
  const lower = text.trim().toLowerCase();
  if (lower === 'never') return ['Never'];
  const [, number, , fraction, name] = /^(\d{1,7})(\.(\d))?\s*([a-z]*)$/.exec(lower) ?? [];
  if (number === undefined) return [];
  if (name === '') return fraction !== undefined ? [] : Number(number) === 0 ? ['0s'] : [`${number}s`, `${number}m`];
  const [, unit, hours = 1] = UNITS.find(([pattern]) => pattern.test(name)) ?? [];
  if (unit === undefined) return [];
  if (fraction === undefined) return [`${Number(number) * hours}${unit}`];
  const minutes = Math.round(Number(`${number}.${fraction}`) * hours * 60);
  return unit === 'h' ? [minutes % 60 === 0 ? `${minutes / 60}h` : `${Math.floor(minutes / 60)}h${minutes % 60}m`] : [];
}

function quantityRemedy(text: string): string | undefined {
  try {
    Quantity.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof QuantityError ? error.message.split('; ').slice(1).join('; ') || undefined : undefined;
  }
}

export function hasMeaning(pattern: string): boolean {
  return Object.hasOwn(MEANINGS, pattern);
}
