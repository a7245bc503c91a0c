import { controllerRoles } from './private/karpenter-role';
import { NodeRole, nodeRoles, whyUnknown } from './private/node-roles';
import { fail, notEvaluated, pass } from './private/outcome';
import { joinNames } from './private/wording';
import { Outcome, Rule, RuleContext, Severity } from './rule';
import { AwsModel, Role } from '../template';

interface NeededPolicy { readonly what: string; readonly arn: RegExp; readonly remedy: string }

const NEEDED: readonly NeededPolicy[] = [
  { what: 'no policy to join a cluster', arn: /\/AmazonEKSWorkerNode(Minimal)?Policy$/, remedy: 'AmazonEKSWorkerNodePolicy' },
  { what: 'none to pull images', arn: /\/AmazonEC2ContainerRegistry(PullOnly|ReadOnly|PowerUser|FullAccess)$/, remedy: 'AmazonEC2ContainerRegistryPullOnly' },
];
const CNI: NeededPolicy = { what: 'none for the addresses of pods', arn: /\/AmazonEKS_CNI_Policy$/, remedy: 'AmazonEKS_CNI_Policy' };
const EVERYTHING = /\/(AdministratorAccess|PowerUserAccess)$/;

/** @see https://karpenter.sh/docs/troubleshooting/#node-notready */
export class ControllerRoleUsedAsNodeRole implements Rule {
  public readonly id = 'KARP-603';
  public readonly name = 'controller-role-used-as-node-role';
  public readonly severity = 'error';
  public readonly summary = 'The role of a node class is no role for nodes: it is the controller\'s, EC2 may not take it, or it lacks what a node needs to join.';

  public check(context: RuleContext): Outcome[] {
    const { nodeClasses, aws } = context.model;
    if (!aws.given) return [];
    const controllers = controllerRoles(context).map(({ role }) => role.name);
    return nodeRoles(nodeClasses, aws).map((nodeRole) => {
      if (controllers.includes(nodeRole.name)) return this.finding(nodeRole, 'is the role of the Karpenter controller: nodes start, and never join', 'make a role for the nodes, and name it here');
      return nodeRole.role ? this.checkRole(aws, nodeRole, nodeRole.role) : notEvaluated(nodeRole.nodeClass.object, whyUnknown(nodeRole));
    });
  }

  private checkRole(aws: AwsModel, nodeRole: NodeRole, role: Role): Outcome {
    const trusted = role.trust?.some(({ allows, principals }) => allows && principals.some((principal) => /^Service:ec2\./.test(principal)));
    if (trusted === false) {
      return this.finding(nodeRole, `is role ${role.resource.object.name}, which EC2 may not take: no instance can be launched with it`, 'trust the service ec2.amazonaws.com in its AssumeRolePolicyDocument');
    }
    const { otherPolicies } = role;
    const lacking = (needed: NeededPolicy) => !otherPolicies.some((arn) => needed.arn.test(arn) || EVERYTHING.test(arn));
    const missing = NEEDED.filter(lacking);
    const cni = lacking(CNI) && !cniHasOwnRole(aws) ? [CNI] : [];
    if (missing.length + cni.length === 0) return pass(nodeRole.nodeClass.object);
    if (role.policies.length > 0 || otherPolicies.some((arn) => !arn.includes(':iam::aws:policy/'))) {
      return notEvaluated(nodeRole.nodeClass.object, `role ${role.resource.object.name} has policies of its own, which may allow what a node needs`);
    }
    const all = [...missing, ...cni];
    // The CNI may have a role of its own that the templates do not show.
    const severity = missing.length > 0 ? undefined : 'warning';
    return this.finding(nodeRole, `is role ${role.resource.object.name}, with ${joinNames(all.map(({ what }) => what))}: nodes start, and never become ready`,
      `attach ${joinNames(all.map(({ remedy }) => remedy))} to it`, severity);
  }

  private finding({ nodeClass, path, name }: NodeRole, message: string, remedy: string, severity?: Severity): Outcome {
    return fail({ object: nodeClass.object, path, message: `spec.role ${message}`, remedy, evidence: { role: name }, severity });
  }
}

function cniHasOwnRole({ podIdentityAssociations, addons, manifests }: AwsModel): boolean {
  return podIdentityAssociations.some(({ serviceAccount }) => serviceAccount === 'aws-node')
    || addons.some(({ name, resource }) => name === 'vpc-cni' && (resource.properties.ServiceAccountRoleArn !== undefined || resource.properties.PodIdentityAssociations !== undefined))
    || manifests.some(({ objects }) => objects.some(({ kind, name }) => kind === 'ServiceAccount' && name === 'aws-node'));
}
