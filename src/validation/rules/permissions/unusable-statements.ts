/** Statements of Karpenter's policies that no request of Karpenter can use. */
import { forType, typeOf } from './launch-permissions';
import { asRecord } from '../../../contract';
import { listText, nearestName } from '../../../model';
import { isActionAllowed, Role, Statement, textParts } from '../../template';
import { SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';

/** The tag of a resource, or of a request. EC2 has its own key for tags of resources. */
const TAG_KEY = /^(?:aws:(?:resource|request)tag|ec2:resourcetag)\/(.+)$/i;
/** Operators whose condition fails without the key. */
const NEEDS_KEY = /^string(?:equals|like)(?:ignorecase)?$/i;
/**
 * Tags that Karpenter gave to its resources before v1, with those of today.
 *
 * @see https://karpenter.sh/v1.0/upgrading/v1-migration/
 */
const OLD_TAGS: Readonly<Record<string, string>> = {
  'karpenter.sh/provisioner-name': 'karpenter.sh/nodepool',
  'karpenter.sh/managed-by': 'eks:eks-cluster-name',
};
const TAGS: readonly string[] = [
  'karpenter.sh/nodepool',
  'karpenter.sh/nodeclaim',
  'karpenter.k8s.aws/ec2nodeclass',
  'eks:eks-cluster-name',
  'topology.kubernetes.io/region',
];
const ACTIONS: readonly string[] = [
  'ec2:CreateFleet',
  'ec2:CreateLaunchTemplate',
  'ec2:CreateTags',
  'ec2:DeleteLaunchTemplate',
  'ec2:RunInstances',
  'ec2:TerminateInstances',
  'iam:AddRoleToInstanceProfile',
  'iam:CreateInstanceProfile',
  'iam:DeleteInstanceProfile',
  'iam:RemoveRoleFromInstanceProfile',
  'iam:TagInstanceProfile',
];
const V1 = 'karpenter.sh/v1';

/** A statement that wants a tag which Karpenter does not set, if no other statement allows the same. */
export function statementWithWrongTag(role: Role, context: RuleContext): SubjectFinding | undefined {
  if (!isV1(context)) return undefined;
  const own = tagsOfClasses(context);
  const wrong = statementsOf(role).flatMap((statement) => {
    const [tag] = statement.conditions.flatMap(({ operator, key }) => {
      const name = NEEDS_KEY.test(operator) ? TAG_KEY.exec(key)?.[1] : undefined;
      const meant = name === undefined || own.has(name.toLowerCase()) ? undefined : meantTag(name);
      return name !== undefined && meant !== undefined ? [{ name, meant }] : [];
    });
    return statement.allows && tag !== undefined ? [{ statement, ...tag }] : [];
  });
  const usable = without(role, new Set(wrong.map(({ statement }) => statement)));
  for (const { statement, name, meant } of wrong) {
    const lost = ACTIONS.filter(
      (action) =>
        statement.actions.includes(action.toLowerCase()) &&
        statement.resources.some(
          (resource) => isActionAllowed(forType(usable, typeOf(resource)), action, resource) === 'no',
        ),
    );
    if (lost.length > 0) return wrongTag(statement, lost, { name, meant });
  }
  return undefined;
}

/** Releases before v1 set other tags. */
function isV1({ model: { nodePools } }: RuleContext): boolean {
  return nodePools.some(({ object }) => object.apiVersion === V1);
}

function meantTag(name: string): string | undefined {
  if (TAGS.some((tag) => tag.toLowerCase() === name.toLowerCase())) return undefined;
  return Object.hasOwn(OLD_TAGS, name) ? OLD_TAGS[name] : nearestName(name, TAGS);
}

function tagsOfClasses({ model }: RuleContext): ReadonlySet<string> {
  return new Set(
    model.nodeClasses.flatMap(({ object }) =>
      Object.keys(asRecord(asRecord(object.raw.spec)?.tags) ?? {}).map((tag) => tag.toLowerCase()),
    ),
  );
}

function wrongTag(
  { resource, path }: Statement,
  actions: readonly string[],
  { name, meant }: { readonly name: string; readonly meant: string },
): SubjectFinding {
  const why = Object.hasOwn(OLD_TAGS, name) ? 'which Karpenter no longer sets' : 'which Karpenter does not set';
  return {
    object: resource.object,
    path,
    message: `allows ${listText(actions)} only with the tag ${name}, ${why}: AWS refuses these calls, and no node is launched`,
    remedy: `write ${meant} instead of ${name} in the condition`,
    evidence: { tag: name, meant, actions },
  };
}

/** `arn:<partition>:ssm:<region>:<account>:parameter/aws/service…`, with tokens as `T`. */
const PUBLIC_PARAMETER = /^arn:[^:]*:ssm:[^:]*:(?:\d{12}|T):parameter\/aws\/service\//;

/** The public parameters of AWS, which have the ids of AMIs, belong to no account. */
export function parameterWithAccount(role: Role): SubjectFinding | undefined {
  const written = (text: string) =>
    textParts(text)
      .map((part) => (part.token === undefined ? part.literal : 'T'))
      .join('');
  const wrong = statementsOf(role).filter(
    ({ allows, actions, resources }) =>
      allows &&
      actions.some((action) => action === 'ssm:getparameter' || action === 'ssm:getparameters') &&
      resources.length > 0 &&
      resources.every((resource) => PUBLIC_PARAMETER.test(written(resource))),
  );
  const [first] = wrong;
  if (first === undefined || isActionAllowed(without(role, new Set(wrong)), 'ssm:GetParameter') !== 'no')
    return undefined;
  return {
    object: first.resource.object,
    path: first.path,
    message:
      'allows ssm:GetParameter on public parameters of AWS with an account id in the ARN, but these parameters belong to no account: Karpenter finds no AMI for an alias, and launches no node',
    remedy: 'write arn:aws:ssm:<region>::parameter/aws/service/*, with nothing between the colons',
    evidence: { action: 'ssm:GetParameter' },
  };
}

function statementsOf({ policies }: Role): Statement[] {
  return policies.flatMap(({ statements = [] }) => statements);
}

function without(role: Role, left: ReadonlySet<Statement>): Role {
  return {
    ...role,
    policies: role.policies.map((policy) => ({
      ...policy,
      ...(policy.statements ? { statements: policy.statements.filter((statement) => !left.has(statement)) } : {}),
    })),
  };
}
