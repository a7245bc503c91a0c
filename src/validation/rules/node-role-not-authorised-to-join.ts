import { accessEntryTypeOf, NODE_GROUPS, WINDOWS_NODE_GROUP } from '../../contract';
import { roleMappings } from './private/aws-auth';
import { NodeRole, nodeRoles, whyUnknown } from './private/node-roles';
import { fail, notEvaluated, pass } from './private/outcome';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext } from './rule';
import { AccessEntry, readable, Role, sameText } from '../template';

/** Types of entries under which nodes of any kind join. */
const EITHER = 'EC2';
/** Those of nodes that Karpenter launches, by their operating system. */
const OF_NODES: readonly string[] = ['EC2_LINUX', 'EC2_WINDOWS'];

/** @see https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html */
export class NodeRoleNotAuthorisedToJoin implements Rule {
  public readonly id = 'KARP-604';
  public readonly name = 'node-role-not-authorised-to-join';
  public readonly severity = 'error';
  public readonly summary = 'The cluster does not let the role of the nodes in, or lets it in as something else: nodes start, never join, and are paid for.';

  public check(context: RuleContext): Outcome[] {
    const { nodeClasses, aws } = context.model;
    if (!aws.given) return [];
    return nodeRoles(nodeClasses, aws).map((nodeRole) =>
      nodeRole.role ? this.checkRole(context, nodeRole, nodeRole.role) : notEvaluated(nodeRole.nodeClass.object, whyUnknown(nodeRole)));
  }

  private checkRole(context: RuleContext, nodeRole: NodeRole, role: Role): Outcome {
    const { aws } = context.model;
    const { object } = nodeRole.nodeClass;
    const entry = aws.accessEntries.find(({ principal }) => principal === role.arn);
    if (entry) return this.checkEntry(nodeRole, role, entry);
    // EKS makes the entry, or the mapping, for the role of a node group by itself.
    if (aws.nodeGroups.some((group) => group.role === role.arn)) return pass(object);
    if (aws.accessEntries.some(({ principal }) => sameText(principal, role.arn) === 'unknown')) return notEvaluated(object, 'whose access entry it is, is known only at deployment');
    return this.checkMapping(context, nodeRole, role);
  }

  private checkEntry(nodeRole: NodeRole, role: Role, { entryType, resource }: AccessEntry): Outcome {
    const wanted = accessEntryTypeOf(nodeRole.nodeClass.facts?.amiFamily ?? 'AL2023');
    if (entryType === wanted || entryType === EITHER) return pass(nodeRole.nodeClass.object);
    if (!tellsSystem(nodeRole) && OF_NODES.includes(entryType)) {
      return notEvaluated(nodeRole.nodeClass.object, `whether its machine image is one for ${entryType} is not in the templates`);
    }
    return fail({
      object: resource.object,
      path: ['Properties', 'Type'],
      message: `the access entry of node role ${role.resource.object.name} is ${entryType}: nodes of EC2NodeClass ${nodeRole.nodeClass.object.name} need ${wanted}, `
        + 'and without it start, are refused by the cluster, and are launched again, paid for all the while',
      remedy: `write Type: ${wanted}, without access policies`,
      evidence: { role: role.name, type: entryType, needed: wanted },
    });
  }

  private checkMapping({ model: { aws, objects } }: RuleContext, nodeRole: NodeRole, role: Role): Outcome {
    const { object } = nodeRole.nodeClass;
    const mappings = roleMappings(objects);
    const mapping = mappings?.find(({ roleArn }) => roleArn === withoutPath(role));
    const modes = aws.clusters.map(({ authenticationMode }) => authenticationMode);
    if (mapping && !modes.includes('API')) return this.checkGroups(nodeRole, role, mapping.groups);
    if (mappings?.some(({ roleArn }) => roleArn === role.arn) && !modes.includes('API')) return pathFailure(nodeRole, role);
    const [mode] = modes;
    if (mode === 'API' || (mappings && modes.length === 1)) {
      return fail({
        object,
        path: nodeRole.path,
        message: `has role ${role.resource.object.name}, and the cluster does not know it: there is no access entry for it${mode === 'API' ? '' : ', nor a mapping in aws-auth'}; nodes start, and never join`,
        remedy: mode === 'CONFIG_MAP'
          ? `map the role in aws-auth, with the groups ${joinNames(NODE_GROUPS)}`
          : `make an access entry for the role, of type ${accessEntryTypeOf(nodeRole.nodeClass.facts?.amiFamily ?? 'AL2023')}`,
        evidence: { role: role.name, authenticationMode: mode ?? null },
      });
    }
    return notEvaluated(object, modes.length === 0 ? 'the cluster is not in the templates' : 'aws-auth is not in the templates, and may map its role');
  }

  private checkGroups(nodeRole: NodeRole, role: Role, groups: readonly string[]): Outcome {
    const windows = nodeRole.nodeClass.facts?.amiFamily.startsWith('Windows') ? [WINDOWS_NODE_GROUP] : [];
    const missing = [...NODE_GROUPS, ...windows].filter((group) => !groups.includes(group));
    if (missing.length === 0) return pass(nodeRole.nodeClass.object);
    return fail({
      object: nodeRole.nodeClass.object,
      path: nodeRole.path,
      message: `has role ${role.resource.object.name}, which aws-auth maps without ${joinNames(missing)}: nodes start, and never join`,
      remedy: `add ${joinNames(missing)} to the groups of its mapping`,
      evidence: { role: role.name, missing },
    });
  }
}

/** An image of one's own may be of any system, as may one that is known only at deployment. */
function tellsSystem({ nodeClass: { facts } }: NodeRole): boolean {
  return facts !== undefined && facts.amiFamily !== 'Custom';
}

/**
 * In aws-auth a role stands without the path that its ARN has: nodes come by the ARN of an assumed role, which has none.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html
 */
function withoutPath({ arn, name }: Role): string {
  return `${arn.slice(0, arn.indexOf(':role/'))}:role/${name}`;
}

function pathFailure({ nodeClass, path }: NodeRole, role: Role): Outcome {
  return fail({
    object: nodeClass.object,
    path,
    message: `has role ${role.resource.object.name}, which aws-auth maps with the path of its ARN: nodes do not come by that, start, and never join`,
    remedy: `map ${readable(withoutPath(role))}, or make an access entry for the role`,
    evidence: { role: role.name, mapped: readable(role.arn) },
  });
}
