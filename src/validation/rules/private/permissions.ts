import { Answer, anyOf, covers, overlaps, Role, Statement } from '../../template';

/** Policies of AWS that allow everything Karpenter does. */
const ALLOW_ALL = /^arn:[^:]*:iam::aws:policy\/(AdministratorAccess|PowerUserAccess)$/;
/** Policies of AWS that are for nodes and their agents, and allow nothing of what a controller does. */
const FOR_NODES = /^arn:[^:]*:iam::aws:policy\/(service-role\/)?(AmazonEKS\w*|AmazonEC2ContainerRegistry\w*|AmazonSSM\w*|CloudWatchAgent\w*|AWSLambda\w*)$/;

/** Whether the role may take the action on some resource that the pattern covers. Conditions are taken to be met. */
export function mayDo(role: Role, action: string, resource: string = '*'): Answer {
  const statements = role.policies.flatMap((policy) => policy.statements ?? []);
  const denies = statements.filter((statement) => !statement.allows && statement.conditions.length === 0);
  if (denies.some((statement) => applies(statement, action, resource, covers) === 'yes')) return 'no';
  const answers = statements.filter(({ allows }) => allows).map((statement) => applies(statement, action, resource, overlaps));
  return anyOf([...answers, ...role.policies.map(({ statements: read }): Answer => read ? 'no' : 'unknown'), ...role.otherPolicies.map(allowedElsewhere)]);
}

function allowedElsewhere(arn: string): Answer {
  if (ALLOW_ALL.test(arn)) return 'yes';
  return FOR_NODES.test(arn) ? 'no' : 'unknown';
}

/**
 * Whether a statement is about the action and the resource, whichever its effect is.
 *
 * @param compare `covers` where it must be about all that the resource stands for, `overlaps` where some of it is enough
 */
export function applies(
  statement: Statement, action: string, resource: string, compare: (pattern: string, text: string) => Answer = covers,
): Answer {
  const { actions, notActions, resources, notResources } = statement;
  const named = (patterns: readonly string[]) => anyOf(patterns.map((pattern) => covers(pattern, action.toLowerCase())));
  const byAction = notActions.length > 0 ? opposite(named(notActions)) : named(actions);
  if (byAction === 'no') return 'no';
  // What is left out touches some of it, or leaves none: the opposite of the one is the other.
  const leftOut = compare === covers ? overlaps : covers;
  const byResource = notResources.length > 0
    ? opposite(anyOf(notResources.map((pattern) => leftOut(pattern, resource))))
    : resources.length === 0 ? 'yes' : anyOf(resources.map((pattern) => compare(pattern, resource)));
  return byResource === 'yes' ? byAction : byResource;
}

function opposite(answer: Answer): Answer {
  return answer === 'unknown' ? 'unknown' : answer === 'yes' ? 'no' : 'yes';
}
