import { controllerRoles } from './private/karpenter-role';
import { nodeRoles } from './private/node-roles';
import { fail, notEvaluated, pass } from './private/outcome';
import { applies } from './private/permissions';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { Role, Statement } from '../template';

interface Scoped {
  readonly action: string;
  /** A resource of somebody else, that a sound policy does not reach. */
  readonly foreign: string;
  /** What a sound statement has as the key of some condition. */
  readonly condition: RegExp;
  readonly harm: string;
}

const OWNED = /^aws:(resource|request)tag\//i;
const FOREIGN_INSTANCE = 'arn:aws:ec2:eu-west-1:111122223333:instance/i-0123456789abcdef0';

/** What upstream's policies bind to the tags of the cluster, or to one role. */
const SCOPED: readonly Scoped[] = [
  { action: 'ec2:TerminateInstances', foreign: FOREIGN_INSTANCE, condition: OWNED, harm: 'can end any instance of the account' },
  { action: 'ec2:RunInstances', foreign: FOREIGN_INSTANCE, condition: OWNED, harm: 'can launch instances that nobody ascribes to the cluster' },
  { action: 'ec2:CreateTags', foreign: FOREIGN_INSTANCE, condition: OWNED, harm: 'can tag any instance, and so make it its own' },
  { action: 'iam:PassRole', foreign: 'arn:aws:iam::111122223333:role/Administrator', condition: /^$/, harm: 'can hand any role to an instance' },
];

/** @see https://karpenter.sh/docs/reference/threat-model/ */
export class ControllerPolicyTooBroad implements Rule {
  public readonly id = 'KARP-609';
  public readonly name = 'controller-policy-too-broad';
  public readonly severity = 'warning';
  public readonly summary = 'The role of Karpenter reaches beyond its cluster, or the nodes themselves may do what Karpenter does.';

  public check(context: RuleContext): Outcome[] {
    const { nodeClasses, aws } = context.model;
    const controllers = controllerRoles(context).map(({ role }) => role);
    const nodes = nodeRoles(nodeClasses, aws).flatMap(({ role }) => role ?? []).filter((role) => !controllers.includes(role));
    return [...[...new Set(controllers)].flatMap((role) => this.checkController(role)), ...[...new Set(nodes)].map((role) => this.checkNode(role))];
  }

  private checkController(role: Role): Outcome[] {
    const broad = statementsOf(role).flatMap((statement) => {
      const reached = SCOPED.filter((scoped) => isUnbound(statement, scoped));
      return reached.length === 0 ? [] : [{ statement, reached }];
    });
    if (broad.length === 0) return [isOpen(role) ? notEvaluated(role.resource.object, 'how far its policies reach is known only at deployment') : pass(role.resource.object)];
    return broad.map(({ statement, reached }) => fail({
      object: statement.resource.object,
      path: statement.path,
      message: `${statement.sid === undefined ? 'a statement' : `statement ${statement.sid}`} of the controller's role allows ${joinNames(reached.map(({ action }) => action))} on any resource `
        + `and without a condition on the cluster's tag: Karpenter, and whoever takes its role, ${joinNames(reached.map(({ harm }) => harm))}`,
      remedy: reached.some(({ action }) => action === 'iam:PassRole')
        ? 'name the role of the nodes as the resource of iam:PassRole'
        : 'add the condition StringEquals aws:ResourceTag/kubernetes.io/cluster/<name>: owned, for what is launched aws:RequestTag/…',
      evidence: { actions: reached.map(({ action }) => action) },
    }));
  }

  private checkNode(role: Role): Outcome {
    const found = SCOPED.filter(({ action, foreign }) => statementsOf(role).some((statement) => applies(statement, action, foreign) === 'yes'));
    if (found.length === 0) return pass(role.resource.object);
    return fail({
      object: role.resource.object,
      path: [],
      message: `is the role of nodes, and allows ${joinNames(found.map(({ action }) => action))}: every pod on them that reaches the metadata service can do it`,
      remedy: 'leave these to the role of the controller',
      evidence: { actions: found.map(({ action }) => action) },
    });
  }
}

function statementsOf(role: Role): Statement[] {
  return role.policies.flatMap(({ statements }) => statements ?? []).filter(({ allows }) => allows);
}

function isOpen(role: Role): boolean {
  return role.policies.some(({ statements }) => !statements)
    || statementsOf(role).some((statement) => SCOPED.some((scoped) => !isBound(statement, scoped) && applies(statement, scoped.action, scoped.foreign) === 'unknown'));
}

function isUnbound(statement: Statement, scoped: Scoped): boolean {
  return applies(statement, scoped.action, scoped.foreign) === 'yes' && !isBound(statement, scoped);
}

function isBound({ conditions }: Statement, { condition }: Scoped): boolean {
  return conditions.some(({ key }) => condition.test(key));
}
