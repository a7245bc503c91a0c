import { mappedNodes } from './mapped-roles';
import { NodeClassRole } from './node-roles';
import { asRecord, setField, unsafeFix } from '../../../contract';
import { valueText } from '../../../model';
import { EksctlCluster, eksctlClusters } from '../../cluster/node-groups';
import { findUnresolved } from '../../manifest/find-unresolved';
import { ManifestObject } from '../../manifest/model';
import { PlainRecord, recordsOf, stringOrUndefined } from '../../manifest/records';
import { Judgement, Subject, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';

/** The only cluster of the input, if eksctl installs Karpenter in it. */
function clusterOf(objects: readonly ManifestObject[]): EksctlCluster | undefined {
  const [cluster, ...others] = eksctlClusters(objects);
  const isKnown = cluster !== undefined && others.length === 0 && findUnresolved(cluster.object.name) === undefined;
  return isKnown && asRecord(cluster.object.raw.karpenter) ? cluster : undefined;
}

export function isByEksctl(objects: readonly ManifestObject[]): boolean {
  return clusterOf(objects) !== undefined;
}

/** Node classes with an instance profile instead of a role, if eksctl creates the profile. */
export function profilesOfEksctl({ model }: RuleContext): Array<Subject<NodeClassRole>> {
  if (!isByEksctl(model.objects)) return [];
  return model.nodeClasses.flatMap((nodeClass) => {
    const spec = asRecord(nodeClass.object.raw.spec) ?? {};
    const name = stringOrUndefined(spec.instanceProfile);
    const isDeclared = model.aws.instanceProfiles.some((profile) => profile.name === name);
    if (name === undefined || spec.role !== undefined || isDeclared) return [];
    return [{ object: nodeClass.object, facts: { nodeClass, path: ['spec', 'instanceProfile'], name } }];
  });
}

/**
 * The role of nodes and the instance profile that eksctl creates for Karpenter. It maps the role in aws-auth.
 *
 * @see https://docs.aws.amazon.com/eks/latest/eksctl/eksctl-karpenter.html
 * @returns undefined if the name is that of eksctl, or of another role that may join
 */
export function judgeOfEksctl(nodeRole: NodeClassRole, objects: readonly ManifestObject[]): Judgement {
  const cluster = clusterOf(objects);
  if (cluster === undefined || findUnresolved(nodeRole.name) !== undefined) return undefined;
  const { object } = cluster;
  const isProfile = nodeRole.path.includes('instanceProfile');
  const profile = asRecord(object.raw.karpenter)?.defaultInstanceProfile;
  const own = isProfile
    ? valueText(profile ?? `eksctl-KarpenterNodeInstanceProfile-${object.name}`)
    : `eksctl-KarpenterNodeRole-${object.name}`;
  if (nodeRole.name === own) return withoutEntry(object, objects);
  const isMeant = nodeRole.name.includes('KarpenterNode');
  if (isProfile && !isMeant) return undefined;
  if (!isProfile && (mappedNodes(objects).some(({ name }) => name === nodeRole.name) || isOfGroup(nodeRole, object)))
    return undefined;
  return otherName(nodeRole, own, object, isMeant);
}

function otherName(
  { path, name }: NodeClassRole,
  own: string,
  cluster: ManifestObject,
  isMeant: boolean,
): SubjectFinding {
  const what = path.includes('instanceProfile') ? 'instance profile' : 'role';
  return {
    path,
    message:
      `has ${what} ${name}, but eksctl, which installs Karpenter in cluster ${cluster.name}, creates the ${what} ${own}, ` +
      'and lets only nodes of its own role join: the node class does not become ready, or its nodes do not join',
    remedy: `write ${own}${what === 'role' ? `, or map role ${name} in iamIdentityMappings` : ''}`,
    evidence: { [what === 'role' ? 'role' : 'instanceProfile']: name, created: own, consequence: 'never-joins' },
    severity: isMeant ? undefined : 'warning',
    fix: unsafeFix(setField(path, own)),
    related: { object: cluster, path: ['karpenter'], label: `creates ${own}` },
  };
}

/** Without aws-auth, no access entry lets the nodes join: eksctl writes aws-auth only. */
function withoutEntry(object: ManifestObject, objects: readonly ManifestObject[]): SubjectFinding | undefined {
  const role = `eksctl-KarpenterNodeRole-${object.name}`;
  const { authenticationMode, accessEntries } = asRecord(object.raw.accessConfig) ?? {};
  const isAdmitted =
    recordsOf(accessEntries).some(
      ({ principalARN }) => principalARN === undefined || valueText(principalARN).endsWith(`/${role}`),
    ) || objects.some(({ raw }) => asRecord(raw.spec)?.principalARN !== undefined);
  if (authenticationMode !== 'API' || isAdmitted) return undefined;
  const path = ['accessConfig', 'authenticationMode'];
  return {
    object,
    path,
    message:
      `authenticationMode is API, so that the cluster does not read aws-auth, where eksctl maps role ${role} of Karpenter's nodes, ` +
      'and no access entry has the role: nodes start and cost money but do not join',
    remedy: `write API_AND_CONFIG_MAP, or add an access entry of type EC2_LINUX for role ${role}`,
    evidence: { role, authenticationMode: 'API', consequence: 'never-joins' },
    fix: unsafeFix(setField(path, 'API_AND_CONFIG_MAP')),
    related: { object, path: ['karpenter'], label: 'eksctl maps the role of its nodes in aws-auth' },
  };
}

/** EKS lets nodes of a managed node group's role join. */
function isOfGroup({ name }: NodeClassRole, { raw }: ManifestObject): boolean {
  const groups = [raw.managedNodeGroups, raw.nodeGroups].flatMap(recordsOf) as PlainRecord[];
  return groups.some((group) => {
    const { instanceRoleName, instanceRoleARN } = asRecord(group.iam) ?? {};
    return instanceRoleName === name || valueText(instanceRoleARN ?? '').endsWith(`/${name}`);
  });
}
