import { JobDeadlines } from './job-deadlines';
import { initializedAtStart, nodeFactsByName, scenarioStartOf } from './node-facts';
import {
  daemonPodsOf,
  isParallel,
  pendingPodFacts,
  priorityClasses,
  runningClusterPod,
  workloadPodFacts,
} from './pod-facts';
import { poolDisruptionOf } from './pool-disruption';
import { replicasByWorkload } from './workload-replicas';
import { asRecord, isGateEnabled } from '../../contract';
import {
  Cluster,
  ClusterNode,
  ClusterPod,
  daemonPods,
  isDrainable,
  PodDisruptionBudget,
  workloadKey,
} from '../../disruption';
import { Label } from '../../model';
import {
  nodeClassesAfter,
  launchedNode,
  PlannedNodeClaim,
  PodShape,
  SchedulePlan,
  reservedInstances,
  templateOf,
} from '../../scheduling';
import { CheckContext } from '../context/check-context';
import { podGroupIndices } from '../context/schedule-input';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { ProblemLog } from '../manifest/problem-log';
import { readPdb } from '../manifest/workload/pod-disruption-budget';

/** A cluster whose pods are all scheduled as far as possible, and sentences about what is unknown of it. */
export interface ScheduledCluster {
  readonly cluster: Cluster;
  readonly notes: readonly string[];
}

/**
 * Joins the existing cluster with the plan for the manifests. New nodes are initialized at `start`, in milliseconds
 * since 1970.
 */
export function scheduledCluster(
  { model, input, catalog, options }: CheckContext,
  plan: SchedulePlan,
  start: number,
): ScheduledCluster {
  const objects = [...(model.cluster?.objects ?? []), ...model.objects];
  const poolSettings = [...(model.cluster?.nodePools ?? []), ...model.nodePools].map(
    (pool) => [pool.object.name, poolDisruptionOf(pool)] as const,
  );
  const pools = new Map(
    poolSettings.flatMap(([name, settings]) => (typeof settings === 'string' ? [] : [[name, settings] as const])),
  );
  const priorities = priorityClasses(objects);
  // From now on their pods run, and Karpenter plans with these.
  const daemonSets = input.daemonSets.map(({ namespace, name, shape, podShape }) => ({
    namespace,
    name,
    shape: podShape ?? shape,
  }));
  const daemons = daemonPodsOf(model, daemonSets, priorities);
  const podObjects = new Map(
    objects
      .filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1')
      .map((object) => [podKey(object), object]),
  );
  const parallel = new Set(
    objects.filter(isParallel).map((object) => workloadKey(object.namespace ?? 'default', object)),
  );
  const build: ClusterBuild = {
    model,
    input,
    catalog,
    objects,
    pools,
    start,
    plan,
    ordinals: new Map(),
    priorities,
    podObjects,
    parallel,
    zonalShapes: new ZonalShapes(),
    jobDeadlines: new JobDeadlines([...(model.cluster?.replacedObjects ?? []), ...objects], start),
  };
  const { pods, nodes: _, ...before } = input;
  const scheduling = {
    ...before,
    daemonSets,
    nodeClasses: nodeClassesAfter(input.nodeClasses, reservedInstances(plan.nodeClaims)),
  };
  const nodes = [
    ...existingNodes(build),
    ...plan.nodeClaims.flatMap((claim, index) => plannedNode(claim, build, index) ?? []),
  ].map((node) => (node.claimOnly ? node : { ...node, pods: [...node.pods, ...daemonPods(node, daemons, start)] }));
  return {
    notes: [
      ...poolSettings.flatMap(([, settings]) => (typeof settings === 'string' ? [settings] : [])),
      ...missingPools(
        poolSettings.map(([name]) => name),
        nodes,
      ),
    ],
    cluster: {
      nodes,
      pools,
      pdbs: podDisruptionBudgetsOf(model),
      replicas: replicasByWorkload(model),
      daemons,
      // The virtual pods of CapacityBuffers stay pending forever.
      scheduling: { ...scheduling, pods: pods.filter(({ buffer }) => buffer !== undefined) },
      catalog,
      settings: {
        spotToSpotConsolidation: isGateEnabled(options.featureGates, 'SpotToSpotConsolidation'),
        nodeRepair: isGateEnabled(options.featureGates, 'NodeRepair'),
        terminateFirstDrift: isGateEnabled(options.featureGates, 'TerminateFirstDrift'),
        terminateFirstRepair: isGateEnabled(options.featureGates, 'TerminateFirstRepair'),
      },
    },
  };
}

/** Sentences about NodePools that are missing: nodes belong to them, but no file has their settings. */
function missingPools(poolNames: readonly string[], nodes: readonly ClusterNode[]): string[] {
  const inInput = new Set(poolNames);
  const names = nodes.flatMap(({ claim, deleting, labels }) =>
    claim && !deleting ? (labels[Label.NODE_POOL] ?? []) : [],
  );
  const missing = [...new Set(names)].filter((name) => !inInput.has(name)).sort();
  if (missing.length > 0)
    return missing.map(
      (name) => `NodePool ${name} is not in the input: Karpenter launches no node of it, and disrupts none`,
    );
  return poolNames.length === 0 && nodes.length > 0
    ? ['there is no NodePool in the input: Karpenter launches no node']
    : [];
}

/** What the functions below share while they build one cluster. */
interface ClusterBuild extends Pick<CheckContext, 'model' | 'input' | 'catalog'> {
  readonly objects: readonly ManifestObject[];
  readonly pools: Cluster['pools'];
  readonly start: number;
  readonly plan: SchedulePlan;
  /** How many pods of each group are named already. */
  readonly ordinals: Map<number, number>;
  readonly priorities: ReadonlyMap<string, number>;
  /** Pod objects by namespace and name. */
  readonly podObjects: ReadonlyMap<string, ManifestObject>;
  /** StatefulSets that create all missing pods at once, by `workloadKey`. */
  readonly parallel: ReadonlySet<string>;
  readonly zonalShapes: ZonalShapes;
  readonly jobDeadlines: JobDeadlines;
}

function plannedNode(claim: PlannedNodeClaim, build: ClusterBuild, index: number): ClusterNode | undefined {
  const { input, catalog, pools, start } = build;
  const template = templateOf(input.nodePools.find(({ name }) => name === claim.nodePool)!, input, catalog);
  if (!claim.launch || !template) return undefined;
  const node = launchedNode(template, claim.launch.cheapest, claim, index);
  const { annotations, expireAfter, terminationGracePeriod } = pools.get(claim.nodePool) ?? {};
  return {
    name: claim.id,
    ...node,
    labels: { ...node.labels, [Label.HOSTNAME]: claim.id },
    pods: scheduledPods(claim.groups, node.labels, build),
    ...bufferMark(claim.groups, build),
    annotations,
    claim: { createdAt: start, initializedAt: start, expireAfter, terminationGracePeriod },
  };
}

function existingNodes(build: ClusterBuild): ClusterNode[] {
  const { model, input, objects, plan, priorities, podObjects, start } = build;
  const now = scenarioStartOf(model);
  const filled = new Map(plan.filledNodes.map(({ node, groups }) => [node, groups]));
  const facts = nodeFactsByName(objects);
  return (input.nodes ?? [])
    .map(
      ({ markedForDeletion, ...node }): ClusterNode => ({
        ...node,
        ...(markedForDeletion ? { deleting: true } : {}),
        ...facts.get(node.name),
        pods: [
          ...node.pods.map((pod): ClusterPod => {
            const object = podObjects.get(podKey(pod));
            return withController(object ? runningClusterPod(pod, object, priorities) : pod, build);
          }),
          ...scheduledPods(filled.get(node.name) ?? new Map(), node.labels, build),
        ],
        ...bufferMark(filled.get(node.name) ?? new Map(), build),
      }),
    )
    .filter((node) => !node.deleting || hasPodsToDrain(node))
    .map((node) => initializedAtStart(node, now, start));
}

function podKey({ namespace = 'default', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** A pod with the podManagementPolicy of its StatefulSet, or with the deadline of its Job. */
function withController(pod: ClusterPod, { parallel, jobDeadlines }: ClusterBuild): ClusterPod {
  const jobDeadline = jobDeadlines.of(pod.namespace, pod.owner);
  if (jobDeadline !== undefined) return { ...pod, jobDeadline };
  return pod.owner && parallel.has(workloadKey(pod.namespace, pod.owner)) ? { ...pod, parallel: true } : pod;
}

/**
 * Whether a deleting node still has pods to evict. A deleting node without such pods is gone soon, and its pods are
 * rescheduled already.
 */
function hasPodsToDrain({ claim, pods }: ClusterNode): boolean {
  return claim !== undefined && pods.some((pod) => !pod.daemon && !pod.terminating && isDrainable(pod));
}

/** Marks a node that has room for a CapacityBuffer, whose virtual pods are on no node. */
function bufferMark(groups: ReadonlyMap<number, number>, { input }: ClusterBuild): Pick<ClusterNode, 'hasBufferPods'> {
  return [...groups.keys()].some((group) => input.pods[group].buffer !== undefined) ? { hasBufferPods: true } : {};
}

/**
 * The pods that the plan puts on a node. Equal pods are interchangeable, so they are numbered in the order of the
 * nodes.
 */
function scheduledPods(
  groups: ReadonlyMap<number, number>,
  { [Label.ZONE]: zone }: ClusterNode['labels'],
  build: ClusterBuild,
): ClusterPod[] {
  const { input, model, ordinals, priorities, podObjects, start, zonalShapes } = build;
  return [...groups]
    .filter(([group]) => input.pods[group].buffer === undefined)
    .flatMap(([group, count]) => {
      const { namespace, name, shape: groupShape, bare, firstOrdinal = 0 } = input.pods[group];
      const shape = zonalShapes.boundTo(zone, groupShape);
      const workload = model.workloads.find((candidate) => podGroupIndices(candidate).includes(group));
      const object = workload || !bare ? undefined : podObjects.get(podKey({ namespace, name }));
      const facts = workload
        ? workloadPodFacts(workload, priorities)
        : object
          ? pendingPodFacts(object, priorities)
          : {};
      const first = ordinals.get(group) ?? 0;
      ordinals.set(group, first + count);
      return Array.from({ length: count }, (_, index) =>
        withController(
          {
            namespace,
            name: bare ? name : `${name}-${firstOrdinal + first + index}`,
            shape,
            daemon: false,
            startedAt: start,
            ...facts,
          },
          build,
        ),
      );
    });
}

/**
 * The PodDisruptionBudgets of the cluster and of the manifests. One without a selector selects no pod, and is left out.
 * Problems in cluster objects are reported when the cluster is read, not here.
 */
export function podDisruptionBudgetsOf({ cluster, pdbs }: ManifestModel): PodDisruptionBudget[] {
  const inCluster = (cluster?.objects ?? []).filter(
    ({ kind, apiVersion }) => kind === 'PodDisruptionBudget' && apiVersion === 'policy/v1',
  );
  return [...inCluster.flatMap((object) => readPdb(object, new ProblemLog()) ?? []), ...pdbs].flatMap(
    ({ object, ...pdb }) => {
      const { selector, unhealthyPodEvictionPolicy: policy } = asRecord(object.raw.spec) ?? {};
      if (!asRecord(selector)) return [];
      return [{ ...pdb, ...(policy === 'AlwaysAllow' ? { unhealthyPodEvictionPolicy: policy } : {}) }];
    },
  );
}

/**
 * Shapes of pods whose volumes exist in the zone of their node.
 *
 * Equal pods in one zone share one shape object, so that the scheduler groups them without comparing their fields.
 */
class ZonalShapes {
  private readonly shapes = new Map<PodShape, Map<string, PodShape>>();

  boundTo(zone: string | undefined, shape: PodShape): PodShape {
    if (!shape.staysInZone || zone === undefined) return shape;
    const byZone = this.shapes.get(shape) ?? new Map<string, PodShape>();
    this.shapes.set(shape, byZone);
    const zonal = byZone.get(zone) ?? inZone(zone, shape);
    byZone.set(zone, zonal);
    return zonal;
  }
}

function inZone(zone: string, shape: PodShape): PodShape {
  const requirement = { key: Label.ZONE, operator: 'In', values: [zone] } as const;
  return {
    ...shape,
    volumeTopology: (shape.volumeTopology ?? [[]]).map((requirements) => [...requirements, requirement]),
  };
}
