/** Types of EC2 resources that the statements of a policy leave out. */
import { CHECKED_RESOURCES, EXISTING_RESOURCES } from '../../../contract';
import { listText } from '../../../model';
import { covers, isActionAllowed, Role, Statement, textParts } from '../../template';
import { SubjectFinding } from '../define-rule';

/** Gives the role without the statements whose conditions a request for this action and resource type cannot meet. */
export type UsableRole = (role: Role, action: string, type?: string) => Role;

/** Resource types that the role allows one action for, and others that it does not. */
interface Refusal {
  readonly actions: string[];
  readonly types: readonly string[];
  /** Whether a condition on tags excludes the types. */
  readonly byTags: boolean;
}

const LAUNCHES: readonly string[] = ['ec2:RunInstances', 'ec2:CreateFleet'];
const TAG_KEY = /^(?:aws:(request|resource)tag|ec2:resourcetag)\//i;
const NEEDS_KEY = /^string(?:equals|like)(?:ignorecase)?$/i;

/**
 * False if a condition needs tags that the request does not have. Tags of a request are those of resources that it
 * creates. Only resources that exist have tags of their own.
 */
export function hasTagsOf({ conditions }: Statement, action: string, type: string): boolean {
  if (!LAUNCHES.includes(action) && action !== 'ec2:CreateTags') return true;
  const exists = action !== 'ec2:CreateTags' && EXISTING_RESOURCES.has(type);
  return conditions.every(({ operator, key }) => {
    const kind = NEEDS_KEY.test(operator) ? TAG_KEY.exec(key) : null;
    return kind === null || (kind[1]?.toLowerCase() === 'request') !== exists;
  });
}

/**
 * What AWS refuses although the role allows the action for other resources.
 *
 * @param actions the actions that Karpenter needs, with the ARN patterns of their resources
 */
export function refusedResources(
  role: Role,
  actions: ReadonlyArray<{ readonly action: string; readonly resource: string }>,
  usableRole: UsableRole,
  launchesSpot: boolean,
): SubjectFinding | undefined {
  const refusals: Refusal[] = [];
  for (const action of new Set(actions.map((one) => one.action))) {
    const needed = actions
      .filter((one) => one.action === action)
      .map(({ resource }) => ({ resource, type: typeOf(resource) }));
    const refused = (CHECKED_RESOURCES[action] ?? []).flatMap((type) => {
      const found = needed.find((one) => one.type === type && (launchesSpot || type !== 'spot-instances-request'));
      if (found === undefined) return [];
      const isRefused = (usable: Role) => isActionAllowed(forType(usable, type), action, found.resource) === 'no';
      return isRefused(usableRole(role, action, type)) ? [{ type, byTags: !isRefused(usableRole(role, action)) }] : [];
    });
    for (const byTags of [false, true]) {
      const types = refused.filter((one) => one.byTags === byTags).map(({ type }) => type);
      const same = refusals.find((other) => other.byTags === byTags && other.types.join() === types.join());
      if (same) same.actions.push(action);
      else if (types.length > 0) refusals.push({ actions: [action], types, byTags });
    }
  }
  return refusals.length === 0 ? undefined : finding(role, refusals);
}

function finding(role: Role, refusals: readonly Refusal[]): SubjectFinding {
  const remedies = refusals.map((refusal) => remedyFor(role, refusal));
  const [statement] = remedies.flatMap((remedy) => remedy.statement ?? []);
  const lacks = refusals.map(({ actions, types, byTags }) => {
    const permission = `allow ${listText(actions)} on ${listText(types)}`;
    return byTags ? `${permission} only with tags that the call does not have` : `do not ${permission}`;
  });
  const isLaunch = refusals.some(({ actions }) => actions.some((action) => !/Terminate|Reboot|Delete/.test(action)));
  const types = refusals.flatMap((refusal) => refusal.types);
  return {
    ...(statement ? { object: statement.resource.object } : {}),
    path: statement?.path ?? [],
    message: `Karpenter's policies ${lacks.join(', and ')}: AWS refuses ${
      !isLaunch
        ? 'these calls'
        : types.every((type) => type === 'spot-instances-request')
          ? 'every launch of spot nodes'
          : 'every launch'
    }`,
    remedy: [...new Set(remedies.map(({ text }) => text))].join('; '),
    evidence: {
      refused: refusals.flatMap(({ actions, types: of }) => actions.map((action) => `${action} ${of.join()}`)),
    },
  };
}

/** The action is added to the statement with the resources; else the resources to the statements with the actions. */
function remedyFor(role: Role, { actions, types, byTags }: Refusal): { text: string; statement?: Statement } {
  const allowing = role.policies.flatMap(({ statements = [] }) => statements).filter(({ allows }) => allows);
  const siblings = LAUNCHES.filter((action) => !actions.includes(action));
  const withResources = allowing.find(
    (statement) =>
      LAUNCHES.includes(actions[0]) &&
      siblings.some(
        (action) => names(statement, action) && types.every((type) => hasTagsOf(statement, action, type)),
      ) &&
      types.every((type) => concerns(statement, type)),
  );
  const named = (statement: Statement) => statement.sid ?? 'with this line';
  if (withResources !== undefined && !byTags)
    return {
      statement: withResources,
      text: `add ${listText(actions)} to the actions of statement ${named(withResources)}`,
    };
  const arns = listText(types.map((type) => `arn:aws:ec2:*:${/image|snapshot/.test(type) ? '' : '*'}:${type}/*`));
  const withActions = byTags ? [] : statementsFor(allowing, actions, types);
  const [first] = withActions;
  return first === undefined
    ? {
        text: `allow ${listText(actions)} on ${arns}, as Karpenter's own policies do${withTags(actions, types, byTags)}`,
      }
    : {
        statement: first,
        text: `add ${arns} to the resources of ${withActions.length === 1 ? 'statement' : 'statements'} ${listText(withActions.map(named))}`,
      };
}

/** The condition that excludes the types. */
function withTags(actions: readonly string[], types: readonly string[], byTags: boolean): string {
  if (!byTags) return '';
  const exist = LAUNCHES.includes(actions[0]) && types.some((type) => EXISTING_RESOURCES.has(type));
  return `, in a statement without a condition on aws:${exist ? 'RequestTag' : 'ResourceTag'}`;
}

/** For each action the statement that allows it for resources of the same kind, if each has one. */
function statementsFor(
  allowing: readonly Statement[],
  actions: readonly string[],
  types: readonly string[],
): Statement[] {
  const found = actions.flatMap(
    (action) =>
      allowing.find(
        (statement) =>
          names(statement, action) &&
          statement.notResources.length === 0 &&
          types.every((type) => hasTagsOf(statement, action, type)) &&
          (!LAUNCHES.includes(action) ||
            types.every((type) =>
              CHECKED_RESOURCES[action].some(
                (other) =>
                  EXISTING_RESOURCES.has(other) === EXISTING_RESOURCES.has(type) &&
                  other !== 'launch-template' &&
                  concerns(statement, other),
              ),
            )),
      ) ?? [],
  );
  return found.length === actions.length ? [...new Set(found)] : [];
}

function names({ actions }: Statement, action: string): boolean {
  return actions.some((pattern) => covers(pattern, action.toLowerCase()) === 'yes');
}

/** Only the statements about the resource type, because a wildcard in an ARN does not reach over its colons. */
export function forType(role: Role, type: string): Role {
  return {
    ...role,
    policies: role.policies.map((policy) => ({
      ...policy,
      ...(policy.statements ? { statements: policy.statements.filter((statement) => concerns(statement, type)) } : {}),
    })),
  };
}

function concerns({ resources, notResources }: Statement, type: string): boolean {
  return (
    notResources.length > 0 ||
    resources.length === 0 ||
    resources.some((resource) => {
      const ofResource = typeOf(resource);
      return ofResource.includes(TOKEN) || covers(ofResource, type) === 'yes';
    })
  );
}

/** Stands for what is known only at deployment. */
const TOKEN = '\0';

/** The type of the resource of an ARN, such as `instance`. */
export function typeOf(resource: string): string {
  const text = textParts(resource)
    .map((part) => (part.token === undefined ? part.literal : TOKEN))
    .join('');
  return text.slice(text.lastIndexOf(':') + 1).split('/')[0];
}
