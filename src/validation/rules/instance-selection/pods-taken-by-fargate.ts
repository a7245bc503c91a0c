import { countText, shortListText, valueText } from '../../../model';
import { eksctlClusters } from '../../cluster/node-groups';
import { ManifestObject, WorkloadManifest } from '../../manifest/model';
import { recordsOf, stringMapOf } from '../../manifest/records';
import { allOf, Answer, covers } from '../../template';
import { defineRule, NOT_APPLICABLE } from '../define-rule';
import { RuleContext } from '../rule';
import { subjectsFrom } from '../subjects';

interface ProfileSelector {
  readonly namespace: string;
  readonly labels: Readonly<Record<string, string>>;
}

interface Profile {
  readonly object: ManifestObject;
  readonly path: readonly (string | number)[];
  readonly name: string;
  readonly selectors: readonly ProfileSelector[];
}

/**
 * EKS gives such pods its own scheduler when they are created, so that Karpenter does not see them.
 *
 * @see https://docs.aws.amazon.com/eks/latest/userguide/fargate-profile.html
 */
export const podsTakenByFargate = defineRule({
  id: 'KARP-271',
  name: 'pods-taken-by-fargate',
  severity: 'warning',
  readsTerraform: true,
  summary:
    'A Fargate profile selects pods that are planned on nodes of Karpenter: EKS runs them on Fargate, or they stay Pending.',
  subjects: subjectsFrom<Profile>(profilesOf, { where: (_, { model }) => model.nodePools.length > 0 }),
  judge({ path, name, selectors }, context) {
    const taken = context.model.workloads.filter(
      (workload) => isPlanned(workload, context) && selectors.some((selector) => selects(selector, workload) === 'yes'),
    );
    if (taken.length === 0) return NOT_APPLICABLE;
    const stuck = taken.filter(needsNode);
    const pods = taken.reduce((sum, { replicas }) => sum + replicas, 0);
    const names = (all: readonly WorkloadManifest[]) =>
      shortListText(all.map((one) => `${one.kind} ${one.namespace}/${one.name}`));
    return {
      path,
      message:
        `Fargate profile ${name} selects ${countText(pods, 'pod')} of ${names(taken)}: EKS gives them its scheduler for Fargate, and Karpenter launches no node for them` +
        (stuck.length === 0
          ? ', although the plan counts them'
          : `; those of ${names(stuck)} require labels or devices that Fargate does not have, and stay Pending`),
      remedy: 'select other namespaces or labels in the Fargate profile, or none of these pods',
      evidence: {
        profile: name,
        workloads: taken.map((one) => `${one.namespace}/${one.name}`),
        pods,
        stuck: stuck.length,
      },
      ...(stuck.length === 0 ? {} : { severity: 'error' as const }),
    };
  },
});

function isPlanned({ group }: WorkloadManifest, { plan }: RuleContext): boolean {
  return group !== undefined && plan.nodeClaims.some(({ groups }) => (groups.get(group) ?? 0) > 0);
}

/** Whether the pods select nodes by labels, or request devices. */
function needsNode({ shape }: WorkloadManifest): boolean {
  if (shape === undefined) return false;
  const { nodeSelector, requiredNodeAffinity, requests } = shape;
  return (
    Object.keys(nodeSelector).some((key) => !key.startsWith('kubernetes.io/')) ||
    requiredNodeAffinity.length > 0 ||
    [...requests.keys()].some((resource) => resource.includes('/'))
  );
}

/** Values may have wildcards. */
function selects({ namespace, labels }: ProfileSelector, workload: WorkloadManifest): Answer {
  return allOf([
    covers(namespace, workload.namespace),
    ...Object.entries(labels).map(
      ([key, value]): Answer => (workload.podLabels[key] === undefined ? 'no' : covers(value, workload.podLabels[key])),
    ),
  ]);
}

function profilesOf({ model }: RuleContext): Profile[] {
  const ofTemplates = model.aws.fargateProfiles.map(({ resource: { object, id }, path, selectors }) => ({
    object,
    path,
    name: id,
    selectors,
  }));
  const ofEksctl = eksctlClusters(model.objects).flatMap(({ object }) =>
    recordsOf(object.raw.fargateProfiles).map((profile, index) => ({
      object,
      path: ['fargateProfiles', index],
      name: String(profile.name ?? index),
      selectors: recordsOf(profile.selectors).map((selector) => ({
        namespace: valueText(selector.namespace ?? ''),
        labels: stringMapOf(selector.labels),
      })),
    })),
  );
  return [...ofTemplates, ...ofEksctl];
}
