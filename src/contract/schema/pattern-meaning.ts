import { Quantity, QuantityError } from '../../model';

/** What the patterns of the CRDs mean, in words, and what to write instead of a text that does not match. */
export interface PatternMeaning {
  /** The end of 'must be …'. */
  readonly meaning: string;
  readonly remedy: string;
  /** Whether the pattern is for quantities, for which the remedy can be more specific. */
  readonly isQuantity?: boolean;
}

const DURATION_OR_NEVER: PatternMeaning = {
  meaning: 'a duration of hours, minutes and seconds, or Never',
  remedy: 'write for example 720h, 1h30m or Never; days have no unit, 30 days are 720h',
};
const QUALIFIED_NAME = 'write <name> or <dns domain>/<name>, with letters, digits, "-", "_" and "."';

const MEANINGS: Readonly<Record<string, PatternMeaning>> = {
  '^(([0-9]+(s|m|h))+|Never)$': DURATION_OR_NEVER,
  // Until 1.3: without the brackets around the whole, so that more passes than is meant.
  '^(([0-9]+(s|m|h))+)|(Never)$': DURATION_OR_NEVER,
  '^([0-9]+(s|m|h))+$': { meaning: 'a duration of hours, minutes and seconds', remedy: 'write for example 48h or 30m; leave it out for no limit' },
  '^((100|[0-9]{1,2})%|[0-9]+)$': { meaning: 'a count of nodes or a whole percentage up to 100%, as a string', remedy: 'write for example "10%" or "2"' },
  '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$': {
    meaning: 'a duration of hours and minutes', remedy: 'write for example 8h, 30m or 1h30m; a schedule has no seconds',
  },
  '^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\\s(.+)\\s(.+)\\s(.+)\\s(.+))$': {
    meaning: 'a cron schedule', remedy: 'write five fields such as "0 9 * * mon-fri", or one of @hourly, @daily, @weekly, @monthly, @yearly; times are UTC',
  },
  '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$': {
    meaning: 'a Kubernetes quantity', remedy: 'write for example 1000, 500m or 1000Gi', isQuantity: true,
  },
  '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$': {
    meaning: 'a qualified name', remedy: QUALIFIED_NAME,
  },
  '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$': {
    meaning: 'a label value', remedy: 'use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends',
  },
  '^[^/]*$': { meaning: 'an API group without a version', remedy: 'write karpenter.k8s.aws' },
  'subnet-[0-9a-z]+': { meaning: 'a subnet id', remedy: 'write for example subnet-0123456789abcdef0' },
  'sg-[0-9a-z]+': { meaning: 'a security group id', remedy: 'write for example sg-0123456789abcdef0' },
  'ami-[0-9a-z]+': { meaning: 'an AMI id', remedy: 'write for example ami-0123456789abcdef0' },
  '^cr-[0-9a-z]+$': { meaning: 'a capacity reservation id', remedy: 'write for example cr-0123456789abcdef0' },
  '^pg-[0-9a-z]+$': { meaning: 'a placement group id', remedy: 'write for example pg-0123456789abcdef0' },
  '^[0-9]{12}$': { meaning: 'an AWS account id of 12 digits', remedy: 'write it in quotes, as in "123456789012"' },
  '^(([+-]{1}(\\d*\\.?\\d+))|(\\+{1}\\d*\\.?\\d+%)|(^(-\\d{1,2}(\\.\\d+)?%)$)|(-100%))$': {
    meaning: 'an amount or a percentage with its sign, down to -100%', remedy: 'write for example "+0.05", "-10%" or "+25%"',
  },
  // Until 1.14, when the kubelet's settings were part of the schema.
  '^((\\d{1,2}(\\.\\d{1,2})?|100(\\.0{1,2})?)%||(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?)$': {
    meaning: 'a percentage from 0% to 100%, or a quantity', remedy: 'write a percentage such as 5%, or a quantity such as 500Mi',
  },
  '^\\d+(\\.\\d+)?$': { meaning: 'a price in USD an hour, as a string without an exponent', remedy: 'write for example "0.05"' },
  '^((?:[1-9][0-9]{0,3}|[1-4][0-9]{4}|[5][0-8][0-9]{3}|59000)Gi|(?:[1-9][0-9]{0,3}|[1-5][0-9]{4}|[6][0-3][0-9]{3}|64000)G|([1-9]||[1-5][0-7]|58)Ti|([1-9]||[1-5][0-9]|6[0-3]|64)T)$': {
    meaning: 'a whole number of Gi (1 to 59000), G (1 to 64000), Ti or T', remedy: 'write for example 30Gi; of Ti some are left out, such as 18Ti, which is 18432Gi',
  },
};

/** A pattern that is not in the table, of a CRD that is not Karpenter's own, speaks for itself. */
export function meaningOf(pattern: string): PatternMeaning {
  return Object.hasOwn(MEANINGS, pattern) ? MEANINGS[pattern] : { meaning: `a text that matches ${pattern}`, remedy: 'write a text that does' };
}

/** What to write instead of a text that does not match. For quantities it names the likely slip. */
export function patternRemedy(pattern: string, text: string): string {
  const { remedy, isQuantity } = meaningOf(pattern);
  return (isQuantity ? quantityRemedy(text) : undefined) ?? remedy;
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
