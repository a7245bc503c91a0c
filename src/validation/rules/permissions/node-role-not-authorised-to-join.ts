import { judgeOfEksctl, isByEksctl, profilesOfEksctl } from './eksctl-roles';
import { judgeUser, MappedRole, mappedNodes, roleMappings, TYPES_BY_SYSTEM } from './mapped-roles';
import { misspeltFinding, misspeltRole } from './misspelt-role';
import { moduleWithoutEntry, withoutEntryOfModule } from './module-entries';
import { NodeClassRole, nodeRoles, rolesOfNodes, whyRoleUnknown } from './node-roles';
import {
  accessEntryTypeOf,
  asRecord,
  FieldFix,
  NODE_GROUPS,
  removeField,
  setField,
  unsafeFix,
  WINDOWS_NODE_GROUP,
} from '../../../contract';
import { listText, nearestName, shortListText } from '../../../model';
import { ManifestObject } from '../../manifest/model';
import { AccessEntry, AwsModel, hasUnknown, readable, Role, sameText } from '../../template';
import { defineRule, Judgement, NOT_APPLICABLE, SubjectFinding, unknown } from '../define-rule';

/** The access entry type under which nodes of any operating system join. */
const ANY_SYSTEM = 'EC2';

/** @see https://docs.aws.amazon.com/eks/latest/userguide/access-entries.html */
export const nodeRoleNotAuthorisedToJoin = defineRule({
  id: 'KARP-604',
  name: 'node-role-not-authorised-to-join',
  readsTerraform: true,
  severity: 'error',
  summary:
    'The cluster does not authorise the node role, or not as a node: nodes start and cost money but do not join.',
  subjects: (context) => [...nodesWithRole(context), ...profilesOfEksctl(context)],
  judge(nodeRole, { model }): Judgement {
    const { aws, writtenAws, objects, nodeClasses } = model;
    const isRead = aws.clusters.every(({ authenticationMode }) => authenticationMode !== 'API');
    const wrongUser = isRead ? judgeUser(nodeRole, model) : undefined;
    if (wrongUser) return wrongUser;
    const module = nodeRole.role ? undefined : moduleWithoutEntry(nodeRole, aws);
    if (module) return withoutEntryOfModule(nodeRole, module);
    const meant = misspeltRole(nodeRole, model);
    if (meant) return misspeltFinding(nodeRole, meant);
    if (!nodeRole.role) return judgeOfEksctl(nodeRole, objects) ?? judgeSpelling(nodeRole, mappedNodes(objects));
    const { role } = nodeRole;
    const entry = aws.accessEntries.find(({ principal }) => principal === role.arn);
    if (entry) return judgeEntry(nodeRole, role, entry, nodeRoles(nodeClasses, aws));
    // EKS creates the access entry or the aws-auth mapping for the role of a managed node group.
    if (aws.nodeGroups.some((group) => group.role === role.arn)) return undefined;
    const foreign = aws.accessEntries.find((other) => isForNoNode(other, aws));
    if (foreign) return foreignEntry(nodeRole, role, foreign, aws);
    if (aws.accessEntries.some(({ principal }) => mayBe(principal, role)))
      return unknown('whether an access entry is for its role is known only at deployment');
    return judgeMapping(aws, objects, nodeRole, role, aws === writtenAws && isWhole(aws, role));
  },
});

const nodesWithRole = rolesOfNodes({
  where: (nodeRole, { model: { aws, objects } }) =>
    aws.hasTemplates || (nodeRole.role === undefined && (mappedNodes(objects).length > 0 || isByEksctl(objects))),
  unknown: (nodeRole, { model, model: { aws, objects } }) =>
    nodeRole.role ||
    misspeltRole(nodeRole, model) ||
    moduleWithoutEntry(nodeRole, aws) ||
    (!aws.hasTemplates && (mappedNodes(objects).length > 0 || isByEksctl(objects)))
      ? undefined
      : whyRoleUnknown(nodeRole),
});

/** A role that is mapped under a similar name only. Others may be mapped by hand, so a missing role is no mistake. */
function judgeSpelling({ path, name }: NodeClassRole, mapped: readonly MappedRole[]): Judgement {
  const near = nearestName(
    name,
    mapped.map((role) => role.name),
  );
  const meant = mapped.find((role) => role.name === near);
  if (hasUnknown(name) || name.includes('/') || mapped.some((role) => role.name === name) || meant === undefined)
    return NOT_APPLICABLE;
  const arn = meant.arn.replace(/[^/]*$/, name);
  return {
    object: meant.object,
    path: meant.path,
    message:
      `maps the nodes' role ${meant.name}, but the nodes have role ${name}, as the EC2NodeClass says in ${path.join('.')}: ` +
      'the cluster refuses them, and Karpenter keeps launching paid replacements',
    remedy: `write ${arn}, or correct the role in the EC2NodeClass`,
    evidence: { role: name, mapped: meant.name, consequence: 'never-joins' },
  };
}

/** An access entry that is wrong for several node classes is one finding, for the first of them. */
function judgeEntry(nodeRole: NodeClassRole, role: Role, entry: AccessEntry, all: readonly NodeClassRole[]): Judgement {
  const { entryType, resource } = entry;
  const needed = neededType(nodeRole);
  if (entryType === needed || entryType === ANY_SYSTEM) return undefined;
  if (hasUnknown(entryType)) return unknown('the type of its access entry is known only at deployment');
  if (!isSystemKnown(nodeRole) && TYPES_BY_SYSTEM.includes(entryType)) {
    return unknown(`the templates do not say whether its AMI is for ${entryType}`);
  }
  const alike = all.filter(
    (other) =>
      other.role === role &&
      neededType(other) === needed &&
      (isSystemKnown(other) || !TYPES_BY_SYSTEM.includes(entryType)),
  );
  if (alike[0].nodeClass !== nodeRole.nodeClass) return NOT_APPLICABLE;
  const names = alike.map(({ nodeClass }) => nodeClass.object.name);
  return {
    object: resource.object,
    path: ['Properties', 'Type'],
    message:
      `the access entry of node role ${role.resource.object.name} is ${entryType}, but nodes of ${names.length === 1 ? 'EC2NodeClass' : 'EC2NodeClasses'} ${shortListText(names)} need ${needed}: ` +
      'the cluster refuses them, and Karpenter keeps launching paid replacements',
    remedy: `write ${resource.tool === 'Terraform' ? `type = "${needed}"` : `Type: ${needed}`}, without access policies`,
    evidence: { role: role.name, type: entryType, needed, nodeClasses: names, consequence: 'never-joins' },
    fix: typeFix(resource, needed),
  };
}

/** Entries of nodes have no access policies. */
function typeFix({ object, tool }: AccessEntry['resource'], needed: string): FieldFix | undefined {
  const { AccessPolicies: policies } = asRecord(object.raw.Properties) ?? {};
  const removal = policies === undefined ? [] : [removeField(['Properties', 'AccessPolicies'])];
  return tool === 'Terraform' ? undefined : unsafeFix(setField(['Properties', 'Type'], needed), ...removal);
}

/** Whether an entry for nodes has a role that no instance can have. */
function isForNoNode({ entryType, principal }: AccessEntry, { roles }: AwsModel): boolean {
  if (entryType !== ANY_SYSTEM && !TYPES_BY_SYSTEM.includes(entryType)) return false;
  const trust = roles.find(({ arn }) => arn === principal)?.trust;
  return (
    trust?.every(({ principals }) => !principals.some((one) => /^Service:ec2\b/.test(one) || hasUnknown(one))) === true
  );
}

function foreignEntry(nodeRole: NodeClassRole, role: Role, entry: AccessEntry, { roles }: AwsModel): SubjectFinding {
  const { resource, entryType, principal } = entry;
  const other = roles.find(({ arn }) => arn === principal)!;
  return {
    object: resource.object,
    path: ['Properties', 'PrincipalArn'],
    message:
      `is an access entry of type ${entryType} for role ${other.resource.object.name}, which EC2 may not assume, and nodes of ` +
      `EC2NodeClass ${nodeRole.nodeClass.object.name} have role ${role.resource.object.name}: the cluster refuses them`,
    remedy: `write the ARN of role ${role.resource.object.name}`,
    evidence: { role: role.name, entry: other.name, consequence: 'never-joins' },
  };
}

function neededType({ nodeClass }: NodeClassRole): string {
  return accessEntryTypeOf(nodeClass.facts?.amiFamily ?? 'AL2023');
}

function judgeMapping(
  aws: AwsModel,
  objects: readonly ManifestObject[],
  nodeRole: NodeClassRole,
  role: Role,
  isWritten: boolean,
): Judgement {
  const mappings = roleMappings(objects);
  const mapping = mappings?.find(({ roleArn }) => roleArn === withoutPath(role));
  const modes = aws.clusters.map(({ authenticationMode }) => authenticationMode);
  if (mapping && !modes.includes('API')) return judgeGroups(nodeRole, role, mapping.groups);
  if (mappings?.some(({ roleArn }) => roleArn === role.arn) && !modes.includes('API'))
    return pathFailure(nodeRole, role);
  const [mode] = modes;
  if (aws.opaque.length > 0 && !isWritten) return unknown('an access entry for its role may be declared elsewhere');
  if (mode === 'API' || (mappings && modes.length === 1)) {
    return {
      path: nodeRole.path,
      message:
        `has role ${role.resource.object.name}, which the cluster does not authorise, because there is no access entry${mode === 'API' ? '' : ' or aws-auth mapping'} for it: ` +
        'nodes start but do not join',
      remedy:
        mode === 'CONFIG_MAP'
          ? `map the role in aws-auth with the groups ${listText(NODE_GROUPS)}`
          : `create an access entry for the role, of type ${accessEntryTypeOf(nodeRole.nodeClass.facts?.amiFamily ?? 'AL2023')}`,
      evidence: { role: role.name, authenticationMode: mode ?? null, consequence: 'never-joins' },
      severity: isWritten ? 'warning' : undefined,
      ...(isWritten
        ? {
            related: {
              object: aws.clusters[0].resource.object,
              path: ['Properties', 'AccessConfig'],
              label: 'only access entries let nodes join',
            },
          }
        : {}),
    };
  }
  return unknown(
    modes.length === 0
      ? 'the cluster is not in the templates'
      : 'aws-auth is not in the templates and may map its role',
  );
}

/**
 * Whether Terraform files have the cluster, which reads access entries only, and other nodes or entries of it, and no
 * module gets the role. Another configuration may still create an entry.
 */
function isWhole({ clusters, nodeGroups, accessEntries }: AwsModel, role: Role): boolean {
  const [cluster, ...others] = clusters;
  return (
    cluster !== undefined &&
    others.length === 0 &&
    cluster.authenticationMode === 'API' &&
    nodeGroups.length + accessEntries.length > 0 &&
    !nodeGroups.some((group) => mayBe(group.role, role)) &&
    !role.otherPolicies.some((arn) => arn.includes('${module.'))
  );
}

/** Whether a text may be the ARN of the role at deployment. References to two roles of Terraform are two ARNs. */
function mayBe(arn: string, role: Role): boolean {
  const isReference = /^\$\{aws_iam_role\.[\w-]+(?:\[[^\]]*\])?\.arn\}$/.test(arn);
  return sameText(arn, role.arn) === 'unknown' && !isReference;
}

function judgeGroups(nodeRole: NodeClassRole, role: Role, groups: readonly string[]): Judgement {
  const windows = nodeRole.nodeClass.facts?.amiFamily.startsWith('Windows') ? [WINDOWS_NODE_GROUP] : [];
  const missing = [...NODE_GROUPS, ...windows].filter((group) => !groups.includes(group));
  if (missing.length === 0) return undefined;
  return {
    path: nodeRole.path,
    message: `has role ${role.resource.object.name}, which aws-auth maps without ${listText(missing)}: nodes start but do not join`,
    remedy: `add ${listText(missing)} to the groups of its mapping`,
    evidence: { role: role.name, missing, consequence: 'never-joins' },
  };
}

/** Whether the class's AMI family determines the operating system. A custom or unresolved AMI may have any. */
function isSystemKnown({ nodeClass: { facts } }: NodeClassRole): boolean {
  return facts !== undefined && facts.amiFamily !== 'Custom';
}

/**
 * The role's ARN as aws-auth needs it, without the path: nodes authenticate with an assumed-role ARN, which has no
 * path.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/auth-configmap.html
 */
function withoutPath({ arn, name }: Role): string {
  return `${arn.slice(0, arn.indexOf(':role/'))}:role/${name}`;
}

function pathFailure({ path }: NodeClassRole, role: Role): SubjectFinding {
  return {
    path,
    message: `has role ${role.resource.object.name}, which aws-auth maps by an ARN with a path: nodes authenticate without the path, so they do not join`,
    remedy: `map ${readable(withoutPath(role))}, or create an access entry for the role`,
    evidence: { role: role.name, mapped: readable(role.arn), consequence: 'never-joins' },
  };
}
