import { NodeClassRole, nodeRoles } from './node-roles';
import { policiesOfKarpenter } from './policies-of-karpenter';
import { shortListText } from '../../../model';
import {
  Answer,
  anyOf,
  AwsModel,
  covers,
  hasToken,
  isActionAllowed,
  Role,
  sameText,
  Statement,
  statementApplies,
  textParts,
} from '../../template';
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
  judge({ controllerRole, unattached, statements, nodeRole }, { model: { aws } }) {
    const holder = `Karpenter's ${unattached ? 'policy' : 'role'} ${controllerRole.resource.object.name}`;
    const { name, role } = nodeRole;
    const coverage = statements.map((statement) => ({ statement, answer: coverageOf(statement, name, role, aws) }));
    const covering = coverage.filter(({ answer }) => answer !== 'no');
    if (covering.length === 0 && mayHaveOthers(controllerRole))
      return unknown(`policies outside the templates decide whether Karpenter may pass role ${name}`);
    if (covering.length === 0) return wrongRole(holder, statements, nodeRole, aws);
    const services = covering.map(({ statement }) => passedToEc2(statement));
    if (services.every((answer) => answer === 'no')) return wrongService(holder, covering[0].statement, nodeRole);
    const isAllowed = anyOf(covering.map(({ answer }, i): Answer => (answer === 'yes' ? services[i] : 'unknown')));
    return isAllowed === 'yes'
      ? undefined
      : unknown(`whether Karpenter may pass role ${name} is known only at deployment`);
  },
});

/** A role of nodes, and what a role of Karpenter may pass. */
interface PassedRole {
  readonly controllerRole: Role;
  readonly unattached: boolean;
  readonly statements: readonly Statement[];
  readonly nodeRole: NodeClassRole;
}

/** KARP-601 reports a role of Karpenter without any PassRole statement. */
function passedRoles(context: RuleContext): PassedRole[] {
  const { nodeClasses, aws } = context.model;
  return policiesOfKarpenter(context).flatMap(({ role: controllerRole, unattached = false }) => {
    const statements = passRoleStatements(controllerRole);
    return statements.length === 0
      ? []
      : nodeRoles(nodeClasses, aws).map((nodeRole) => ({ controllerRole, unattached, statements, nodeRole }));
  });
}

function wrongRole(
  holder: string,
  statements: readonly Statement[],
  { path, name, role }: NodeClassRole,
  aws: AwsModel,
): SubjectFinding {
  const allowed = statements.flatMap(({ resources }) => resources).map((arn) => roleWithArn(arn, aws)?.name ?? arn);
  const shownName = hasToken(name) ? (role?.resource.object.name ?? name) : name;
  return {
    path,
    message: `has role ${shownName}, but ${holder} may pass only ${shortListText(allowed, 3)}: every launch fails`,
    remedy:
      role === undefined && allowed.length === 1 && aws.roles.some((other) => other.name === allowed[0])
        ? `write ${path.join('.')}: ${allowed[0]}, or allow ${ACTION} on the ARN of role ${shownName}`
        : `allow ${ACTION} on the ARN of role ${shownName}, including its path`,
    evidence: { consequence: 'launch-fails', role: name, allowed },
  };
}

function wrongService(holder: string, { conditions }: Statement, { path, name }: NodeClassRole): SubjectFinding {
  const services = conditions.filter(({ key }) => key.toLowerCase() === SERVICE_KEY).flatMap(({ values }) => values);
  return {
    path,
    message: `has role ${name}, which ${holder} may pass to ${services.join(', ')} but not to EC2: every launch fails`,
    remedy: 'write iam:PassedToService: ec2.amazonaws.com (in China also ec2.amazonaws.com.cn)',
    evidence: { consequence: 'launch-fails', role: name, services },
  };
}

/** Whether a policy whose statements are not known may allow more. */
function mayHaveOthers(role: Role): boolean {
  const policies = role.policies.filter(({ statements }) => statements === undefined);
  return isActionAllowed({ ...role, policies }, ACTION) !== 'no';
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
 * Whether the statement's resources cover the role. If the ARN is not known, the role's name decides, because neither
 * its account nor its path is known.
 */
function coverageOf({ resources }: Statement, name: string, role: Role | undefined, aws: AwsModel): Answer {
  return anyOf(
    resources.map((resource) => {
      const target = aws.roles.find(({ arn }) => arn === resource);
      // Two resources are two roles, whatever their names are.
      if (target && role !== undefined) return target === role ? 'yes' : 'no';
      if (target && !hasToken(target.name)) return sameText(target.name, name);
      const byArn = role === undefined ? 'unknown' : covers(resource, role.arn);
      const isPathKnown = role?.resource.properties.Path === undefined;
      return byArn === 'unknown' && isPathKnown ? coversName(resource, name) : byArn;
    }),
  );
}

/** The role of the templates that has exactly this ARN, if its name is known. */
function roleWithArn(arn: string, { roles }: AwsModel): Role | undefined {
  const role = roles.find((candidate) => candidate.arn === arn);
  return role && !hasToken(role.name) ? role : undefined;
}

function coversName(resource: string, name: string): Answer {
  if (resource === '*') return 'yes';
  const slash = resource.lastIndexOf('/');
  const isInToken = textParts(resource).some(({ token }) => token?.includes('/'));
  return slash < 0 || isInToken ? 'unknown' : covers(resource.slice(slash + 1), name);
}

function passedToEc2({ conditions }: Statement): Answer {
  const services = conditions.filter(({ key }) => key.toLowerCase() === SERVICE_KEY);
  return services.every(({ values }) => values.some((value) => /^(ec2[.*]|\*)/.test(value))) ? 'yes' : 'no';
}
