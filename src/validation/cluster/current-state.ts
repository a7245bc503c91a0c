import { ClusterLog, objectIdentity } from './cluster-objects';
import { SnapshotPod } from './cluster-pod';
import { InjectedContainers, injectedContainers, injectionNotes } from './injected-containers';
import { SnapshotPdbLimits } from './pdb-limits';
import { PodControllers, PodOwners } from './pod-owners';
import { PodShapes } from './pod-shapes';
import { nodesWithoutNodeClaim, StateNode, stateNodes, unlaunchedNodeClaims } from './state-nodes';
import { asRecord } from '../../contract';
import { moreText } from '../../model';
import { DaemonSetSpec, ExistingNode, PodGroup, RunningPod } from '../../scheduling';
import { InitialCluster, ManifestObject } from '../manifest/model';
import { recordsOf } from '../manifest/records';
import { RelatedObjects } from '../manifest/workload/pod-shape';
import { daemonSetSpecOf, readWorkload } from '../manifest/workload/workload';

/** The pods that the manifests' workloads have in the cluster, by workload. */
export interface WorkloadsInCluster {
  /** Running pods that stay on their node. */
  readonly runningCounts: ReadonlyMap<ManifestObject, number>;
  /** Names of the running pods that stay on their node. */
  readonly runningNames: ReadonlyMap<ManifestObject, ReadonlySet<string>>;
  /** Pods that have completed successfully. */
  readonly succeededCounts: ReadonlyMap<ManifestObject, number>;
  /** The wanted count in the cluster: its pods, or `replicas` of the cluster's object, whichever is more. */
  readonly replicaCounts: ReadonlyMap<ManifestObject, number>;
  /** By Deployment: the `pod-template-hash` of its newest pod; new pods are assumed to have the same hash. */
  readonly templateHashes: ReadonlyMap<ManifestObject, string>;
  /** Containers that webhooks add to the pods of a workload. */
  readonly injected: ReadonlyMap<ManifestObject, InjectedContainers>;
  /** DaemonSets that have a pod. */
  readonly daemonSetsWithPods: ReadonlySet<ManifestObject>;
}

type CurrentState = Pick<InitialCluster, 'nodes' | 'pods' | 'daemonSets' | 'missingDaemonSets' | 'notes'> &
  WorkloadsInCluster;

/**
 * The cluster before the pods of the manifests are scheduled.
 *
 * @param workloads - the manifests' workloads: their pods are counted by workload, and pending ones are left to the
 * manifests
 */
export function readCurrentState(
  objects: readonly ManifestObject[],
  workloads: readonly ManifestObject[],
  related: RelatedObjects,
  log: ClusterLog,
): CurrentState {
  const shapes = new PodShapes(related, new PodControllers([...workloads, ...objects]), log);
  const owners = new PodOwners(workloads);
  const pdbLimits = new SnapshotPdbLimits(objects, log);
  const pods = objects
    .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Pod')
    .map((object) => new SnapshotPod(object));
  const nodes = stateNodes(objects);
  const deletedNodes = new Set(nodes.filter((node) => node.markedForDeletion).flatMap(({ node }) => node?.name ?? []));
  const rescheduled = new Set(
    pods.filter((pod) => deletedNodes.has(pod.nodeName) && pod.isReschedulable && !pdbLimits.isEvictionBlocked(pod)),
  );
  const cordonedNodes = new Set(nodes.filter((node) => node.cordoned).flatMap(({ node }) => node?.name ?? []));
  // A StatefulSet recreates a pod only after the old pod is deleted, and the new pod finds the room that the old pod
  // had.
  const keepsRoom = (pod: SnapshotPod) => pod.isOwnedBy('StatefulSet') && !cordonedNodes.has(pod.nodeName);
  const stays = (pod: SnapshotPod) =>
    pod.nodeName !== '' && !pod.isTerminal && (!pod.isTerminating || keepsRoom(pod)) && !rescheduled.has(pod);
  const daemonSets = objects.filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'DaemonSet');
  const pending = pods
    .filter((pod) => (pod.isProvisionable || rescheduled.has(pod)) && owners.ownerOf(pod) === undefined)
    .sort(byAge);
  const wanted = pods.filter((pod) => pod.isProvisionable || stays(pod) || rescheduled.has(pod));
  const podsOnNodes = podsByNode(pods.filter((pod) => !rescheduled.has(pod)));
  const volumeLimits = volumeLimitsByNode(objects);
  const daemonPods = newestDaemonPods(pods);
  const injected = injectedContainers(pods, owners, objects);
  return {
    nodes: nodes.flatMap((node) => existingNode(node, podsOnNodes, volumeLimits, shapes, log) ?? []),
    pods: pending.flatMap((pod) => podGroupOf(pod, shapes, rescheduled.has(pod)) ?? []),
    daemonSets: daemonSets.flatMap((object) => daemonSetOf(object, workloads, daemonPods, shapes, related, log) ?? []),
    missingDaemonSets: missingDaemonSets(pods, [...daemonSets, ...workloads]),
    runningCounts: countByOwner(pods.filter(stays), owners),
    runningNames: namesByOwner(pods.filter(stays), owners),
    replicaCounts: replicaCountsOf(workloads, objects, countByOwner(wanted, owners)),
    templateHashes: templateHashesOf(pods.filter(stays), owners),
    injected,
    daemonSetsWithPods: new Set(
      pods.filter((pod) => pod.isOwnedBy('DaemonSet')).flatMap((pod) => owners.ownerOf(pod) ?? []),
    ),
    succeededCounts: countByOwner(
      pods.filter(({ succeeded }) => succeeded),
      owners,
    ),
    notes: [
      ...unlaunchedNodeClaims(objects).map((name) => `NodeClaim ${name} has no instance yet and is ignored`),
      ...missingNodeClaimNotes(nodesWithoutNodeClaim(objects)),
      ...injectionNotes(injected),
    ],
  };
}

function existingNode(
  stateNode: StateNode,
  podsOnNodes: ReadonlyMap<string, readonly SnapshotPod[]>,
  volumeLimitsOfNodes: ReadonlyMap<string, ReadonlyMap<string, number>>,
  shapes: PodShapes,
  log: ClusterLog,
): ExistingNode | undefined {
  const allocatable = stateNode.amounts('allocatable', log);
  const capacity = stateNode.amounts('capacity', log);
  if (!allocatable || !capacity) return undefined;
  const { name, labels, taints, nodeObjectLabels, nodeObjectTaints, initialized, markedForDeletion, node } = stateNode;
  const pods = (podsOnNodes.get(node?.name ?? '') ?? []).flatMap((pod): RunningPod[] => {
    const shape = shapes.shapeOf(pod);
    return shape
      ? [
          {
            namespace: pod.namespace,
            name: pod.name,
            shape,
            daemon: pod.isOwnedBy('DaemonSet'),
            ...(pod.isTerminating ? { terminating: true } : {}),
          },
        ]
      : [];
  });
  const volumeLimits = node && volumeLimitsOfNodes.get(node.name);
  return {
    name,
    labels,
    taints,
    ...(nodeObjectLabels ? { nodeObjectLabels } : {}),
    ...(initialized ? {} : { nodeObjectTaints }),
    allocatable,
    capacity,
    initialized,
    ...(markedForDeletion ? { markedForDeletion } : {}),
    ...(node ? {} : { claimOnly: true }),
    pods,
    ...(volumeLimits ? { volumeLimits } : {}),
  };
}

function podsByNode(pods: readonly SnapshotPod[]): Map<string, SnapshotPod[]> {
  const result = new Map<string, SnapshotPod[]>();
  for (const pod of pods) {
    if (pod.nodeName === '' || pod.isTerminal) continue;
    const nodePods = result.get(pod.nodeName);
    if (nodePods) nodePods.push(pod);
    else result.set(pod.nodeName, [pod]);
  }
  return result;
}

/** Volume limits by CSI driver, by the name of the node. */
function volumeLimitsByNode(objects: readonly ManifestObject[]): Map<string, Map<string, number>> {
  const csiNodes = objects.filter(({ apiVersion, kind }) => apiVersion === 'storage.k8s.io/v1' && kind === 'CSINode');
  return new Map(
    csiNodes.map(({ name, raw }) => [
      name,
      new Map(
        recordsOf(raw.spec?.drivers).flatMap((driver) => {
          const count = asRecord(driver.allocatable)?.count;
          return typeof driver.name === 'string' && typeof count === 'number' ? [[driver.name, count] as const] : [];
        }),
      ),
    ]),
  );
}

function podGroupOf(pod: SnapshotPod, shapes: PodShapes, rescheduled: boolean): PodGroup | undefined {
  const shape = shapes.shapeOf(pod);
  return (
    shape && {
      namespace: pod.namespace,
      name: pod.name,
      count: 1,
      shape,
      bare: true,
      age: pod.age,
      ...(rescheduled ? { rescheduled } : {}),
    }
  );
}

/** The newest pod of each DaemonSet, by namespace and name. */
function newestDaemonPods(pods: readonly SnapshotPod[]): Map<string, SnapshotPod> {
  const newest = new Map<string, SnapshotPod>();
  for (const pod of pods) {
    const owner = pod.owners.find(({ kind }) => kind === 'DaemonSet');
    const key = `${pod.namespace}/${owner?.name}`;
    const latest = newest.get(key);
    if (owner && (latest === undefined || pod.createdAt > latest.createdAt)) newest.set(key, pod);
  }
  return newest;
}

/**
 * A DaemonSet without a manifest. If it has pods, Karpenter plans with the newest one, but with the node affinity of
 * the template, because the DaemonSet controller replaces that of pods.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/controllers/provisioning/provisioner.go getDaemonSetPods
 */
function daemonSetOf(
  object: ManifestObject,
  workloads: readonly ManifestObject[],
  daemonPods: ReadonlyMap<string, SnapshotPod>,
  shapes: PodShapes,
  related: RelatedObjects,
  log: ClusterLog,
): DaemonSetSpec | undefined {
  if (workloads.some((workload) => isSame(workload, object))) return undefined;
  const pod = daemonPods.get(`${object.namespace ?? 'default'}/${object.name}`);
  const workload = readWorkload(object, log, related, { hasDaemonPod: pod !== undefined });
  const daemonSet = daemonSetSpecOf(workload);
  const podShape = pod && shapes.shapeOf(pod);
  if (!daemonSet || !podShape) return daemonSet;
  const { requiredNodeAffinity } = daemonSet.shape;
  return {
    ...daemonSet,
    shape: { ...podShape, requiredNodeAffinity, preferredNodeAffinity: [], notEvaluated: [], ignored: undefined },
  };
}

function isSame(left: ManifestObject, right: ManifestObject): boolean {
  return (
    left.kind === right.kind &&
    (left.namespace ?? 'default') === (right.namespace ?? 'default') &&
    left.name === right.name
  );
}

function countByOwner(pods: readonly SnapshotPod[], owners: PodOwners): Map<ManifestObject, number> {
  const result = new Map<ManifestObject, number>();
  for (const owner of pods.flatMap((pod) => owners.ownerOf(pod) ?? [])) result.set(owner, (result.get(owner) ?? 0) + 1);
  return result;
}

/** During a rollout a workload has more pods than it wants, because the pods of both templates count. */
function replicaCountsOf(
  workloads: readonly ManifestObject[],
  objects: readonly ManifestObject[],
  podCounts: ReadonlyMap<ManifestObject, number>,
): Map<ManifestObject, number> {
  const clusterObjects = new Map(objects.map((object) => [objectIdentity(object), object]));
  return new Map(
    workloads.flatMap((workload) => {
      const wanted = asRecord(clusterObjects.get(objectIdentity(workload))?.raw.spec)?.replicas;
      const counts = [podCounts.get(workload), wanted].filter((count): count is number => typeof count === 'number');
      return counts.length === 0 ? [] : [[workload, Math.max(...counts)] as const];
    }),
  );
}

function namesByOwner(pods: readonly SnapshotPod[], owners: PodOwners): Map<ManifestObject, Set<string>> {
  const names = new Map<ManifestObject, Set<string>>();
  for (const pod of pods) {
    const owner = owners.ownerOf(pod);
    if (owner) names.set(owner, (names.get(owner) ?? new Set()).add(pod.name));
  }
  return names;
}

function templateHashesOf(pods: readonly SnapshotPod[], owners: PodOwners): Map<ManifestObject, string> {
  return new Map(
    [...pods].sort(byAge).flatMap((pod) => {
      const owner = owners.ownerOf(pod);
      const hash = pod.labels['pod-template-hash'];
      return owner && hash !== undefined ? [[owner, hash] as const] : [];
    }),
  );
}

function missingNodeClaimNotes(nodes: readonly string[]): string[] {
  if (nodes.length === 0) return [];
  const [first, ...others] = nodes;
  const which = others.length === 0 ? `Node ${first} has` : `Node ${first} and ${moreText(others.length)} have`;
  return [
    `${which} no NodeClaim in the input: scenarios treat a Node without NodeClaim as unmanaged, and do not disrupt it`,
  ];
}

/** DaemonSets that own pods of the cluster, but are not in the input. */
function missingDaemonSets(pods: readonly SnapshotPod[], objects: readonly ManifestObject[]): string[] {
  const names = new Set(
    objects
      .filter(({ kind }) => kind === 'DaemonSet')
      .map(({ namespace, name }) => `${namespace ?? 'default'}/${name}`),
  );
  const owners = pods.flatMap(({ namespace, owners: all }) =>
    all.filter(({ kind }) => kind === 'DaemonSet').map(({ name }) => `${namespace}/${name}`),
  );
  return [...new Set(owners)].filter((name) => !names.has(name)).sort();
}

function byAge(left: SnapshotPod, right: SnapshotPod): number {
  if (left.age === right.age) return 0;
  return left.age < right.age ? -1 : 1;
}
