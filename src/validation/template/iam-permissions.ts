import { Answer, anyOf, covers, overlaps } from './text-match';
import { Role, Statement } from '../manifest/aws-model';

/** AWS managed policies that allow every action of Karpenter. */
const ALLOW_ALL = /^arn:[^:]*:iam::aws:policy\/(AdministratorAccess|PowerUserAccess)$/;
/** AWS managed policies for nodes and their agents, which allow little that a controller needs. */
const FOR_NODES =
  /^arn:[^:]*:iam::aws:policy\/(service-role\/)?(AmazonEKSWorkerNode\w*|AmazonEKS_CNI_\w*|AmazonEC2ContainerRegistry\w*|AmazonSSM\w*|CloudWatchAgent\w*|AWSLambda\w*)$/;
/**
 * Actions of a controller that some of these policies allow.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/security-iam-awsmanpol.html
 */
const SHARED_WITH_NODES = /^(ec2:describe\w*|ec2:createtags|eks:describecluster|ssm:getparameters?)$/;

/**
 * Whether the role may take the action on a resource that the pattern covers. Conditions of Allow statements count
 * as met.
 */
export function isActionAllowed(role: Role, action: string, resource: string = '*'): Answer {
  const statements = role.policies.flatMap((policy) => policy.statements ?? []);
  const denies = statements.filter((statement) => !statement.allows && statement.conditions.length === 0);
  if (denies.some((statement) => statementApplies(statement, action, resource, covers) === 'yes')) return 'no';
  const answers = statements
    .filter(({ allows }) => allows)
    .map((statement) => statementApplies(statement, action, resource, overlaps));
  return anyOf([
    ...answers,
    ...role.policies.map((policy): Answer => (policy.statements ? 'no' : 'unknown')),
    ...role.otherPolicies.map((arn) => allowedByManagedPolicy(arn, action)),
  ]);
}

function allowedByManagedPolicy(arn: string, action: string): Answer {
  if (ALLOW_ALL.test(arn)) return 'yes';
  return FOR_NODES.test(arn) && !SHARED_WITH_NODES.test(action.toLowerCase()) ? 'no' : 'unknown';
}

/**
 * Whether a statement, Allow or Deny, matches the action and the resource.
 *
 * @param compare `covers` if the statement has to match every resource of the pattern, `overlaps` if one is enough
 */
export function statementApplies(
  statement: Statement,
  action: string,
  resource: string,
  compare: (pattern: string, text: string) => Answer = covers,
): Answer {
  const { actions, notActions, resources, notResources } = statement;
  const named = (patterns: readonly string[]) =>
    anyOf(patterns.map((pattern) => covers(pattern, action.toLowerCase())));
  const byAction = notActions.length > 0 ? opposite(named(notActions)) : named(actions);
  if (byAction === 'no') return 'no';
  // NotResource inverts the comparison: all are matched if no exclusion overlaps, and some if none covers the
  // pattern.
  const excludes = compare === covers ? overlaps : covers;
  const byResource =
    notResources.length > 0
      ? opposite(anyOf(notResources.map((pattern) => excludes(pattern, resource))))
      : resources.length === 0
        ? 'yes'
        : anyOf(resources.map((pattern) => compare(pattern, resource)));
  return byResource === 'yes' ? byAction : byResource;
}

function opposite(answer: Answer): Answer {
  return answer === 'unknown' ? 'unknown' : answer === 'yes' ? 'no' : 'yes';
}
