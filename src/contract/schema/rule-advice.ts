import { CelRule } from './schema';
import { valueText } from '../../model';
import { asRecord } from '../field-problem';

/** A violated CEL rule in words for the author of the manifest. */
export interface RuleAdvice {
  /** The field of the failing value that the rule is about. Absent if the rule is about the value itself. */
  readonly field?: string;
  /** Instead of `field`: the rule is about the first missing field of this list. */
  readonly missingOf?: readonly string[];
  /** Whether only the last of several failing items is reported, because they violate the rule together. */
  readonly lastOnly?: boolean;
  readonly problem: string;
  readonly remedy: string;
  /** The remedy for values for which `remedy` would make matters worse. @default - `remedy` for every value */
  readonly remedyOf?: (value: unknown) => string | undefined;
  /** Fields that exclude all others of the failing value. The first one that is set stays. @default - none */
  readonly keeps?: readonly string[];
  /** The only value near the failing one that the rule accepts. @default - the remedy leaves a choice */
  readonly corrected?: (value: unknown) => string | undefined;
}

const RESERVED_KEY = 'use a domain of your own, or check the spelling of the well-known label';
const ONE_TERM_EACH = 'write one term for each';
const NODE_ROLE = 'write the name of the node role, from which Karpenter creates the instance profile';

/** By the rule's message in Karpenter's CRDs. */
const ADVICE: Readonly<Record<string, RuleAdvice>> = {
  // NodePool, NodeClaim, NodeOverlay
  "requirements with operator 'In' must have a value defined": {
    field: 'values',
    problem: 'must have a value when the operator is In',
    remedy: 'add a value, or use Exists',
  },
  "requirements with operator 'NotIn' must have a value defined": {
    field: 'values',
    problem: 'must have a value when the operator is NotIn',
    remedy: 'add a value, or remove the requirement',
  },
  "requirements with 'minValues' must have at least that many values specified in the 'values' field": {
    field: 'minValues',
    problem: 'must be at most the number of values',
    remedy: 'write a smaller number, or add values',
  },
  "'schedule' must be set with 'duration'": {
    missingOf: ['schedule', 'duration'],
    problem: 'must be set, because schedule and duration only work together',
    remedy: 'add it, or remove the other one',
    // Without a window, such a budget would block every disruption at any time.
    remedyOf: (budget) => (blocksAll(budget) ? windowRemedy(budget) : undefined),
  },
  "only 'limits.nodes' is supported on static NodePools": {
    field: 'limits',
    problem: 'must have only the limit nodes if replicas is set',
    remedy: 'remove the other limits',
  },
  "'weight' is not supported on static NodePools": {
    field: 'weight',
    problem: 'must be absent if replicas is set',
    remedy: 'remove weight',
  },
  'group may not be empty': { problem: 'must not be empty', remedy: 'write karpenter.k8s.aws' },
  'kind may not be empty': { problem: 'must not be empty', remedy: 'write EC2NodeClass' },
  'name may not be empty': { problem: 'must not be empty', remedy: 'write the name of the EC2NodeClass' },
  'invalid resource restricted': {
    problem: 'must be an extended resource',
    remedy: 'remove it: the instance type decides how much there is',
  },
  "cannot set both 'price' and 'priceAdjustment'": {
    field: 'priceAdjustment',
    problem: 'must be absent if price is set',
    remedy: 'remove one of them',
  },
  // CapacityBuffer
  'If podTemplateRef is set, replicas or limits must also be set': {
    field: 'replicas',
    problem: 'must be set, or limits, if podTemplateRef is set',
    remedy: 'write the number of pods to keep room for',
  },
  'You must define either PodTemplateRef or ScalableRef, but not both': {
    field: 'scalableRef',
    problem: 'must be absent if podTemplateRef is set',
    remedy: 'remove one of them',
  },
  // EC2NodeClass
  "'alias' is improperly formatted, must match the format 'family@version'": {
    problem: 'must be <family>@<version>',
    remedy: 'write for example al2023@v20250915, or al2023@latest',
  },
  "windows families may only specify version 'latest'": {
    problem: 'must be @latest for Windows, whose AMIs cannot be pinned',
    remedy: 'write for example windows2022@latest',
    corrected: (alias) => (typeof alias === 'string' ? `${alias.split('@')[0]}@latest` : undefined),
  },
  "'id' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms": {
    problem: 'must not have id together with alias, tags, name or owner',
    remedy: ONE_TERM_EACH,
    keeps: ['alias', 'id'],
  },
  "'alias' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms": {
    problem: 'must not have alias together with id, tags, name or owner',
    remedy: ONE_TERM_EACH,
    keeps: ['alias', 'id'],
  },
  "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms": {
    problem: 'must have no other term if one term has an alias',
    remedy: 'remove the other terms, or select all AMIs by tags, id or name',
  },
  "must specify exactly one of ['role', 'instanceProfile']": {
    field: 'role',
    problem: 'must be set, or instanceProfile, but not both',
    remedy: 'write one of the two: role is the name of the node role, from which Karpenter creates the profile',
  },
  'role cannot be empty': { problem: 'must not be empty', remedy: NODE_ROLE },
  'instanceProfile cannot be empty': {
    problem: 'must not be empty',
    remedy: 'write the name of the instance profile, or use role instead',
  },
  'must specify amiFamily if amiSelectorTerms does not contain an alias': {
    field: 'amiFamily',
    problem: 'must be set unless an alias selects the AMI',
    remedy: 'write AL2, AL2023, Bottlerocket, Custom or a Windows family',
  },
  'snapshotID or volumeSize must be defined': {
    field: 'volumeSize',
    problem: 'must be set unless there is a snapshot',
    remedy: 'write for example 30Gi',
  },
  'snapshotID must be set when volumeInitializationRate is set': {
    field: 'snapshotID',
    problem: 'must be set if volumeInitializationRate is set',
    remedy: 'add the snapshot, or remove the rate',
  },
  'must have only one blockDeviceMappings with rootVolume': {
    problem: 'must have at most one root volume',
    remedy: 'set rootVolume on one device only',
  },
  'at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set': {
    problem: 'must have at least one timeout',
    remedy: 'add tcpEstablishedTimeout, udpStreamTimeout or udpTimeout, or remove connectionTracking',
  },
  "networkInterfaces must include a primary interface with interfaceType='interface'": {
    problem: 'must have the primary interface',
    remedy: 'add { networkCardIndex: 0, deviceIndex: 0, interfaceType: interface }',
  },
  'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card':
    {
      lastOnly: true,
      problem: 'must have its own networkCardIndex and deviceIndex, with at most one efa-only interface per card',
      remedy: 'write another deviceIndex or networkCardIndex',
    },
  "expected at least one, got none, ['name', 'id']": { problem: 'must have name or id', remedy: 'add one' },
  "'name' and 'id' are mutually exclusive": { problem: 'must not have both name and id', remedy: 'remove one of them' },
  "empty tag keys or values aren't supported": {
    problem: 'must have a key and a value that are not empty',
    remedy: 'write the value, or "*" for any',
  },
  "empty tag keys aren't supported": { problem: 'must have a key that is not empty', remedy: 'write the key' },
  // EC2NodeClass until 1.14, whose schema covered the kubelet's settings
  'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent': {
    field: 'imageGCHighThresholdPercent',
    problem: 'must be above imageGCLowThresholdPercent',
    remedy: 'write a larger number',
  },
  'evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod': {
    field: 'evictionSoft',
    problem: 'must have the same signals as evictionSoftGracePeriod',
    remedy: 'add the missing ones to evictionSoftGracePeriod',
  },
  'evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft': {
    field: 'evictionSoftGracePeriod',
    problem: 'must have the same signals as evictionSoft',
    remedy: 'add the missing ones to evictionSoft',
  },
};

/** By a pattern, for messages that contain names. */
const PATTERNS: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => RuleAdvice]> = [
  [
    /^label domain "(.+)" is restricted$/,
    ([, domain]) => ({
      // The API server compares plain suffixes, so it rejects notkarpenter.sh, too.
      problem: `must not be in a domain that ends in ${domain}, except for well-known labels`,
      remedy: RESERVED_KEY,
    }),
  ],
  [
    /^label "(.+)" is restricted$/,
    ([, key]) => ({
      problem: `must not be ${key}, which Karpenter sets itself`,
      remedy: 'remove it: Karpenter sets this label on every node',
    }),
  ],
  [/^requirements operator 'Gt', /, () => numeric('Gt, Lt, Gte or Lte')],
  [/^requirements operator 'Gt' /, () => numeric('Gt or Lt')],
  [
    /^family is not supported, must be one of the following: (.+)$/,
    ([, families]) => ({
      problem: `must begin with one of ${families.replaceAll("'", '')}`,
      remedy: 'write for example al2023@v20250915, or al2023@latest',
    }),
  ],
  [
    /^if set, amiFamily must be '(.+)' or 'Custom' /,
    ([, family]) => ({
      field: 'amiFamily',
      problem: `must be ${family} or Custom with the alias of that family`,
      remedy: 'remove it: the alias has the family',
    }),
  ],
  [
    /^(subnet|securityGroup)SelectorTerms cannot be empty$/,
    () => ({
      problem: 'must have at least one term',
      remedy: 'write for example [{ tags: { karpenter.sh/discovery: my-cluster } }]',
    }),
  ],
  [
    /^expected at least one, got none, \[(.+)\]$/,
    ([, fields]) => ({ problem: `must have at least one of ${fields.replaceAll("'", '')}`, remedy: 'add one' }),
  ],
  [
    /^'(id|name)' is mutually exclusive, cannot be set (?:with|along)/,
    ([, field]) => ({
      problem: `must have a term that does not combine ${field} with other fields`,
      remedy: ONE_TERM_EACH,
    }),
  ],
  [
    /^tag contains a restricted tag matching /,
    () => ({ problem: 'must not be a tag that Karpenter sets itself', remedy: 'remove it' }),
  ],
  [
    /^valid keys for \w+ are \[(.+)\]$/,
    ([, keys]) => ({
      problem: `must be one of ${keys.replaceAll("'", '').replaceAll(',', ', ')}`,
      remedy: 'check the spelling',
    }),
  ],
  [
    / value cannot be a negative resource quantity$/,
    () => ({ problem: 'must not have a negative quantity', remedy: 'write a quantity such as 100m or 1Gi' }),
  ],
];

/** Whether a budget allows no node to be disrupted. */
function blocksAll(budget: unknown): boolean {
  return /^0+%?$/.test(valueText(asRecord(budget)?.nodes ?? ''));
}

/** The half of a budget's window that is missing. */
function windowRemedy(budget: unknown): string {
  return asRecord(budget)?.duration === undefined
    ? 'write how long the window lasts, for example duration: 8h'
    : 'write when the window begins, for example schedule: "0 2 * * *"';
}

function numeric(operators: string): RuleAdvice {
  return {
    field: 'values',
    problem: `must be one integer of 0 or more, as a string, when the operator is ${operators}`,
    remedy: 'write for example ["3"]',
  };
}

/** Rules of other CRDs are not in the tables and are reported with their own message. */
export function adviceFor(rule: CelRule): RuleAdvice {
  return (
    knownAdvice(rule) ?? {
      problem: `violates a rule of the CRD: ${rule.message?.trim() ?? rule.rule.trim()}`,
      remedy: `write a value for which this holds: ${rule.rule.trim()}`,
    }
  );
}

export function knownAdvice({ message = '' }: CelRule): RuleAdvice | undefined {
  if (Object.hasOwn(ADVICE, message)) return ADVICE[message];
  for (const [pattern, advice] of PATTERNS) {
    const match = pattern.exec(message);
    if (match) return advice(match);
  }
  return undefined;
}
