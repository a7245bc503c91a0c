import { asRecord, COMPUTE_TYPE, EBS_PROVISIONERS, SYSTEM_DAEMON_SETS, SystemDaemonSet } from '../../contract';
import { formatAmount, Label, merge, parseResourceList, RequirementSpec } from '../../model';
import { DaemonSetSpec } from '../../scheduling';
import { CheckOptions } from '../check-options';
import { eksctlClusters } from '../cluster/node-groups';
import { isAutoMode } from '../eks-auto-mode';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../manifest/model';

/**
 * The DaemonSets of EKS that neither the manifests nor the cluster files contain. A list of the cluster's DaemonSets is
 * taken to be complete.
 */
export function assumedDaemonSets(model: ManifestModel, { systemDaemonSets }: CheckOptions): DaemonSetSpec[] {
  if (systemDaemonSets !== 'eks' || !hasNodes(model)) return [];
  const { cluster } = model;
  if ([...(cluster?.objects ?? []), ...(cluster?.replacedObjects ?? [])].some(isDaemonSet)) return [];
  const inManifests = new Set(model.objects.filter(isDaemonSet).map(({ name }) => name));
  return SYSTEM_DAEMON_SETS.filter(({ name }) => !inManifests.has(name))
    .filter((daemonSet) => daemonSet.isDefault || isUsed(daemonSet, model))
    .map(specOf);
}

/** One sentence for all assumed DaemonSets. */
export function systemDaemonSetAssumptions(model: ManifestModel, options: CheckOptions): string[] {
  const assumed = assumedDaemonSets(model, options);
  if (assumed.length === 0) return [];
  const names = joined(assumed.map(({ name }) => name));
  const amounts = [...merge(...assumed.map(({ shape }) => shape.requests))].map(
    ([resource, amount]) => `${formatAmount(resource, amount)} of ${resource}`,
  );
  const [are, them] = assumed.length === 1 ? ['is', 'it'] : ['are', 'them'];
  return [
    `${names} ${are} not in the input: each node is assumed to run ${them} as EKS installs ${them}` +
      `${amounts.length === 0 ? '' : `, with ${joined(amounts)}`} (--system-daemonsets none leaves ${them} out)`,
  ];
}

/** Whether there are nodes that run add-ons: not those of EKS Auto Mode. */
function hasNodes({ nodePools, cluster }: ManifestModel): boolean {
  return (
    [...nodePools, ...(cluster?.nodePools ?? [])].some((pool) => pool.spec && !isAutoMode(pool)) ||
    (cluster?.nodes.length ?? 0) > 0
  );
}

function isDaemonSet({ apiVersion, kind }: ManifestObject): boolean {
  return apiVersion === 'apps/v1' && kind === 'DaemonSet';
}

function isUsed({ name, namespace, addon }: SystemDaemonSet, model: ManifestModel): boolean {
  const { aws, cluster, objects } = model;
  return (
    cluster?.missingDaemonSets.includes(`${namespace}/${name}`) === true ||
    aws.addons.some((installed) => installed.name === addon) ||
    eksctlClusters(objects).some(({ addons }) => addons.includes(addon)) ||
    (addon === 'eks-pod-identity-agent' && usesPodIdentity(model)) ||
    (addon === 'aws-ebs-csi-driver' &&
      ([...objects, ...(cluster?.objects ?? [])].some(isOfEbs) || model.workloads.some(mountsEbs)))
  );
}

function usesPodIdentity({ aws, objects }: ManifestModel): boolean {
  return aws.podIdentityAssociations.length > 0 || objects.some(({ kind }) => kind === 'PodIdentityAssociation');
}

/** Whether the object is a StorageClass or a PersistentVolume of the EBS CSI driver. */
function isOfEbs({ kind, raw }: ManifestObject): boolean {
  const driver =
    kind === 'StorageClass'
      ? raw.provisioner
      : kind === 'PersistentVolume'
        ? asRecord(raw.spec?.csi)?.driver
        : undefined;
  return typeof driver === 'string' && EBS_PROVISIONERS.includes(driver);
}

function mountsEbs({ shape }: WorkloadManifest): boolean {
  const drivers = [...(shape?.volumes?.keys() ?? []), ...(shape?.mountedClaims?.values() ?? [])];
  return drivers.some((driver) => EBS_PROVISIONERS.includes(driver));
}

function specOf({ name, namespace, requests, architectures }: SystemDaemonSet): DaemonSetSpec {
  const onNodes: RequirementSpec[] = [
    { key: Label.OS, operator: 'In', values: ['linux'] },
    ...(architectures ? [{ key: Label.ARCH, operator: 'In' as const, values: [...architectures] }] : []),
    { key: COMPUTE_TYPE.label, operator: 'NotIn', values: [...COMPUTE_TYPE.withoutAddons] },
  ];
  return {
    namespace,
    name,
    shape: {
      requests: parseResourceList(requests),
      nodeSelector: {},
      requiredNodeAffinity: [{ matchExpressions: onNodes }],
      preferredNodeAffinity: [],
      tolerations: [{ operator: 'Exists' }],
      notEvaluated: [],
    },
  };
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words[words.length - 1]}`;
}
