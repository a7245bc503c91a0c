import { asRecord, isGateOpen } from '../../contract';
import { Cluster, ClusterNode, ClusterPod, daemonPods, isDrained, PodBudget, workloadKey } from '../../disruption';
import { Label } from '../../model';
import { classesAfter, launchedNode, PlannedNodeClaim, SchedulePlan, takenBy, templateOf } from '../../scheduling';
import { ManifestModel, ManifestObject } from '../manifest/model';
import { readPdb } from '../manifest/pdb';
import { ProblemLog } from '../manifest/problem-log';
import { Scene } from '../scene';
import { groupsOf } from '../schedule-input';
import { upWhenItBegins } from './coming-nodes';
import { daemonsOf } from './daemons';
import { factsOfNodes, startOf } from './node-facts';
import { factsOfComingPod, factsOfPod, factsOfWorkload, isParallel, priorityClasses } from './pod-facts';
import { poolTerms } from './pool-terms';
import { replicasOf } from './replicas';
import { settledIn } from './settled';

/** The cluster as it is once everything is placed, and in sentences what of it is not known. */
export interface DisruptedCluster {
  readonly cluster: Cluster;
  readonly notes: readonly string[];
}

/** Puts what the manifests plan and what the cluster has together, as of one moment: new nodes are just up then. */
export function disruptedCluster({ model, input, catalog, options }: Scene, plan: SchedulePlan, start: number): DisruptedCluster {
  const objects = [...model.cluster?.objects ?? [], ...model.objects];
  const terms = [...model.cluster?.nodePools ?? [], ...model.nodePools].map((pool) => [pool.object.name, poolTerms(pool)] as const);
  const known = new Map(terms.flatMap(([name, each]) => typeof each === 'string' ? [] : [[name, each] as const]));
  const priorities = priorityClasses(objects);
  const daemons = daemonsOf(model, input.daemonSets, priorities);
  const podObjects = new Map(objects.filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1').map((object) => [podKey(object), object]));
  const parallel = new Set(objects.filter(isParallel).map((object) => workloadKey(object.namespace ?? 'default', object)));
  const scene: Setting = { model, input, catalog, objects, terms: known, start, plan, ordinals: new Map(), priorities, podObjects, parallel };
  const { pods, nodes: there, ...before } = input;
  const scheduling = { ...before, nodeClasses: classesAfter(input.nodeClasses, takenBy(plan.nodeClaims)) };
  const nodes = [...existing(scene), ...plan.nodeClaims.flatMap((claim, at) => launched(claim, scene, at) ?? [])]
    .map((node) => node.claimOnly ? node : { ...node, pods: [...node.pods, ...daemonPods(node, daemons, start)] });
  return {
    notes: [...terms.flatMap(([, each]) => typeof each === 'string' ? [each] : []), ...missingPools(terms.map(([name]) => name), nodes)],
    cluster: {
      nodes,
      pools: known,
      pdbs: podBudgets(model),
      replicas: replicasOf(model),
      daemons,
      // Pods that Karpenter makes up for buffers wait for ever.
      scheduling: { ...scheduling, pods: pods.filter(({ buffer }) => buffer !== undefined) },
      catalog,
      settings: {
        spotToSpotConsolidation: isGateOpen(options.featureGates, 'SpotToSpotConsolidation'),
        nodeRepair: isGateOpen(options.featureGates, 'NodeRepair'),
        terminateFirstDrift: isGateOpen(options.featureGates, 'TerminateFirstDrift'),
        terminateFirstRepair: isGateOpen(options.featureGates, 'TerminateFirstRepair'),
      },
    },
  };
}

/** What Karpenter would launch of NodePools that nodes of the cluster are of, nobody knows where these are in no file. */
function missingPools(written: readonly string[], nodes: readonly ClusterNode[]): string[] {
  const known = new Set(written);
  const names = nodes.flatMap(({ claim, deleting, labels }) => claim && !deleting ? labels[Label.NODE_POOL] ?? [] : []);
  const missing = [...new Set(names)].filter((name) => !known.has(name)).sort();
  if (missing.length > 0) return missing.map((name) => `NodePool ${name} is not in the input: nothing is launched of it, and none of its nodes disrupted`);
  return written.length === 0 && nodes.length > 0 ? ['there is no NodePool in the input: nothing is launched'] : [];
}

interface Setting extends Pick<Scene, 'model' | 'input' | 'catalog'> {
  readonly objects: readonly ManifestObject[];
  readonly terms: Cluster['pools'];
  readonly start: number;
  readonly plan: SchedulePlan;
  /** Per group: how many of its pods have a name already. */
  readonly ordinals: Map<number, number>;
  readonly priorities: ReadonlyMap<string, number>;
  /** By namespace and name. */
  readonly podObjects: ReadonlyMap<string, ManifestObject>;
  /** StatefulSets that make all of their pods at once, by `workloadKey`. */
  readonly parallel: ReadonlySet<string>;
}

function launched(claim: PlannedNodeClaim, scene: Setting, nth: number): ClusterNode | undefined {
  const { input, catalog, terms, start } = scene;
  const template = templateOf(input.nodePools.find(({ name }) => name === claim.nodePool)!, input, catalog);
  if (!claim.launch || !template) return undefined;
  const node = launchedNode(template, claim.launch.cheapest, claim, nth);
  const { annotations, expireAfter, terminationGracePeriod } = terms.get(claim.nodePool) ?? {};
  return {
    name: claim.id,
    ...node,
    labels: { ...node.labels, [Label.HOSTNAME]: claim.id },
    pods: placed(claim.groups, node.labels, scene),
    ...reserved(claim.groups, scene),
    annotations,
    claim: { createdAt: start, initializedAt: start, expireAfter, terminationGracePeriod },
  };
}

function existing(scene: Setting): ClusterNode[] {
  const { model, input, objects, plan, priorities, podObjects, start } = scene;
  const now = startOf(model);
  const filled = new Map(plan.filledNodes.map(({ node, groups }) => [node, groups]));
  const facts = factsOfNodes(objects);
  return (input.nodes ?? []).map(({ leaving, ...node }): ClusterNode => ({
    ...node,
    ...(leaving ? { deleting: true } : {}),
    ...facts.get(node.name),
    pods: [
      ...node.pods.map((pod): ClusterPod => {
        const object = podObjects.get(podKey(pod));
        return inOrder(object ? factsOfPod(pod, object, priorities) : pod, scene);
      }),
      ...placed(filled.get(node.name) ?? new Map(), node.labels, scene),
    ],
    ...reserved(filled.get(node.name) ?? new Map(), scene),
  })).filter((node) => !node.deleting || isHeld(node)).map((node) => upWhenItBegins(node, now, start));
}

function podKey({ namespace = 'default', name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace}/${name}`;
}

/** A pod of the cluster, with what its StatefulSet says. */
function inOrder(pod: ClusterPod, { parallel }: Setting): ClusterPod {
  return pod.owner && parallel.has(workloadKey(pod.namespace, pod.owner)) ? { ...pod, madeAtOnce: true } : pod;
}

/** Whether a node that goes waits for a pod that does not: the others are placed elsewhere, and it will soon be gone. */
function isHeld({ claim, pods }: ClusterNode): boolean {
  return claim !== undefined && pods.some((pod) => !pod.daemon && !pod.terminating && isDrained(pod));
}

/** Whether the node has the room of a CapacityBuffer, whose pods are nowhere. */
function reserved(groups: ReadonlyMap<number, number>, { input }: Setting): Pick<ClusterNode, 'buffered'> {
  return [...groups.keys()].some((group) => input.pods[group].buffer !== undefined) ? { buffered: true } : {};
}

/** Which of equal pods is where does not matter. */
function placed(groups: ReadonlyMap<number, number>, { [Label.ZONE]: zone }: ClusterNode['labels'], scene: Setting): ClusterPod[] {
  const { input, model, ordinals, priorities, podObjects, start } = scene;
  return [...groups].filter(([group]) => input.pods[group].buffer === undefined).flatMap(([group, count]) => {
    const { namespace, name, shape: planned, bare, firstOrdinal = 0 } = input.pods[group];
    const shape = settledIn(zone, planned);
    const workload = model.workloads.find((each) => groupsOf(each).includes(group));
    const object = workload || !bare ? undefined : podObjects.get(podKey({ namespace, name }));
    const facts = workload ? factsOfWorkload(workload, priorities) : object ? factsOfComingPod(object, priorities) : {};
    const first = ordinals.get(group) ?? 0;
    ordinals.set(group, first + count);
    return Array.from({ length: count }, (_, at) =>
      inOrder({ namespace, name: bare ? name : `${name}-${firstOrdinal + first + at}`, shape, daemon: false, startedAt: start, ...facts }, scene));
  });
}

/** What of them cannot be read is told elsewhere. Without a selector they select no pod. */
export function podBudgets({ cluster, pdbs }: ManifestModel): PodBudget[] {
  const there = (cluster?.objects ?? []).filter(({ kind, apiVersion }) => kind === 'PodDisruptionBudget' && apiVersion === 'policy/v1');
  return [...there.flatMap((object) => readPdb(object, new ProblemLog()) ?? []), ...pdbs].flatMap(({ object, ...pdb }) => {
    const { selector, unhealthyPodEvictionPolicy: policy } = asRecord(object.raw.spec) ?? {};
    if (!asRecord(selector)) return [];
    return [{ ...pdb, ...(policy === 'AlwaysAllow' ? { unhealthyPodEvictionPolicy: policy } : {}) }];
  });
}
