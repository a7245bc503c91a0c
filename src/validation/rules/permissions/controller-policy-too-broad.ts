import { nodeRoles } from './node-roles';
import { listText } from '../../../model';
import { Role, Statement, statementApplies } from '../../template';
import { controllerRoles } from '../common/controller-identity';
import { fail, notEvaluated, Outcome, pass, Rule, RuleContext } from '../rule';

interface ScopedAction {
  readonly action: string;
  /** A resource outside the cluster, which a well-scoped policy does not allow. */
  readonly foreign: string;
  /** Matches the condition key that a well-scoped statement has. */
  readonly condition: RegExp;
  readonly impact: string;
}

const OWNED = /^aws:(resource|request)tag\//i;
const FOREIGN_INSTANCE = 'arn:aws:ec2:eu-west-1:111122223333:instance/i-0123456789abcdef0';

/** Actions that Karpenter's own policies limit to the tags of the cluster, or to one role. */
const SCOPED_ACTIONS: readonly ScopedAction[] = [
  {
    action: 'ec2:TerminateInstances',
    foreign: FOREIGN_INSTANCE,
    condition: OWNED,
    impact: 'can terminate any instance of the account',
  },
  {
    action: 'ec2:RunInstances',
    foreign: FOREIGN_INSTANCE,
    condition: OWNED,
    impact: "can launch instances without the cluster's tag",
  },
  {
    action: 'ec2:CreateTags',
    foreign: FOREIGN_INSTANCE,
    condition: OWNED,
    impact: 'can claim any instance by its tags',
  },
  {
    action: 'iam:PassRole',
    foreign: 'arn:aws:iam::111122223333:role/Administrator',
    condition: /^$/,
    impact: 'can give any role to an instance',
  },
];

/** @see https://karpenter.sh/docs/reference/threat-model/ */
export const controllerPolicyTooBroad: Rule = {
  id: 'KARP-609',
  name: 'controller-policy-too-broad',
  severity: 'warning',
  summary:
    "Karpenter's role allows actions outside its cluster, or the node role allows actions that only Karpenter needs.",
  check(context: RuleContext): Outcome[] {
    const { nodeClasses, aws } = context.model;
    const controllers = controllerRoles(context).map(({ role }) => role);
    const nodes = nodeRoles(nodeClasses, aws)
      .flatMap(({ role }) => role ?? [])
      .filter((role) => !controllers.includes(role));
    return [
      ...[...new Set(controllers)].flatMap((role) => checkController(role)),
      ...[...new Set(nodes)].map((role) => checkNode(role)),
    ];
  },
};

function checkController(role: Role): Outcome[] {
  const broad = allowStatements(role).flatMap((statement) => {
    const unscoped = SCOPED_ACTIONS.filter((scoped) => isUnscoped(statement, scoped));
    return unscoped.length === 0 ? [] : [{ statement, unscoped }];
  });
  if (broad.length === 0)
    return [
      isUndecided(role)
        ? notEvaluated(role.resource.object, 'the scope of its policies is known only at deployment')
        : pass(role.resource.object),
    ];
  return broad.map(({ statement, unscoped }) =>
    fail({
      object: statement.resource.object,
      path: statement.path,
      message:
        `${statement.sid === undefined ? 'a statement' : `statement ${statement.sid}`} of the controller's role allows ${listText(unscoped.map(({ action }) => action))} ` +
        `without limiting it to the cluster: anyone with this role ${listText(unscoped.map(({ impact }) => impact))}`,
      remedy: unscoped.some(({ action }) => action === 'iam:PassRole')
        ? 'write the ARN of the node role as the resource of iam:PassRole'
        : 'add the condition StringEquals aws:ResourceTag/kubernetes.io/cluster/<name>: owned; for launches, use aws:RequestTag/…',
      evidence: { actions: unscoped.map(({ action }) => action) },
    }),
  );
}

function checkNode(role: Role): Outcome {
  const actions = SCOPED_ACTIONS.filter(({ action, foreign }) =>
    allowStatements(role).some((statement) => statementApplies(statement, action, foreign) === 'yes'),
  ).map(({ action }) => action);
  if (actions.length === 0) return pass(role.resource.object);
  return fail({
    object: role.resource.object,
    path: [],
    message: `is a node role but allows ${listText(actions)}: every pod that reaches the node's metadata service gets these permissions`,
    remedy: "move these actions to the controller's role",
    evidence: { actions },
  });
}

function allowStatements(role: Role): Statement[] {
  return role.policies.flatMap(({ statements }) => statements ?? []).filter(({ allows }) => allows);
}

function isUndecided(role: Role): boolean {
  return (
    role.policies.some(({ statements }) => !statements) ||
    allowStatements(role).some((statement) =>
      SCOPED_ACTIONS.some(
        (scoped) =>
          !hasScopeCondition(statement, scoped) &&
          statementApplies(statement, scoped.action, scoped.foreign) === 'unknown',
      ),
    )
  );
}

function isUnscoped(statement: Statement, scoped: ScopedAction): boolean {
  return statementApplies(statement, scoped.action, scoped.foreign) === 'yes' && !hasScopeCondition(statement, scoped);
}

function hasScopeCondition({ conditions }: Statement, { condition }: ScopedAction): boolean {
  return conditions.some(({ key }) => condition.test(key));
}
