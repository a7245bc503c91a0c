import { POD_IDENTITY_AGENT } from '../../../contract';
import { installedCharts } from '../../controller';
import { ManifestObject } from '../../manifest/model';
import { PodIdentityAssociation, readable, sameText } from '../../template';
import { terminationHandlers } from '../../termination-handler';
import { identityOfController, identityOfServiceAccount, isControllerRole } from '../common/controller-identity';
import { defineRule, unknown, SubjectFinding } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsWith } from '../subjects';

const REMEDY = `install the add-on ${POD_IDENTITY_AGENT} in the cluster: an AWS::EKS::Addon, or ControllerIdentity.podIdentity({ installAgent: true }) on the construct Karpenter`;

/** @see https://docs.aws.amazon.com/eks/latest/userguide/pod-id-agent-setup.html */
export const podIdentityAgentMissing = defineRule({
  id: 'KARP-615',
  name: 'pod-identity-agent-missing',
  readsTerraform: true,
  severity: 'error',
  summary:
    'Karpenter or AWS Node Termination Handler gets its role through EKS Pod Identity, but the cluster has no agent: its pods get no credentials.',
  subjects: subjectsWith<PodIdentityAssociation>(({ resource }) => resource.object, associationsOf),
  judge(association, { model }) {
    const { aws, objects, cluster } = model;
    const name = readable(association.cluster);
    const addons = aws.addons
      .filter((addon) => sameText(addon.cluster, association.cluster) !== 'no')
      .map((addon) => sameText(addon.name, POD_IDENTITY_AGENT));
    const declared = aws.clusters.find((candidate) => sameText(candidate.name, association.cluster) === 'yes');
    const hasAgent =
      addons.includes('yes') ||
      declared?.autoMode ||
      installedCharts(model, POD_IDENTITY_AGENT).length > 0 ||
      [...objects, ...(cluster?.objects ?? [])].some(isAgent);
    if (hasAgent) return undefined;
    if (addons.includes('unknown')) return unknown(`which add-on cluster ${name} gets is known only at deployment`);
    if (cluster?.objects.some(isSystemPod))
      return finding(association, 'the cluster files have no pod of its agent', 'error');
    if (!declared) {
      return unknown(
        `whether cluster ${name} has the add-on ${POD_IDENTITY_AGENT} is not in the input; the pods of kube-system in cluster files would show it`,
      );
    }
    const isListed = aws === model.writtenAws && addons.length > 0;
    if (isListed && model.installedPrograms?.includes(POD_IDENTITY_AGENT)) return undefined;
    if (aws.opaque.length > 0 && !isListed)
      return unknown(`the add-on ${POD_IDENTITY_AGENT} may be in a part of the templates that cannot be read`);
    // The add-on may come from outside the templates.
    return finding(
      association,
      `${association.resource.tool === 'Terraform' ? 'Terraform creates' : 'the templates create'} cluster ${name} without the add-on ${POD_IDENTITY_AGENT}`,
      'warning',
    );
  },
});

function finding(
  { resource, path, namespace, serviceAccount, cluster }: PodIdentityAssociation,
  problem: string,
  severity: 'error' | 'warning',
): SubjectFinding {
  return {
    path: [...path, 'Properties', 'ClusterName'],
    message: `gives service account ${readable(namespace)}/${readable(serviceAccount)} its role through EKS Pod Identity, but ${problem}: its pods get no credentials`,
    remedy:
      resource.tool === 'Terraform'
        ? `add an aws_eks_addon with addon_name = "${POD_IDENTITY_AGENT}"; in terraform-aws-eks, addons = { ${POD_IDENTITY_AGENT} = { before_compute = true } }`
        : REMEDY,
    evidence: { cluster: readable(cluster), addon: POD_IDENTITY_AGENT },
    severity,
  };
}

/** The associations of Karpenter and of AWS Node Termination Handler. */
function associationsOf(context: RuleContext): PodIdentityAssociation[] {
  const { model } = context;
  const { aws } = model;
  const handlers = terminationHandlers(model).flatMap(({ namespace, settings }) =>
    settings?.mode === 'queue' ? [{ namespace, serviceAccount: settings.serviceAccount }] : [],
  );
  const identities = [
    ...context.controllers.map((controller) => identityOfController(context, controller)),
    ...handlers.map((handler) => identityOfServiceAccount(model, handler)),
  ];
  return aws.podIdentityAssociations.filter(
    (association) =>
      identities.some((identity) => identity?.association === association) ||
      isControllerRole(aws.roles.find(({ arn }) => arn === association.role)),
  );
}

/** Whether the object is the agent's DaemonSet, or one of its pods. */
function isAgent({ kind, name, raw }: ManifestObject): boolean {
  if (kind === 'DaemonSet') return name === POD_IDENTITY_AGENT;
  return (
    kind === 'Pod' &&
    (raw.metadata as { labels?: Record<string, unknown> } | undefined)?.labels?.['app.kubernetes.io/name'] ===
      POD_IDENTITY_AGENT
  );
}

function isSystemPod({ kind, namespace }: ManifestObject): boolean {
  return kind === 'Pod' && namespace === 'kube-system';
}
