import { asRecord } from '../../../contract';
import { listText } from '../../../model';
import { NodeClassManifest, FieldPath } from '../../manifest/model';
import { recordsOf } from '../../manifest/records';
import {
  allOf,
  Answer,
  anyOf,
  covers,
  Condition,
  KmsKey,
  Role,
  Statement,
  statementApplies,
  isActionAllowed,
} from '../../template';
import { controllerRoles } from '../common/controller-identity';
import { defineRule, Judgement, Subject, unknown } from '../define-rule';
import { RuleContext } from '../rule';

const NEEDED_ACTIONS = [
  'kms:CreateGrant',
  'kms:Decrypt',
  'kms:DescribeKey',
  'kms:Encrypt',
  'kms:GenerateDataKeyWithoutPlaintext',
  'kms:ReEncryptFrom',
  'kms:ReEncryptTo',
];
const REMEDY =
  'allow everyone in the account to use the key through EBS: kms:CreateGrant, kms:Decrypt, kms:DescribeKey, kms:Encrypt, kms:GenerateDataKey* and kms:ReEncrypt* ' +
  'with the conditions kms:ViaService ec2.<region>.amazonaws.com and kms:CallerAccount';

interface EncryptedVolume {
  /** Path of the key's name in the class. */
  readonly path: FieldPath;
  readonly key: KmsKey;
  /** The statements of the key's policy. */
  readonly statements: readonly Statement[];
}

/** @see https://karpenter.sh/docs/troubleshooting/#node-terminates-before-ready-on-failed-encrypted-ebs-volume */
export const kmsKeyDeniesLaunch = defineRule({
  id: 'KARP-801',
  name: 'kms-key-denies-launch',
  severity: 'error',
  summary:
    'A volume of a node class is encrypted with a KMS key that Karpenter may not use: instances terminate seconds after launch.',
  subjects: (context) =>
    context.model.aws.hasTemplates
      ? context.model.nodeClasses.flatMap((nodeClass) => volumesOf(context, nodeClass))
      : [],
  judge: judgeKey,
});

/** The encrypted volumes of a class, with the policies of their keys. */
function volumesOf({ model }: RuleContext, nodeClass: NodeClassManifest): Array<Subject<EncryptedVolume>> {
  return volumeKeys(nodeClass).map(({ name, path }) => {
    const key = model.aws.kmsKeys.find(({ names }) => names.includes(name));
    return key?.statements
      ? { object: nodeClass.object, facts: { path, key, statements: key.statements } }
      : { object: nodeClass.object, unknown: `the policy of key ${name} is not in the templates` };
  });
}

function judgeKey({ path, key, statements }: EncryptedVolume, context: RuleContext): Judgement {
  const { name } = key.resource.object;
  const evidence = { key: key.names[0] };
  if (!key.enabled) {
    const message = `is encrypted with key ${name}, which is disabled: every instance terminates seconds after launch`;
    return { path, message, remedy: 'enable the key', evidence };
  }
  const throughEc2 = NEEDED_ACTIONS.map((action) =>
    anyOf(statements.map((statement) => allowsEveryone(statement, action, key))),
  );
  if (throughEc2.every((answer) => answer === 'yes')) return undefined;
  const roles = controllerRoles(context).map(({ role }) => role);
  if (roles.length === 0)
    return unknown(`who may use key ${name} is not known: Karpenter's role is not in the templates`);
  const byRole = (action: string) => roles.map((role) => allowsRole(statements, action, key, role));
  const answers = NEEDED_ACTIONS.map((action, i) => ({ action, answer: anyOf([throughEc2[i], ...byRole(action)]) }));
  const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
  if (missing.length > 0) {
    return {
      path,
      remedy: REMEDY,
      evidence: { ...evidence, missing },
      message:
        `is encrypted with key ${name}, which does not allow ${listText(missing)} to Karpenter's role or EC2: instances terminate seconds after launch ` +
        '(Client.InternalError), and Karpenter launches new ones',
    };
  }
  return answers.some(({ answer }) => answer === 'unknown')
    ? unknown(`who may use key ${name} is known only at deployment`)
    : undefined;
}

function volumeKeys({
  object,
}: NodeClassManifest): Array<{ readonly name: string; readonly path: readonly (string | number)[] }> {
  return recordsOf(object.raw.spec?.blockDeviceMappings).flatMap(({ ebs }, i) => {
    const name = asRecord(ebs)?.kmsKeyID;
    return typeof name === 'string' ? [{ name, path: ['spec', 'blockDeviceMappings', i, 'ebs', 'kmsKeyID'] }] : [];
  });
}

/** Whether the statement allows the action to everyone through EC2, as the policy of the AWS managed EBS key does. */
function allowsEveryone(statement: Statement, action: string, key: KmsKey): Answer {
  const everyone = statement.principals.some((principal) => principal === '*' || principal === 'AWS:*');
  return statement.allows && everyone
    ? allOf([isMetThroughEc2(statement.conditions), statementApplies(statement, action, key.names[1])])
    : 'no';
}

/**
 * Whether the role may use the key: by the key policy, or by its own policies if the key policy delegates to the
 * account.
 */
function allowsRole(statements: readonly Statement[], action: string, key: KmsKey, role: Role): Answer {
  return anyOf(
    statements
      .filter(({ allows }) => allows)
      .map((statement) => {
        const matches = statementApplies(statement, action, key.names[1]);
        if (matches === 'no') return 'no';
        if (statement.principals.includes(`AWS:${role.arn}`)) return matches;
        return statement.principals.some((principal) => /^AWS:arn:.*:iam::.*:root$/.test(principal))
          ? isActionAllowed(role, action, key.names[1])
          : 'no';
      }),
  );
}

/** The start of kms:ViaService in a request through EC2. */
const EC2_PREFIX = 'ec2.';
/** Such a value with a placeholder for the region, which is not known. */
const EC2_SERVICE = 'ec2.region.amazonaws.com';
/**
 * Whether a request through EC2 meets the conditions on kms:ViaService. Keys are compared without case, values as the
 * operator defines.
 *
 * @see https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html
 */
export function isMetThroughEc2(conditions: readonly Condition[]): Answer {
  return allOf(conditions.filter(({ key }) => key.toLowerCase() === 'kms:viaservice').map(conditionIsMet));
}

function conditionIsMet({ operator, values }: Condition): Answer {
  const [, negated, comparison] =
    /^(?:ForA\w+Values?:)?String(Not)?(EqualsIgnoreCase|Equals|Like)(?:IfExists)?$/i.exec(operator) ?? [];
  if (comparison === undefined) return 'unknown';
  const isEc2 = anyOf(values.map((value) => matchesEc2(value, comparison.toLowerCase())));
  if (negated === undefined || isEc2 === 'unknown') return isEc2;
  return isEc2 === 'yes' ? 'no' : 'yes';
}

function matchesEc2(value: string, comparison: string): Answer {
  const text = comparison === 'equalsignorecase' ? value.toLowerCase() : value;
  if (text.startsWith(EC2_PREFIX)) return 'yes';
  const answer = covers(text, EC2_SERVICE);
  // Only StringLike has wildcards.
  return comparison === 'like' || answer === 'unknown' ? answer : 'no';
}
