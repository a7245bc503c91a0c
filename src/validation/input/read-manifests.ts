import { Input, readInput } from './read-input';
import {
  CAPACITY_BUFFER_API,
  EC2_NODE_CLASS_API,
  KARPENTER_KINDS,
  NODE_OVERLAY_API,
  NODE_POOL_API,
} from '../../contract';
import { merge } from '../../model';
import { CheckOptions } from '../check-options';
import { alreadyPlacedCount, ClusterFiles } from '../cluster/cluster-files';
import { WorkloadsInCluster } from '../cluster/current-state';
import { InjectedContainers } from '../cluster/injected-containers';
import { withGeneratedNames } from '../manifest/generated-names';
import { API_VERSION_BY_KIND, isJudged, withoutDuplicates, withoutOwned } from '../manifest/judged-objects';
import { readCapacityBuffer } from '../manifest/karpenter/capacity-buffer';
import { judgeKarpenterObject, logFieldProblems } from '../manifest/karpenter/custom-resource';
import { logMisplacedBetaFields } from '../manifest/karpenter/misplaced-beta-fields';
import { withMovedKubelets } from '../manifest/karpenter/misplaced-kubelet';
import { readNodeClass } from '../manifest/karpenter/node-class';
import { readNodeOverlay } from '../manifest/karpenter/node-overlay';
import { readNodePool } from '../manifest/karpenter/node-pool';
import { convertedObjects } from '../manifest/legacy-objects';
import { ManifestModel, ManifestObject, SourceFile, WorkloadManifest } from '../manifest/model';
import { ProblemLog } from '../manifest/problem-log';
import { logUnknownFields, withKubernetesFields } from '../manifest/unknown-fields';
import { isOfWebhook, logAutoscalerProblems } from '../manifest/workload/autoscaler-limits';
import { customParts } from '../manifest/workload/custom/custom-kinds';
import { scaledDownByRollouts } from '../manifest/workload/custom/rollout';
import { withQueuedResumed } from '../manifest/workload/kueue';
import { allOrdinals, ordinalsOf, withoutRunning } from '../manifest/workload/ordinals';
import { readPdb } from '../manifest/workload/pod-disruption-budget';
import { RelatedObjects } from '../manifest/workload/pod-shape';
import { checkSelector, readWorkload } from '../manifest/workload/workload';
import { logWrongValues } from '../manifest/wrong-values';

const KINDS_WITH_READER: readonly string[] = [
  NODE_POOL_API.kind,
  EC2_NODE_CLASS_API.kind,
  NODE_OVERLAY_API.kind,
  CAPACITY_BUFFER_API.kind,
];
const OTHER_KINDS: readonly string[] = KARPENTER_KINDS.map(({ kind }) => kind).filter(
  (kind) => !KINDS_WITH_READER.includes(kind),
);

/** Reads everything in the files that is judged, the state of the cluster, and the problems of the files themselves. */
export function readManifests(sources: readonly SourceFile[], options: CheckOptions = {}): ManifestModel {
  return modelOf(readInput(sources, options), options);
}

export function modelOf(input: Input, options: CheckOptions = {}): ManifestModel {
  const { aws } = input;
  const given = [...input.objects, ...aws.manifests.flatMap((manifest) => manifest.objects)];
  const objects = withQueuedResumed(withGeneratedNames(given));
  const current = convertedObjects(objects, options.convertLegacy);
  const log = new ProblemLog(input.problems);
  const cluster = new ClusterFiles(options, current);
  const problemsOf = (object: ManifestObject) => judgeKarpenterObject(object, options);
  const [named, nameless] = partition(
    current.filter((object) => isJudged(object, log)),
    ({ name }) => name !== '',
  );
  const judged = withoutOwned(withoutDuplicates(named, aws, log));
  for (const object of objects) logMisplacedBetaFields(object, log);
  for (const object of withKubernetesFields(current, judged)) logUnknownFields(object, log);
  for (const object of new Set([...withKubernetesFields(current, judged), ...current.filter(isOfWebhook)]))
    logAutoscalerProblems(object, log);
  for (const object of nameless) logFieldProblems(object, problemsOf(object), log);
  const ofKind = (kind: string) => judged.filter((object) => object.kind === kind);
  const related = cluster.relatedObjects(log);
  const workloads = workloadObjects(current, judged, options);
  const state = cluster.state(workloads, related);
  for (const object of withKubernetesFields(current, judged))
    if (!API_VERSION_BY_KIND.has(object.kind)) logWrongValues(object, log);
  return {
    objects: withRenamedCopies(objects, judged, named),
    ...withMovedKubelets({
      nodePools: ofKind(NODE_POOL_API.kind).map((object) => readNodePool(object, problemsOf(object), log)),
      nodeClasses: ofKind(EC2_NODE_CLASS_API.kind).map((object) => readNodeClass(object, problemsOf(object), log)),
    }),
    nodeOverlays: ofKind(NODE_OVERLAY_API.kind).map((object) => readNodeOverlay(object, problemsOf(object), log)),
    capacityBuffers: ofKind(CAPACITY_BUFFER_API.kind).map((object) =>
      readCapacityBuffer(object, problemsOf(object), { objects, ...related }, log),
    ),
    workloads: withGroups(
      workloads.map((object) => readClusterWorkload(object, log, related, state)),
      state.pods.length,
    ),
    pdbs: ofKind('PodDisruptionBudget').flatMap((object) => readPdb(object, log) ?? []),
    otherObjects: judged
      .filter(({ kind }) => OTHER_KINDS.includes(kind))
      .map((object) => {
        logFieldProblems(object, problemsOf(object), log);
        return object;
      }),
    aws,
    ...(options.cluster ? { cluster: state } : {}),
    isWithoutKarpenter: input.isWithoutKarpenter,
    isReleaseUnknown: input.isReleaseUnknown,
    otherReleases: input.otherReleases,
    regionElsewhere: input.regionElsewhere,
    terraformRegion: input.terraformRegion,
    kubernetesVersion: input.kubernetesVersion,
    nodeGroupsElsewhere: input.nodeGroupsElsewhere,
    devicePluginsElsewhere: input.devicePluginsElsewhere,
    installedPrograms: input.installedPrograms,
    writtenAws: input.writtenAws,
    renamedObjects: input.renamedObjects,
    listPatches: input.listPatches,
    patchesWithoutTarget: input.patchesWithoutTarget,
    spreadProtections: input.spreadProtections,
    blockedDeployments: input.blockedDeployments,
    problems: [...log.findings, ...log.placeholders.findings(), ...cluster.problems.findings],
  };
}

/** The objects, with the copies that have got the name that was meant. */
function withRenamedCopies(
  objects: readonly ManifestObject[],
  judged: readonly ManifestObject[],
  written: readonly ManifestObject[],
): readonly ManifestObject[] {
  const known = new Set(written);
  const copies = new Map(judged.filter((object) => !known.has(object)).map((object) => [object.locate, object]));
  return copies.size === 0 ? objects : objects.map((object) => copies.get(object.locate) ?? object);
}

/** The workloads of Kubernetes, and workloads made of the pods of custom kinds. */
function workloadObjects(
  current: readonly ManifestObject[],
  judged: readonly ManifestObject[],
  { cluster }: CheckOptions,
): ManifestObject[] {
  // Which of the running pods belong to a custom object is not known.
  const custom = cluster ? [] : lastOfEach(withoutOwned(current)).flatMap((object) => customParts(object, current));
  const scaledDown = scaledDownByRollouts(current);
  return [
    ...judged.filter(
      (object) =>
        API_VERSION_BY_KIND.has(object.kind) && object.kind !== 'PodDisruptionBudget' && !scaledDown.has(object),
    ),
    ...custom,
  ];
}

/** The last one of several objects with one identity, as `kubectl apply` leaves it. */
function lastOfEach(objects: readonly ManifestObject[]): ManifestObject[] {
  const keyOf = ({ apiVersion, kind, namespace = 'default', name }: ManifestObject) =>
    JSON.stringify([apiVersion.split('/')[0], kind, namespace, name]);
  return [...new Map(objects.map((object) => [keyOf(object), object])).values()];
}

function partition<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

/** Reads a workload, with the pods that the cluster already runs of it. */
function readClusterWorkload(
  object: ManifestObject,
  log: ProblemLog,
  related: RelatedObjects,
  cluster: WorkloadsInCluster,
): WorkloadManifest {
  const clusterFacts = {
    templateHash: cluster.templateHashes.get(object),
    replicas: cluster.replicaCounts.get(object),
    hasDaemonPod: cluster.daemonSetsWithPods.has(object),
  };
  const written = checkSelector(readWorkload(object, log, related, clusterFacts), log);
  const workload = withInjected(written, cluster.injected.get(object));
  const running = alreadyPlacedCount(workload, cluster);
  if (running === 0) return workload;
  const runningPods = cluster.runningNames.get(object);
  const runningOrdinals = ordinalsOf(workload.name, runningPods ?? []);
  const ordinals = workload.ordinals ?? (runningOrdinals.length === running ? allOrdinals(workload) : undefined);
  return {
    ...workload,
    running,
    ...(runningPods ? { runningPods } : {}),
    ...(ordinals ? { ordinals: withoutRunning(ordinals, runningOrdinals) } : {}),
  };
}

/** New pods get the containers that webhooks have added to the running ones. */
function withInjected(workload: WorkloadManifest, injected: InjectedContainers | undefined): WorkloadManifest {
  const { shape, kind } = workload;
  if (injected === undefined || shape === undefined || kind === 'DaemonSet') return workload;
  return { ...workload, shape: { ...shape, requests: merge(shape.requests, injected.requests) } };
}

/** Sets `group` on the workloads that have pods to place. The cluster's own pods come first in `ScheduleInput.pods`. */
function withGroups(workloads: readonly WorkloadManifest[], first: number): WorkloadManifest[] {
  let next = first;
  return workloads.map((workload) => {
    const { shape, kind, replicas, running = 0, ordinals } = workload;
    if (shape === undefined || kind === 'DaemonSet' || replicas <= running || ordinals?.length === 0) return workload;
    const group = next;
    next += ordinals?.length ?? 1;
    return { ...workload, group };
  });
}
