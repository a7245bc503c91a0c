import { CelRule } from './schema';

/** What a broken rule means to the author of the manifest. */
export interface RuleAdvice {
  /** The field under the failing value that the rule is about; absent if it is the value itself. */
  readonly field?: string;
  /** Instead of `field`: it is about the first of these that is missing. */
  readonly missingOf?: readonly string[];
  /** Of several items that break the rule together, whether the last one is enough to name. */
  readonly lastOnly?: boolean;
  readonly problem: string;
  readonly remedy: string;
}

const RESERVED_KEY = 'use a domain of your own, or check the spelling of the well-known label';
const ONE_TERM_EACH = 'write one term for each';
const NODE_ROLE = 'write the name of the node role, which lets Karpenter make the profile';

/** By the messages of the rules, as Karpenter's CRDs have them. */
const ADVICE: Readonly<Record<string, RuleAdvice>> = {
  // NodePool, NodeClaim, NodeOverlay
  "requirements with operator 'In' must have a value defined": {
    field: 'values', problem: 'must hold a value when the operator is In', remedy: 'add a value, or use Exists',
  },
  "requirements with operator 'NotIn' must have a value defined": {
    field: 'values', problem: 'must hold a value when the operator is NotIn', remedy: 'add a value, or remove the requirement',
  },
  "requirements with 'minValues' must have at least that many values specified in the 'values' field": {
    field: 'minValues', problem: 'must be at most the number of values', remedy: 'write less, or add values',
  },
  "'schedule' must be set with 'duration'": {
    missingOf: ['schedule', 'duration'], problem: 'must be set, because schedule and duration only work together', remedy: 'add it, or remove the other one',
  },
  "only 'limits.nodes' is supported on static NodePools": {
    field: 'limits', problem: 'must limit nothing but nodes where replicas is set', remedy: 'limit nodes only',
  },
  "'weight' is not supported on static NodePools": { field: 'weight', problem: 'must be absent where replicas is set', remedy: 'remove weight' },
  'group may not be empty': { problem: 'must not be empty', remedy: 'write karpenter.k8s.aws' },
  'kind may not be empty': { problem: 'must not be empty', remedy: 'write EC2NodeClass' },
  'name may not be empty': { problem: 'must not be empty', remedy: 'write the name of the EC2NodeClass' },
  'invalid resource restricted': {
    problem: 'must be an extended resource', remedy: 'remove it: the instance type decides how much there is',
  },
  "cannot set both 'price' and 'priceAdjustment'": { field: 'priceAdjustment', problem: 'must be absent where price is set', remedy: 'remove one of them' },
  // CapacityBuffer
  'If podTemplateRef is set, replicas or limits must also be set': {
    field: 'replicas', problem: 'must be set, or else limits, where podTemplateRef is set', remedy: 'write the number of pods to keep room for',
  },
  'You must define either PodTemplateRef or ScalableRef, but not both': {
    field: 'scalableRef', problem: 'must be absent where podTemplateRef is set', remedy: 'remove one of them',
  },
  // EC2NodeClass
  "'alias' is improperly formatted, must match the format 'family@version'": {
    problem: 'must be <family>@<version>', remedy: 'write for example al2023@v20250915, or al2023@latest',
  },
  "windows families may only specify version 'latest'": {
    problem: 'must be @latest for Windows, whose AMIs cannot be pinned', remedy: 'write for example windows2022@latest',
  },
  "'id' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms": {
    problem: 'must not have id together with alias, tags, name or owner', remedy: ONE_TERM_EACH,
  },
  "'alias' is mutually exclusive, cannot be set with a combination of other fields in amiSelectorTerms": {
    problem: 'must not have alias together with id, tags, name or owner', remedy: ONE_TERM_EACH,
  },
  "'alias' is mutually exclusive, cannot be set with a combination of other amiSelectorTerms": {
    problem: 'must hold nothing beside a term with an alias', remedy: 'remove the other terms, or select all AMIs by tags, id or name',
  },
  "must specify exactly one of ['role', 'instanceProfile']": {
    field: 'role',
    problem: 'must be set, or else instanceProfile, and not both',
    remedy: 'write one of the two: role is the name of the node role, and lets Karpenter make the profile',
  },
  'role cannot be empty': { problem: 'must not be empty', remedy: NODE_ROLE },
  'instanceProfile cannot be empty': { problem: 'must not be empty', remedy: 'write the name of the instance profile, or use role instead' },
  'must specify amiFamily if amiSelectorTerms does not contain an alias': {
    field: 'amiFamily', problem: 'must be set unless an alias selects the AMI', remedy: 'write AL2, AL2023, Bottlerocket, Custom or a Windows family',
  },
  'snapshotID or volumeSize must be defined': { field: 'volumeSize', problem: 'must be set unless there is a snapshot', remedy: 'write for example 30Gi' },
  'snapshotID must be set when volumeInitializationRate is set': {
    field: 'snapshotID', problem: 'must be set where volumeInitializationRate is', remedy: 'add the snapshot, or remove the rate',
  },
  'must have only one blockDeviceMappings with rootVolume': { problem: 'must have at most one root volume', remedy: 'set rootVolume on one device only' },
  'at least one of tcpEstablishedTimeout, udpStreamTimeout, or udpTimeout must be set': {
    problem: 'must have at least one timeout', remedy: 'add tcpEstablishedTimeout, udpStreamTimeout or udpTimeout, or remove connectionTracking',
  },
  "networkInterfaces must include a primary interface with interfaceType='interface'": {
    problem: 'must have the primary interface', remedy: 'add { networkCardIndex: 0, deviceIndex: 0, interfaceType: interface }',
  },
  'networkInterfaces must not have duplicate networkCardIndex and deviceIndex pairs, and can have at most one efa device per network card': {
    lastOnly: true, problem: 'must be alone at its networkCardIndex and deviceIndex, and the only efa-only one of its card', remedy: 'give it another deviceIndex or card',
  },
  "expected at least one, got none, ['name', 'id']": { problem: 'must have name or id', remedy: 'add one' },
  "'name' and 'id' are mutually exclusive": { problem: 'must not have both name and id', remedy: 'remove one of them' },
  "empty tag keys or values aren't supported": { problem: 'must have a key and a value that are not empty', remedy: 'write the value, or "*" for any' },
  "empty tag keys aren't supported": { problem: 'must have a key that is not empty', remedy: 'write the key' },
  // EC2NodeClass until 1.14, when the kubelet's settings were part of the schema
  'imageGCHighThresholdPercent must be greater than imageGCLowThresholdPercent': {
    field: 'imageGCHighThresholdPercent', problem: 'must be above imageGCLowThresholdPercent', remedy: 'write more than that',
  },
  'evictionSoft OwnerKey does not have a matching evictionSoftGracePeriod': {
    field: 'evictionSoft', problem: 'must have the same signals as evictionSoftGracePeriod', remedy: 'add the missing ones to evictionSoftGracePeriod',
  },
  'evictionSoftGracePeriod OwnerKey does not have a matching evictionSoft': {
    field: 'evictionSoftGracePeriod', problem: 'must have the same signals as evictionSoft', remedy: 'add the missing ones to evictionSoft',
  },
};

/** Messages that have names in them. */
const PATTERNS: ReadonlyArray<readonly [RegExp, (match: RegExpExecArray) => RuleAdvice]> = [
  [/^label domain "(.+)" is restricted$/, ([, domain]) => ({
    // The API server compares plain suffixes: notkarpenter.sh is refused as well.
    problem: `must not be in a domain that ends in ${domain}, some well-known labels aside`, remedy: RESERVED_KEY,
  })],
  [/^label "(.+)" is restricted$/, ([, key]) => ({
    problem: `must not be ${key}, which Karpenter sets itself`, remedy: 'remove it: every node has this label, with a value of its own',
  })],
  [/^requirements operator 'Gt', /, () => numeric('Gt, Lt, Gte or Lte')],
  [/^requirements operator 'Gt' /, () => numeric('Gt or Lt')],
  [/^family is not supported, must be one of the following: (.+)$/, ([, families]) => ({
    problem: `must begin with one of ${families.replaceAll("'", '')}`, remedy: 'write for example al2023@v20250915, or al2023@latest',
  })],
  [/^if set, amiFamily must be '(.+)' or 'Custom' /, ([, family]) => ({
    field: 'amiFamily', problem: `must be ${family} or Custom with the alias of that family`, remedy: 'leave it out',
  })],
  [/^(subnet|securityGroup)SelectorTerms cannot be empty$/, () => ({ problem: 'must hold at least one term', remedy: 'write for example [{ tags: { karpenter.sh/discovery: my-cluster } }]' })],
  [/^expected at least one, got none, \[(.+)\]$/, ([, fields]) => ({ problem: `must have at least one of ${fields.replaceAll("'", '')}`, remedy: 'add one' })],
  [/^'(id|name)' is mutually exclusive, cannot be set (?:with|along)/, ([, field]) => ({
    problem: `must hold a term that does not have ${field} together with other fields`, remedy: ONE_TERM_EACH,
  })],
  [/^tag contains a restricted tag matching /, () => ({ problem: 'must not be a tag that Karpenter sets itself', remedy: 'remove it' })],
  [/^valid keys for \w+ are \[(.+)\]$/, ([, keys]) => ({ problem: `must be one of ${keys.replaceAll("'", '').replaceAll(',', ', ')}`, remedy: 'check the spelling' })],
  [/ value cannot be a negative resource quantity$/, () => ({ problem: 'must not have a negative quantity', remedy: 'write a quantity such as 100m or 1Gi' })],
];

function numeric(operators: string): RuleAdvice {
  return { field: 'values', problem: `must be one integer of 0 or more, as a string, when the operator is ${operators}`, remedy: 'write for example ["3"]' };
}

/**
 * A rule that is not in the tables, such as a rule of another CRD, is reported with its own message.
 */
export function adviceFor(rule: CelRule): RuleAdvice {
  return knownAdvice(rule) ?? { problem: `breaks a rule of the CRD: ${rule.message?.trim() ?? rule.rule.trim()}`, remedy: `write a value for which this holds: ${rule.rule.trim()}` };
}

export function knownAdvice({ message = '' }: CelRule): RuleAdvice | undefined {
  if (Object.hasOwn(ADVICE, message)) return ADVICE[message];
  for (const [pattern, advice] of PATTERNS) {
    const match = pattern.exec(message);
    if (match) return advice(match);
  }
  return undefined;
}
