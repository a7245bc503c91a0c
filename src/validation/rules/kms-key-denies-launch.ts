import { asRecord } from '../../contract';
import { controllerRoles } from './private/karpenter-role';
import { fail, notEvaluated, pass } from './private/outcome';
import { applies, mayDo } from './private/permissions';
import { meetsThroughEc2 } from './private/via-service';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext, RuleFinding } from './rule';
import { NodeClassManifest } from '../manifest/model';
import { recordsOf } from '../manifest/records';
import { allOf, Answer, anyOf, KmsKey, Role, Statement } from '../template';

const NEEDED = ['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKeyWithoutPlaintext', 'kms:ReEncryptFrom', 'kms:ReEncryptTo'];
const REMEDY = 'let EBS use the key for everyone in the account: allow kms:CreateGrant, kms:Decrypt, kms:DescribeKey, kms:Encrypt, kms:GenerateDataKey* and kms:ReEncrypt* '
  + 'with the conditions kms:ViaService ec2.<region>.amazonaws.com and kms:CallerAccount';

/** @see https://karpenter.sh/docs/troubleshooting/#node-terminates-before-ready-on-failed-encrypted-ebs-volume */
export class KmsKeyDeniesLaunch implements Rule {
  public readonly id = 'KARP-801';
  public readonly name = 'kms-key-denies-launch';
  public readonly severity = 'error';
  public readonly summary = 'A volume of a node class is encrypted with a key that Karpenter may not use: instances end seconds after their launch, again and again.';

  public check(context: RuleContext): Outcome[] {
    const { nodeClasses, aws } = context.model;
    if (!aws.given) return [];
    const roles = controllerRoles(context).map(({ role }) => role);
    return nodeClasses.flatMap((nodeClass) => volumeKeys(nodeClass).map(({ name, path }) => {
      const key = aws.kmsKeys.find(({ names }) => names.includes(name));
      if (!key?.statements) return notEvaluated(nodeClass.object, `the policy of key ${name} is not in the templates`);
      return this.checkKey({ object: nodeClass.object, path }, key, key.statements, roles);
    }));
  }

  private checkKey({ object, path }: Pick<RuleFinding, 'object' | 'path'>, key: KmsKey, statements: readonly Statement[], roles: readonly Role[]): Outcome {
    const { name } = key.resource.object;
    const evidence = { key: key.names[0] };
    if (!key.enabled) {
      const message = `is encrypted with key ${name}, which is disabled: every instance ends seconds after its launch`;
      return fail({ object, path, message, remedy: 'enable the key', evidence });
    }
    const throughEc2 = NEEDED.map((action) => anyOf(statements.map((statement) => allowsEveryone(statement, action, key))));
    if (throughEc2.every((answer) => answer === 'yes')) return pass(object);
    if (roles.length === 0) return notEvaluated(object, `who may use key ${name} cannot be told: the role of Karpenter is not in the templates`);
    const byRole = (action: string) => roles.map((role) => allowsRole(statements, action, key, role));
    const answers = NEEDED.map((action, i) => ({ action, answer: anyOf([throughEc2[i], ...byRole(action)]) }));
    const missing = answers.filter(({ answer }) => answer === 'no').map(({ action }) => action);
    if (missing.length > 0) {
      return fail({
        object,
        path,
        remedy: REMEDY,
        evidence: { ...evidence, missing },
        message: `is encrypted with key ${name}, which lets neither Karpenter's role nor EC2 take ${joinNames(missing)}: instances end seconds after their launch `
          + '(Client.InternalError), and Karpenter launches them again',
      });
    }
    return answers.some(({ answer }) => answer === 'unknown') ? notEvaluated(object, `who may use key ${name} is known only at deployment`) : pass(object);
  }
}

function volumeKeys({ object }: NodeClassManifest): Array<{ readonly name: string; readonly path: readonly (string | number)[] }> {
  return recordsOf(asRecord(object.raw.spec)?.blockDeviceMappings).flatMap(({ ebs }, i) => {
    const name = asRecord(ebs)?.kmsKeyID;
    return typeof name === 'string' ? [{ name, path: ['spec', 'blockDeviceMappings', i, 'ebs', 'kmsKeyID'] }] : [];
  });
}

/** As the key of EBS itself has it: whoever uses EC2, and nobody else. */
function allowsEveryone(statement: Statement, action: string, key: KmsKey): Answer {
  const everyone = statement.principals.some((principal) => principal === '*' || principal === 'AWS:*');
  return statement.allows && everyone ? allOf([meetsThroughEc2(statement.conditions), applies(statement, action, key.names[1])]) : 'no';
}

/** By the key's policy, or by the role's own where the key leaves it to the account. */
function allowsRole(statements: readonly Statement[], action: string, key: KmsKey, role: Role): Answer {
  return anyOf(statements.filter(({ allows }) => allows).map((statement) => {
    const inPolicy = applies(statement, action, key.names[1]);
    if (inPolicy === 'no') return 'no';
    if (statement.principals.includes(`AWS:${role.arn}`)) return inPolicy;
    return statement.principals.some((principal) => /^AWS:arn:.*:iam::.*:root$/.test(principal)) ? mayDo(role, action, key.names[1]) : 'no';
  }));
}
