import { listText, shortListText } from '../../../model';
import { hasIpv6 } from '../../context/vpc-cni';
import { ManifestModel } from '../../manifest/model';
import { hasUnknown, Role } from '../../template';
import { LaunchBlocker } from '../../vocabulary/verdict';
import { controllerRoles } from '../common/controller-identity';
import { defineRule, Judgement, SubjectFinding, unknown } from '../define-rule';
import { hasOtherCni } from '../instance-selection/addresses/pod-addresses';
import { RuleContext } from '../rule';
import { NodeClassRole, nodeRoles, rolesOfNodes, whyRoleUnknown } from './node-roles';

interface NeededPolicy {
  readonly purpose: string;
  readonly arn: RegExp;
  readonly remedy: string;
}

const WORKER: NeededPolicy = {
  purpose: 'to join a cluster',
  arn: /\/AmazonEKSWorkerNode(Minimal)?Policy$/,
  remedy: 'AmazonEKSWorkerNodePolicy',
};
const NEEDED_POLICIES: readonly NeededPolicy[] = [
  WORKER,
  {
    purpose: 'to pull images',
    arn: /\/AmazonEC2ContainerRegistry(PullOnly|ReadOnly|PowerUser|FullAccess)$/,
    remedy: 'AmazonEC2ContainerRegistryPullOnly',
  },
];
const CNI: NeededPolicy = {
  purpose: 'to assign pod IP addresses',
  arn: /\/AmazonEKS_CNI_Policy$/,
  remedy: 'AmazonEKS_CNI_Policy',
};
const ALLOWS_EVERYTHING = /\/(AdministratorAccess|PowerUserAccess)$/;

/** @see https://karpenter.sh/docs/troubleshooting/#node-notready */
export const controllerRoleUsedAsNodeRole = defineRule({
  id: 'KARP-603',
  name: 'controller-role-used-as-node-role',
  readsTerraform: true,
  severity: 'error',
  summary:
    "The role of a node class does not work for nodes: it is the controller's role, EC2 may not assume it, or it lacks the node policies.",
  subjects: rolesOfNodes({ where: (_, { model }) => model.aws.hasTemplates }),
  judge(nodeRole, context) {
    const controllers = controllerRoles(context).map(({ role }) => role.name);
    if (controllers.includes(nodeRole.name))
      return finding(
        nodeRole,
        'is the role of the Karpenter controller: nodes start but do not join the cluster',
        'create a role for the nodes and name it here',
        'never-joins',
      );
    return nodeRole.role ? judgeRole(context, nodeRole, nodeRole.role) : unknown(whyRoleUnknown(nodeRole));
  },
});

function judgeRole(context: RuleContext, nodeRole: NodeClassRole, role: Role): Judgement {
  const { model } = context;
  const trusted = role.trust?.some(
    ({ allows, principals }) =>
      allows && principals.some((principal) => /^Service:ec2\./.test(principal) || mayBeAnyService(principal)),
  );
  if (trusted === false) {
    return finding(
      nodeRole,
      `is role ${role.resource.object.name}, which EC2 may not assume: no instance can be launched with it`,
      `trust the service ec2.amazonaws.com in its ${role.resource.tool === 'Terraform' ? 'assume_role_policy' : 'AssumeRolePolicyDocument'}`,
      'launch-fails',
    );
  }
  const { otherPolicies } = role;
  const isMissing = (needed: NeededPolicy) =>
    !otherPolicies.some((arn) => needed.arn.test(arn) || ALLOWS_EVERYTHING.test(arn));
  const missing = NEEDED_POLICIES.filter(isMissing);
  const cni = isMissing(CNI) && !cniHasOwnRole(model) ? [CNI] : [];
  if (missing.length + cni.length === 0) return undefined;
  if (role.policies.length > 0 || otherPolicies.some((arn) => !arn.includes(':iam::aws:policy/'))) {
    return unknown(`role ${role.resource.object.name} has customer policies that may allow what a node needs`);
  }
  const alike = rolesOfAll(context).filter(({ name }) => name === nodeRole.name);
  // Several classes with one role have one cause.
  if (alike[0].nodeClass !== nodeRole.nodeClass) return undefined;
  const all = [...missing, ...cni];
  const nodeClasses = alike.map(({ nodeClass }) => nodeClass.object.name);
  return {
    object: role.resource.object,
    path: [],
    message: `has no policy ${listText(
      all.map(({ purpose }) => purpose),
      'or',
    )}, and nodes of EC2NodeClass ${shortListText(nodeClasses)} have this role: they start but do not become ready`,
    remedy: `attach ${listText(all.map(({ remedy }) => remedy))} to it`,
    evidence: {
      role: nodeRole.name,
      nodeClasses,
      ...(missing.includes(WORKER)
        ? { consequence: 'never-joins' }
        : { stuckPools: poolsOfClasses(model, nodeClasses) }),
    },
    // The CNI may have its own role, declared outside the templates.
    severity: missing.length > 0 || mayOnlyHave(model) ? undefined : 'warning',
    related: { object: nodeRole.nodeClass.object, path: nodeRole.path, label: 'gives the role to nodes' },
  };
}

function rolesOfAll({ model }: RuleContext): NodeClassRole[] {
  return nodeRoles(model.nodeClasses, model.aws);
}

function poolsOfClasses({ nodePools }: ManifestModel, nodeClasses: readonly string[]): string[] {
  return nodePools.flatMap(({ object, spec }) => (nodeClasses.includes(spec?.nodeClass ?? '') ? [object.name] : []));
}

/** Whether the input makes the cluster and its add-ons, and no other CNI. */
function mayOnlyHave(model: ManifestModel): boolean {
  const { clusters, addons } = model.aws;
  return clusters.length === 1 && addons.length > 0 && !hasOtherCni(model) && !hasIpv6(model);
}

function finding(
  { path, name }: NodeClassRole,
  message: string,
  remedy: string,
  consequence: LaunchBlocker['consequence'],
): SubjectFinding {
  return { path, message: `spec.role ${message}`, remedy, evidence: { role: name, consequence } };
}

function cniHasOwnRole({ aws, objects }: ManifestModel): boolean {
  const { podIdentityAssociations, addons, manifests, roles } = aws;
  return (
    [...roles.map(({ resource }) => resource.properties), ...objects.map(({ raw }) => raw)].some(givesRoleToCni) ||
    podIdentityAssociations.some(({ serviceAccount }) => serviceAccount === 'aws-node') ||
    addons.some(
      ({ name, resource }) =>
        name === 'vpc-cni' &&
        (resource.properties.ServiceAccountRoleArn !== undefined ||
          resource.properties.PodIdentityAssociations !== undefined),
    ) ||
    manifests.some((one) => one.objects.some(({ kind, name }) => kind === 'ServiceAccount' && name === 'aws-node'))
  );
}

/** A trust of IRSA, an annotation of a service account, or an entry of eksctl. */
function givesRoleToCni(raw: unknown): boolean {
  const text = JSON.stringify(raw) ?? '';
  return /aws-node|vpc-cni/.test(text) && /role-arn|RoleARN|CNI_Policy|:kube-system:aws-node/.test(text);
}

/** Only the name of the service decides, and not the domain behind it, as in `eks.${AWS::URLSuffix}`. */
function mayBeAnyService(principal: string): boolean {
  return hasUnknown(principal) && !/^Service:[\w-]+\./.test(principal);
}
