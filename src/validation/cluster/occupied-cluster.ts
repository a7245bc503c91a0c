import { ClusterLog } from './cluster-log';
import { identityOf } from './cluster-objects';
import { ClusterPod } from './cluster-pod';
import { Evictions } from './eviction';
import { PodControllers } from './pod-controllers';
import { PodOwners } from './pod-owner';
import { PodShapes } from './pod-shapes';
import { StateNode } from './state-node';
import { claimlessNodes, stateNodes, unlaunchedClaims } from './state-nodes';
import { asRecord } from '../../contract';
import { DaemonSetSpec, ExistingNode, PodGroup, RunningPod } from '../../scheduling';
import { ClusterState, ManifestObject } from '../manifest/model';
import { PodSurroundings } from '../manifest/pod-shape';
import { recordsOf } from '../manifest/records';
import { readWorkload } from '../manifest/workload';

/** What of the cluster the manifests' own workloads have in it. */
export interface WorkloadsInCluster {
  /** By workload: its pods that run, and stay where they are. */
  readonly running: ReadonlyMap<ManifestObject, number>;
  /** By workload: the names of those. */
  readonly names: ReadonlyMap<ManifestObject, ReadonlySet<string>>;
  /** By workload: its pods that have done their work. */
  readonly done: ReadonlyMap<ManifestObject, number>;
  /** By workload: as many pods as it has, or as the cluster's own object of it wants. */
  readonly replicas: ReadonlyMap<ManifestObject, number>;
  /** By Deployment: the hash of the template that its newest pod was made of, which those to come are taken to be made of as well. */
  readonly revisions: ReadonlyMap<ManifestObject, string>;
}

type Occupied = Pick<ClusterState, 'nodes' | 'pods' | 'daemonSets' | 'notes'> & WorkloadsInCluster;

/** @param workloads of the manifests: what they say of how many pods run goes before what the cluster says */
export function occupiedCluster(
  objects: readonly ManifestObject[], workloads: readonly ManifestObject[], around: PodSurroundings, log: ClusterLog,
): Occupied {
  const shapes = new PodShapes(around, new PodControllers([...workloads, ...objects]), log);
  const owners = new PodOwners(workloads);
  const evictions = new Evictions(objects, log);
  const pods = objects.filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Pod').map((object) => new ClusterPod(object));
  const machines = stateNodes(objects);
  const leaving = new Set(machines.filter((machine) => machine.leaving).flatMap(({ node }) => node?.name ?? []));
  const moving = new Set(pods.filter((pod) => leaving.has(pod.nodeName) && pod.moves && !evictions.blocked(pod)));
  const onNode = podsByNode(pods);
  const cordoned = new Set(machines.filter((machine) => machine.cordoned).flatMap(({ node }) => node?.name ?? []));
  // The next one of a StatefulSet is made when this one is gone, and finds its room.
  const comesBack = (pod: ClusterPod) => pod.isOwnedBy('StatefulSet') && !cordoned.has(pod.nodeName);
  const stays = (pod: ClusterPod) => pod.nodeName !== '' && !pod.ended && (!pod.terminating || comesBack(pod)) && !moving.has(pod);
  const daemonSets = objects.filter(({ apiVersion, kind }) => apiVersion === 'apps/v1' && kind === 'DaemonSet');
  const waiting = pods.filter((pod) => (pod.waits || moving.has(pod)) && owners.of(pod) === undefined).sort(byAge);
  const limits = limitsOfNodes(objects);
  return {
    nodes: machines.flatMap((machine) => existingNode(machine, { onNode, moving, shapes, limits, log }) ?? []),
    pods: waiting.flatMap((pod) => groupOf(pod, shapes) ?? []),
    daemonSets: daemonSets.flatMap((object) => daemonSetOf(object, workloads, around, log) ?? []),
    running: counted(pods.filter(stays), owners),
    names: namesOf(pods.filter(stays), owners),
    replicas: replicasOf(workloads, objects, counted(pods.filter((pod) => pod.waits || stays(pod) || moving.has(pod)), owners)),
    revisions: revisionsOf(pods.filter(stays), owners),
    done: counted(pods.filter(({ succeeded }) => succeeded), owners),
    notes: [
      ...unlaunchedClaims(objects).map((name) => `NodeClaim ${name} has no instance yet, and is left out`),
      ...withoutClaims(claimlessNodes(objects)),
      ...strangers(pods, [...daemonSets, ...workloads]).map((name) => `DaemonSet ${name} is not in the input: new nodes are judged without its pods`),
    ],
  };
}

interface Scene {
  readonly onNode: ReadonlyMap<string, readonly ClusterPod[]>;
  readonly moving: ReadonlySet<ClusterPod>;
  readonly shapes: PodShapes;
  readonly limits: ReadonlyMap<string, ReadonlyMap<string, number>>;
  readonly log: ClusterLog;
}

function existingNode(machine: StateNode, { onNode, moving, shapes, limits, log }: Scene): ExistingNode | undefined {
  const allocatable = machine.amounts('allocatable', log);
  const capacity = machine.amounts('capacity', log);
  if (!allocatable || !capacity) return undefined;
  const { name, labels, taints, writtenLabels, writtenTaints, initialized, leaving, node } = machine;
  const pods = (onNode.get(node?.name ?? '') ?? []).filter((pod) => !moving.has(pod)).flatMap((pod): RunningPod[] => {
    const shape = shapes.of(pod);
    const { namespace, terminating } = pod;
    return shape ? [{ namespace, name: pod.name, shape, daemon: pod.isOwnedBy('DaemonSet'), ...(terminating ? { terminating } : {}) }] : [];
  });
  const volumeLimits = node && limits.get(node.name);
  return {
    name,
    labels,
    taints,
    ...(writtenLabels ? { writtenLabels } : {}),
    ...(initialized ? {} : { writtenTaints }),
    allocatable,
    capacity,
    initialized,
    ...(leaving ? { leaving } : {}),
    ...(node ? {} : { claimOnly: true }),
    pods,
    ...(volumeLimits ? { volumeLimits } : {}),
  };
}

function podsByNode(pods: readonly ClusterPod[]): Map<string, ClusterPod[]> {
  const result = new Map<string, ClusterPod[]>();
  for (const pod of pods) {
    if (pod.nodeName === '' || pod.ended) continue;
    const known = result.get(pod.nodeName);
    if (known) known.push(pod); else result.set(pod.nodeName, [pod]);
  }
  return result;
}

function limitsOfNodes(objects: readonly ManifestObject[]): Map<string, Map<string, number>> {
  const csiNodes = objects.filter(({ apiVersion, kind }) => apiVersion === 'storage.k8s.io/v1' && kind === 'CSINode');
  return new Map(csiNodes.map(({ name, raw }) => [name, new Map(recordsOf(asRecord(raw.spec)?.drivers).flatMap((driver) => {
    const count = asRecord(driver.allocatable)?.count;
    return typeof driver.name === 'string' && typeof count === 'number' ? [[driver.name, count] as const] : [];
  }))]));
}

function groupOf(pod: ClusterPod, shapes: PodShapes): PodGroup | undefined {
  const shape = shapes.of(pod);
  return shape && { namespace: pod.namespace, name: pod.name, count: 1, shape, bare: true, age: pod.age };
}

function daemonSetOf(
  object: ManifestObject, workloads: readonly ManifestObject[], around: PodSurroundings, log: ClusterLog,
): DaemonSetSpec | undefined {
  if (workloads.some((workload) => isSame(workload, object))) return undefined;
  const { namespace, name, shape } = readWorkload(object, log, around);
  return shape && { namespace, name, shape };
}

function isSame(left: ManifestObject, right: ManifestObject): boolean {
  return left.kind === right.kind && (left.namespace ?? 'default') === (right.namespace ?? 'default') && left.name === right.name;
}

function counted(pods: readonly ClusterPod[], owners: PodOwners): Map<ManifestObject, number> {
  const result = new Map<ManifestObject, number>();
  for (const owner of pods.flatMap((pod) => owners.of(pod) ?? [])) result.set(owner, (result.get(owner) ?? 0) + 1);
  return result;
}

/** Its pods may be more than it wants: while it gets a new template, they are those of both. */
function replicasOf(
  workloads: readonly ManifestObject[], objects: readonly ManifestObject[], there: ReadonlyMap<ManifestObject, number>,
): Map<ManifestObject, number> {
  const known = new Map(objects.map((object) => [identityOf(object), object]));
  return new Map(workloads.flatMap((workload) => {
    const wanted = asRecord(known.get(identityOf(workload))?.raw.spec)?.replicas;
    const counts = [there.get(workload), wanted].filter((count): count is number => typeof count === 'number');
    return counts.length === 0 ? [] : [[workload, Math.max(...counts)] as const];
  }));
}

function namesOf(pods: readonly ClusterPod[], owners: PodOwners): Map<ManifestObject, Set<string>> {
  const names = new Map<ManifestObject, Set<string>>();
  for (const pod of pods) {
    const owner = owners.of(pod);
    if (owner) names.set(owner, (names.get(owner) ?? new Set()).add(pod.name));
  }
  return names;
}

function revisionsOf(pods: readonly ClusterPod[], owners: PodOwners): Map<ManifestObject, string> {
  return new Map([...pods].sort(byAge).flatMap((pod) => {
    const owner = owners.of(pod);
    const hash = pod.labels['pod-template-hash'];
    return owner && hash !== undefined ? [[owner, hash] as const] : [];
  }));
}

function withoutClaims(nodes: readonly string[]): string[] {
  if (nodes.length === 0) return [];
  const [first, ...others] = nodes;
  const which = others.length === 0 ? first : `${first}, and of ${others.length} more`;
  return [`there is no NodeClaim of Node ${which} in the input: Karpenter is taken not to manage it, and disrupts it in no scenario`];
}

/** DaemonSets that pods name as their owner, and that no file holds. */
function strangers(pods: readonly ClusterPod[], known: readonly ManifestObject[]): string[] {
  const names = new Set(known.filter(({ kind }) => kind === 'DaemonSet').map(({ namespace, name }) => `${namespace ?? 'default'}/${name}`));
  const owners = pods.flatMap(({ namespace, owners: all }) => all.filter(({ kind }) => kind === 'DaemonSet').map(({ name }) => `${namespace}/${name}`));
  return [...new Set(owners)].filter((name) => !names.has(name)).sort();
}

function byAge(left: ClusterPod, right: ClusterPod): number {
  if (left.age === right.age) return 0;
  return left.age < right.age ? -1 : 1;
}
