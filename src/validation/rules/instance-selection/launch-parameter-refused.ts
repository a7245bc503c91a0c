import { asRecord, FieldPath } from '../../../contract';
import { countText, valueText } from '../../../model';
import { decidedRegion } from '../../context/decided-region';
import { findUnresolved, whyUnresolved } from '../../manifest/find-unresolved';
import { PlainRecord, recordsOf } from '../../manifest/records';
import { defineRule, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { nodeClasses } from '../subjects';

const MAPPINGS: FieldPath = ['spec', 'blockDeviceMappings'];
const TAGS: FieldPath = ['spec', 'tags'];
const MAX_TAGS = 50;
/** Karpenter's own tags: of the cluster, the NodePool, the NodeClaim and the class, and Name. */
const OWN_TAGS = 6;
const MAX_KEY = 128;
const MAX_VALUE = 256;
/** Texts that a reader replaces, as in a sample. */
const SAMPLE = /x{3}|your|example|placeholder|change|todo|[<>]|key[-_]?id|account/i;
const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const KEY_ID = new RegExp(`^(?:${UUID}|mrk-[0-9a-f]{32})$`);
const KEY_ARN = new RegExp(
  `^arn:aws[\\w-]*:kms:([a-z0-9-]+):\\d{12}:(?:key/(?:${UUID}|mrk-[0-9a-f]{32})|alias/[\\w/-]+)$`,
);

/**
 * Fields that the API server and Karpenter accept, and EC2 refuses.
 *
 * @see https://docs.aws.amazon.com/AWSEC2/latest/APIReference/API_EbsBlockDevice.html
 * @see https://docs.aws.amazon.com/AWSEC2/latest/UserGuide/Using_Tags.html#tag-restrictions
 */
export const launchParameterRefused = defineRule({
  id: 'KARP-280',
  name: 'launch-parameter-refused',
  severity: 'error',
  summary:
    'EC2 refuses a parameter of a node class, so no node launches: a device name twice, a KMS key or snapshot that cannot exist, or a reserved tag.',
  subjects: nodeClasses({
    where: ({ object }) => object.raw?.spec?.blockDeviceMappings !== undefined || object.raw?.spec?.tags !== undefined,
    unknown: ({ object }) => whyUnresolved(object.raw?.spec?.blockDeviceMappings),
  }),
  judge({ object }, context) {
    const mappings = recordsOf(object.raw?.spec?.blockDeviceMappings);
    return [
      ...mappings.flatMap((mapping, index) => deviceTwice(mappings, mapping, index)),
      ...mappings.flatMap(({ ebs }, index) =>
        volumeProblems(asRecord(ebs) ?? {}, [...MAPPINGS, index, 'ebs'], context),
      ),
      ...tagProblems(asRecord(object.raw?.spec?.tags) ?? {}),
    ];
  },
});

function deviceTwice(mappings: readonly PlainRecord[], { deviceName }: PlainRecord, index: number): SubjectFinding[] {
  if (deviceName === undefined || mappings.findIndex((other) => other.deviceName === deviceName) === index) return [];
  return [
    refusal([...MAPPINGS, index, 'deviceName'], {
      message: `is ${valueText(deviceName)}, as that of another mapping`,
      remedy: 'write another device name, or put the settings into one mapping',
      value: deviceName,
    }),
  ];
}

function volumeProblems(
  { kmsKeyID, snapshotID }: PlainRecord,
  path: FieldPath,
  context: RuleContext,
): SubjectFinding[] {
  const problems: SubjectFinding[] = [];
  if (
    typeof snapshotID === 'string' &&
    !SAMPLE.test(snapshotID) &&
    !/^snap-(?:[0-9a-f]{8}|[0-9a-f]{17})$/.test(snapshotID)
  )
    problems.push(
      refusal([...path, 'snapshotID'], {
        message: `is ${snapshotID}, which cannot be a snapshot: after "snap-", EC2 has 17 digits from 0 to f, or 8`,
        remedy: 'correct the id: `aws ec2 describe-snapshots` shows it, as in snap-0123456789abcdef0',
        value: snapshotID,
      }),
    );
  const key = typeof kmsKeyID === 'string' ? keyProblem(kmsKeyID, context) : undefined;
  return key === undefined ? problems : [...problems, refusal([...path, 'kmsKeyID'], { ...key, value: kmsKeyID })];
}

function keyProblem(
  key: string,
  { options, model }: RuleContext,
): Pick<SubjectFinding, 'message' | 'remedy'> | undefined {
  if (key.startsWith('alias/') || KEY_ID.test(key) || SAMPLE.test(key)) return undefined;
  const [, region] = KEY_ARN.exec(key) ?? [];
  if (region === undefined) {
    const withKey = new RegExp(`^(arn:aws[\\w-]*:kms:[a-z0-9-]+:\\d{12}:)(${UUID})$`).exec(key);
    return {
      message: `is ${key}, which is neither the id, the ARN nor an alias of a KMS key`,
      remedy: withKey
        ? `write ${withKey[1]}key/${withKey[2]}`
        : 'write the ARN of the key, as in arn:aws:kms:eu-west-1:111122223333:key/<id>',
    };
  }
  const cluster = decidedRegion(options, model);
  const isKnown = cluster.by === 'options' || cluster.by === 'cluster config' || cluster.by === 'manifests';
  if (!isKnown || cluster.region === region) return undefined;
  return {
    message: `is a key of ${region}, and the cluster is in ${cluster.region}: a volume takes a key of its own region`,
    remedy: `write a key of ${cluster.region}`,
  };
}

function tagProblems(tags: PlainRecord): SubjectFinding[] {
  const keys = Object.keys(tags).filter((key) => findUnresolved([key, tags[key]]) === undefined);
  const reserved = keys.filter((key) => /^aws:/i.test(key));
  const tooLong = keys.filter((key) => key.length > MAX_KEY || valueText(tags[key]).length > MAX_VALUE);
  return [
    ...reserved.map((key) =>
      refusal([...TAGS, key], {
        message: `has a key that begins with aws:, which AWS keeps for itself`,
        remedy: `write another key, such as ${key.slice('aws:'.length)}`,
        value: key,
      }),
    ),
    ...tooLong.map((key) =>
      refusal([...TAGS, key], {
        message: `has ${key.length > MAX_KEY ? `a key of ${key.length} characters, and at most ${MAX_KEY} are allowed` : `a value of ${valueText(tags[key]).length} characters, and at most ${MAX_VALUE} are allowed`}`,
        remedy: 'write a shorter one',
        value: key,
      }),
    ),
    ...(keys.length + OWN_TAGS > MAX_TAGS
      ? [
          refusal(TAGS, {
            message: `has ${countText(keys.length, 'tag')}, and with those of Karpenter more than the ${MAX_TAGS} that EC2 allows`,
            remedy: `remove tags until ${MAX_TAGS - OWN_TAGS} are left`,
            value: keys.length,
          }),
        ]
      : []),
  ];
}

function refusal(
  path: FieldPath,
  { message, remedy, value }: Pick<SubjectFinding, 'message' | 'remedy'> & { readonly value: unknown },
): SubjectFinding {
  const field = path
    .map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`))
    .join('')
    .slice(1);
  return {
    path,
    message: `${field} ${message}; EC2 refuses the launch of every node`,
    remedy,
    evidence: { value: value as string, consequence: 'launch-fails' },
  };
}
