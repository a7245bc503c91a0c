import { listText } from '../../../model';
import { defineRule, Judgement, unknown, SubjectFinding } from '../define-rule';
import { NodeClassRole, whyRoleUnknown, rolesOfNodes } from './node-roles';
import { AwsModel, hasUnknown, Role } from '../../template';
import { controllerRoles } from '../common/controller-identity';
import { Severity } from '../rule';

interface NeededPolicy {
  readonly purpose: string;
  readonly arn: RegExp;
  readonly remedy: string;
}

const NEEDED_POLICIES: readonly NeededPolicy[] = [
  { purpose: 'to join a cluster', arn: /\/AmazonEKSWorkerNode(Minimal)?Policy$/, remedy: 'AmazonEKSWorkerNodePolicy' },
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
      );
    return nodeRole.role ? judgeRole(context.model.aws, nodeRole, nodeRole.role) : unknown(whyRoleUnknown(nodeRole));
  },
});

function judgeRole(aws: AwsModel, nodeRole: NodeClassRole, role: Role): Judgement {
  const trusted = role.trust?.some(
    ({ allows, principals }) =>
      allows && principals.some((principal) => /^Service:ec2\./.test(principal) || hasUnknown(principal)),
  );
  if (trusted === false) {
    return finding(
      nodeRole,
      `is role ${role.resource.object.name}, which EC2 may not assume: no instance can be launched with it`,
      `trust the service ec2.amazonaws.com in its ${role.resource.tool === 'Terraform' ? 'assume_role_policy' : 'AssumeRolePolicyDocument'}`,
    );
  }
  const { otherPolicies } = role;
  const isMissing = (needed: NeededPolicy) =>
    !otherPolicies.some((arn) => needed.arn.test(arn) || ALLOWS_EVERYTHING.test(arn));
  const missing = NEEDED_POLICIES.filter(isMissing);
  const cni = isMissing(CNI) && !cniHasOwnRole(aws) ? [CNI] : [];
  if (missing.length + cni.length === 0) return undefined;
  if (role.policies.length > 0 || otherPolicies.some((arn) => !arn.includes(':iam::aws:policy/'))) {
    return unknown(`role ${role.resource.object.name} has customer policies that may allow what a node needs`);
  }
  const all = [...missing, ...cni];
  // The CNI may have its own role, declared outside the templates.
  const severity = missing.length > 0 ? undefined : 'warning';
  return finding(
    nodeRole,
    `is role ${role.resource.object.name}, which has no policy ${listText(
      all.map(({ purpose }) => purpose),
      'or',
    )}: nodes start but do not become ready`,
    `attach ${listText(all.map(({ remedy }) => remedy))} to it`,
    severity,
  );
}

function finding({ path, name }: NodeClassRole, message: string, remedy: string, severity?: Severity): SubjectFinding {
  return {
    path,
    message: `spec.role ${message}`,
    remedy,
    evidence: { role: name },
    severity,
  };
}

function cniHasOwnRole({ podIdentityAssociations, addons, manifests }: AwsModel): boolean {
  return (
    podIdentityAssociations.some(({ serviceAccount }) => serviceAccount === 'aws-node') ||
    addons.some(
      ({ name, resource }) =>
        name === 'vpc-cni' &&
        (resource.properties.ServiceAccountRoleArn !== undefined ||
          resource.properties.PodIdentityAssociations !== undefined),
    ) ||
    manifests.some(({ objects }) => objects.some(({ kind, name }) => kind === 'ServiceAccount' && name === 'aws-node'))
  );
}
