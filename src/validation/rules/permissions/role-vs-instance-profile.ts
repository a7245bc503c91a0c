import { asRecord, safeFix, setField } from '../../../contract';
import { valueText } from '../../../model';
import { chartValue } from '../../controller';
import { findUnresolved } from '../../manifest/find-unresolved';
import { AwsModel, hasUnknown } from '../../template';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { nodeClasses } from '../subjects';

/** The role names that IAM accepts. */
const ROLE_NAME = /^[\w+=,.@-]{1,64}$/;
const ROLE_NAME_REMEDY = 'use at most 64 letters, digits, "+", "=", ",", ".", "@", "_" and "-"';

/** An ARN, or a path and a name. */
const PATH_AND_NAME = /^(?:arn:.*|[^\s<${]*)\/([\w+=,.@-]{1,64})$/;

/** The API server checks that exactly one of `role` and `instanceProfile` is set. */
export const roleVsInstanceProfile = defineRule({
  id: 'KARP-610',
  name: 'role-vs-instance-profile',
  readsTerraform: true,
  severity: 'error',
  summary:
    'A node class has an ARN, a path or an invalid name as its role, needs IAM in an isolated VPC, or has an instance profile without a role.',
  subjects: nodeClasses(),
  judge({ object }, context): Judgement {
    const { role, instanceProfile } = asRecord(object.raw.spec) ?? {};
    if (typeof role === 'string' && role !== '') return judgeRole(context, role);
    return typeof instanceProfile === 'string' && context.model.aws.hasTemplates
      ? judgeProfile(context.model.aws, instanceProfile)
      : NOT_APPLICABLE;
  },
});

function judgeRole({ model: { aws }, controllers }: RuleContext, role: string): Judgement {
  const byArn = aws.roles.find(({ arn }) => arn === role);
  const isKnown = aws.roles.some(({ name }) => name === role);
  if (byArn || PATH_AND_NAME.test(role)) return pathFinding(role, byArn !== undefined);
  if (!isKnown && findUnresolved(role) === undefined && !ROLE_NAME.test(role)) {
    return finding(
      'role',
      `is ${role}, which IAM does not accept as a role name: the class does not become ready`,
      ROLE_NAME_REMEDY,
      { consequence: 'not-ready', role },
    );
  }
  const isolated = controllers.map(({ values }) => chartValue(values, 'settings', 'isolatedVPC'));
  if (isolated.some((value) => valueText(value) === 'true')) {
    return finding(
      'role',
      'is set, but settings.isolatedVPC keeps Karpenter from IAM, where it has to create the instance profile: the class does not become ready',
      'create the instance profile yourself, and write spec.instanceProfile instead of spec.role',
      { consequence: 'not-ready', isolatedVPC: true },
    );
  }
  if (!isKnown && (hasUnknown(role) || findUnresolved(role) !== undefined))
    return unknown(`which role has the name ${role} is known only at deployment`);
  const isUndecided = controllers.some(({ helmRelease, complete }) => helmRelease !== undefined && !complete);
  return isUndecided || isolated.some((value) => findUnresolved(value) !== undefined)
    ? unknown('whether Karpenter runs in an isolated VPC is known only at deployment')
    : undefined;
}

function judgeProfile({ instanceProfiles, opaque }: AwsModel, name: string): Judgement {
  const profile = instanceProfiles.find((candidate) => candidate.name === name);
  if (!profile)
    return unknown(
      hasUnknown(name) || opaque.length > 0
        ? `which instance profile has the name ${name} is known only at deployment`
        : `instance profile ${name} is not in the templates`,
    );
  if (profile.roles.length > 0) return undefined;
  return finding(
    'instanceProfile',
    `is instance profile ${profile.resource.object.name}, which has no role: nodes start without permissions and do not join`,
    'add the node role to it: Roles: [<name of the role>]',
    { instanceProfile: name },
  );
}

function finding(
  field: string,
  problem: string,
  remedy: string,
  evidence: Readonly<Record<string, unknown>>,
): SubjectFinding {
  return { path: ['spec', field], message: `spec.${field} ${problem}`, remedy, evidence };
}

/**
 * Karpenter puts the part after the last slash into the instance profile, but compares the role of the profile with the
 * whole text.
 *
 * @see ensureRole in pkg/providers/instanceprofile/instanceprofile.go of Karpenter for AWS 1.15.1
 */
function pathFinding(role: string, isReference: boolean): SubjectFinding {
  const name = isReference ? 'role.roleName' : role.slice(role.lastIndexOf('/') + 1);
  return {
    path: ['spec', 'role'],
    severity: 'warning',
    message:
      `spec.role is ${role}: Karpenter uses only the name after the last slash, and does not recognize it in the instance profile, ` +
      'so it removes the role and adds it again whenever its cache has expired: a node launched in between has no role',
    remedy: `write only the name, without path: ${name}`,
    evidence: { role },
    fix: isReference ? undefined : safeFix(setField(['spec', 'role'], name)),
  };
}
