import { NodeClassRole, nodeRoles } from './node-roles';
import { shortListText } from '../../../model';
import { Answer, anyOf, covers, hasUnknown, Role, Statement, statementApplies } from '../../template';
import { controllerRoles } from '../common/controller-identity';
import { defineRule, SubjectFinding, unknown } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsWith } from '../subjects';

const ACTION = 'iam:PassRole';
const SERVICE_KEY = 'iam:passedtoservice';

/** @see https://karpenter.sh/docs/reference/cloudformation/#allowpassinginstancerole */
export const passRoleWrongRole = defineRule({
  id: 'KARP-602',
  name: 'passrole-wrong-role',
  readsTerraform: true,
  severity: 'error',
  summary: 'Karpenter may pass a role to EC2, but not the role of its nodes: every launch fails.',
  subjects: subjectsWith<PassedRole>(({ nodeRole }) => nodeRole.nodeClass.object, passedRoles),
  judge({ controllerRole, statements, nodeRole }) {
    const { name, role } = nodeRole;
    const coverage = statements.map((statement) => ({ statement, answer: coverageOf(statement, name, role?.arn) }));
    const covering = coverage.filter(({ answer }) => answer !== 'no');
    if (covering.length === 0) return wrongRole(controllerRole, statements, nodeRole);
    const services = covering.map(({ statement }) => passedToEc2(statement));
    if (services.every((answer) => answer === 'no'))
      return wrongService(controllerRole, covering[0].statement, nodeRole);
    const isAllowed = anyOf(covering.map(({ answer }, i): Answer => (answer === 'yes' ? services[i] : 'unknown')));
    return isAllowed === 'yes'
      ? undefined
      : unknown(`whether Karpenter may pass role ${name} is known only at deployment`);
  },
});

/** A role of nodes, and what a role of Karpenter may pass. */
interface PassedRole {
  readonly controllerRole: Role;
  readonly statements: readonly Statement[];
  readonly nodeRole: NodeClassRole;
}

/** KARP-601 reports a role of Karpenter without any PassRole statement. */
function passedRoles(context: RuleContext): PassedRole[] {
  const { nodeClasses, aws } = context.model;
  return controllerRoles(context).flatMap(({ role: controllerRole }) => {
    const statements = passRoleStatements(controllerRole);
    return statements.length === 0
      ? []
      : nodeRoles(nodeClasses, aws).map((nodeRole) => ({ controllerRole, statements, nodeRole }));
  });
}

function wrongRole(
  { resource }: Role,
  statements: readonly Statement[],
  { path, name, role }: NodeClassRole,
): SubjectFinding {
  const allowed = statements.flatMap(({ resources }) => resources);
  return {
    path,
    message: `has role ${role?.resource.object.name ?? name}, but Karpenter's role ${resource.object.name} may pass only ${shortListText(allowed, 3)}: every launch fails`,
    remedy: `allow ${ACTION} on the ARN of role ${role?.resource.object.name ?? name}, including its path`,
    evidence: { consequence: 'launch-fails', role: name, allowed },
  };
}

function wrongService({ resource }: Role, { conditions }: Statement, { path, name }: NodeClassRole): SubjectFinding {
  const services = conditions.filter(({ key }) => key.toLowerCase() === SERVICE_KEY).flatMap(({ values }) => values);
  return {
    path,
    message: `has role ${name}, which Karpenter's role ${resource.object.name} may pass to ${services.join(', ')} but not to EC2: every launch fails`,
    remedy: 'write iam:PassedToService: ec2.amazonaws.com (in China also ec2.amazonaws.com.cn)',
    evidence: { consequence: 'launch-fails', role: name, services },
  };
}

function passRoleStatements(role: Role): Statement[] {
  return role.policies
    .flatMap(({ statements }) => statements ?? [])
    .filter(
      (statement) =>
        statement.allows &&
        statement.resources.some((resource) => statementApplies(statement, ACTION, resource) !== 'no'),
    );
}

/**
 * Whether the statement's resources cover the role. Without an ARN only the role's name is compared, because its path
 * is not known.
 */
function coverageOf({ resources }: Statement, name: string, arn: string | undefined): Answer {
  if (arn !== undefined) return anyOf(resources.map((resource) => covers(resource, arn)));
  return anyOf(
    resources.map((resource): Answer => {
      const roleName = resource.slice(resource.lastIndexOf('/') + 1);
      const answer = covers(roleName, name);
      return answer === 'yes' && (hasUnknown(name) || roleName !== '*') ? 'yes' : answer;
    }),
  );
}

function passedToEc2({ conditions }: Statement): Answer {
  const services = conditions.filter(({ key }) => key.toLowerCase() === SERVICE_KEY);
  return services.every(({ values }) => values.some((value) => /^(ec2[.*]|\*)/.test(value))) ? 'yes' : 'no';
}
