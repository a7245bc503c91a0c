import { withNamedPods } from './named-pods';
import { Catalog } from '../../src/catalog';
import { asRecord, isGateOpen } from '../../src/contract';
import { Cluster, ClusterNode, ClusterPod } from '../../src/disruption';
import { PodGroup, schedule, ScheduleInput, withoutReplicas } from '../../src/scheduling';
import { stateNodes } from '../../src/validation/cluster/state-nodes';
import { ManifestModel, ManifestObject } from '../../src/validation/manifest/model';
import { CheckOptions } from '../../src/validation/options';
import { daemonsOf } from '../../src/validation/scenario/daemons';
import { podBudgets } from '../../src/validation/scenario/disrupted-cluster';
import { factsOfNode } from '../../src/validation/scenario/node-facts';
import { factsOfPod, priorityClasses } from '../../src/validation/scenario/pod-facts';
import { poolTerms } from '../../src/validation/scenario/pool-terms';

/** The cluster as the files tell it, with nothing placed: what runs where it runs, what waits waiting. */
export function standingCluster(model: ManifestModel, input: ScheduleInput, catalog: Catalog, options: CheckOptions): Cluster {
  const objects = [...model.cluster?.objects ?? [], ...model.objects];
  const terms = [...model.cluster?.nodePools ?? [], ...model.nodePools].map((pool) => [pool.object.name, poolTerms(pool)] as const);
  const bound = boundPods(objects);
  const named = withNamedPods(model, input, objects, options);
  const buffered = bufferedNodes(named, catalog);
  const { pods, nodes, ...scheduling } = named;
  return {
    nodes: standingNodes({ nodes, pods }, objects, bound).map((node) => buffered.has(node.name) ? { ...node, buffered: true } : node),
    pools: new Map(terms.flatMap(([name, each]) => typeof each === 'string' ? [] : [[name, each] as const])),
    pdbs: podBudgets(model),
    daemons: daemonsOf(model, input.daemonSets, priorityClasses(objects)),
    scheduling: { ...scheduling, pods: pods.filter((group) => !bound.has(keyOf(group))) },
    catalog,
    settings: {
      spotToSpotConsolidation: isGateOpen(options.featureGates, 'SpotToSpotConsolidation'),
      nodeRepair: isGateOpen(options.featureGates, 'NodeRepair'),
      terminateFirstDrift: isGateOpen(options.featureGates, 'TerminateFirstDrift'),
      terminateFirstRepair: isGateOpen(options.featureGates, 'TerminateFirstRepair'),
    },
  };
}

/** Those that the provisioner finds room on for capacity buffers when it looks for places for all pods that need one. */
function bufferedNodes(input: ScheduleInput, catalog: Catalog): Set<string> {
  if (!input.pods.some(({ buffer }) => buffer !== undefined)) return new Set();
  const isBuffer = (group: number) => input.pods[group]?.buffer !== undefined;
  const { filledNodes } = schedule({ ...input, nodePools: input.nodePools.map(withoutReplicas) }, catalog);
  return new Set(filledNodes.filter(({ groups }) => [...groups.keys()].some(isBuffer)).map(({ node }) => node));
}

interface Bound {
  readonly object: ManifestObject;
  readonly node: string;
}

/** By namespace and name. */
function boundPods(objects: readonly ManifestObject[]): Map<string, Bound> {
  return new Map(objects.filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1').flatMap((object) => {
    const node = asRecord(object.raw.spec)?.nodeName;
    return typeof node === 'string' && node !== '' ? [[keyOf(object), { object, node }] as const] : [];
  }));
}

function keyOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace ?? 'default'}/${name}`;
}

/** Pods of nodes that go are among those that need a place: here they are back on their node. */
function standingNodes({ nodes = [], pods }: Pick<ScheduleInput, 'nodes' | 'pods'>, objects: readonly ManifestObject[], bound: ReadonlyMap<string, Bound>): ClusterNode[] {
  const priorities = priorityClasses(objects);
  const machines = new Map(stateNodes(objects).map((machine) => [machine.name, machine]));
  // Pods are bound to the Node, also while the name that it goes by is that of its claim.
  const moved = (name: string) => pods.filter((group) => bound.get(keyOf(group))?.node === machines.get(name)?.node?.name);
  return nodes.map((node) => ({
    ...node,
    leaving: undefined,
    deleting: node.leaving ?? false,
    ...factsOfNode(machines.get(node.name)!),
    pods: [...node.pods, ...moved(node.name).map(movedPod)].map((pod): ClusterPod => {
      const found = bound.get(keyOf(pod));
      return found ? factsOfPod(pod, found.object, priorities) : pod;
    }),
  }));
}

function movedPod({ namespace, name, shape }: PodGroup): ClusterPod {
  return { namespace, name, shape, daemon: false };
}
