import { withNamedPods } from './named-pods';
import { Catalog } from '../../../src/catalog';
import { asRecord, isGateEnabled } from '../../../src/contract';
import { Cluster, ClusterNode, ClusterPod } from '../../../src/disruption';
import { PodGroup, schedule, ScheduleInput, withoutReplicas } from '../../../src/scheduling';
import { CheckOptions } from '../../../src/validation/check-options';
import { stateNodes } from '../../../src/validation/cluster/state-nodes';
import { ManifestModel, ManifestObject } from '../../../src/validation/manifest/model';
import { nodeFacts } from '../../../src/validation/scenario/node-facts';
import { daemonPodsOf, priorityClasses, runningClusterPod } from '../../../src/validation/scenario/pod-facts';
import { poolDisruptionOf } from '../../../src/validation/scenario/pool-disruption';
import { podDisruptionBudgetsOf } from '../../../src/validation/scenario/scheduled-cluster';

/** The cluster as the files describe it, without any scheduling: running pods on their nodes, pending pods pending. */
export function clusterFromFiles(
  model: ManifestModel,
  input: ScheduleInput,
  catalog: Catalog,
  options: CheckOptions,
): Cluster {
  const objects = [...(model.cluster?.objects ?? []), ...model.objects];
  const terms = [...(model.cluster?.nodePools ?? []), ...model.nodePools].map(
    (pool) => [pool.object.name, poolDisruptionOf(pool)] as const,
  );
  const bound = boundPods(objects);
  const named = withNamedPods(model, input, objects, options);
  const buffered = bufferedNodes(named, catalog);
  const { pods, nodes, ...scheduling } = named;
  return {
    nodes: clusterNodes({ nodes, pods }, objects, bound).map((node) =>
      buffered.has(node.name) ? { ...node, hasBufferPods: true } : node,
    ),
    pools: new Map(
      terms.flatMap(([name, poolDisruption]) =>
        typeof poolDisruption === 'string' ? [] : [[name, poolDisruption] as const],
      ),
    ),
    pdbs: podDisruptionBudgetsOf(model),
    daemons: daemonPodsOf(model, input.daemonSets, priorityClasses(objects)),
    scheduling: { ...scheduling, pods: pods.filter((group) => !bound.has(keyOf(group))) },
    catalog,
    settings: {
      spotToSpotConsolidation: isGateEnabled(options.featureGates, 'SpotToSpotConsolidation'),
      nodeRepair: isGateEnabled(options.featureGates, 'NodeRepair'),
      terminateFirstDrift: isGateEnabled(options.featureGates, 'TerminateFirstDrift'),
      terminateFirstRepair: isGateEnabled(options.featureGates, 'TerminateFirstRepair'),
    },
  };
}

/** Nodes on which the provisioner finds room for capacity buffers when it schedules all pending pods. */
function bufferedNodes(input: ScheduleInput, catalog: Catalog): Set<string> {
  if (!input.pods.some(({ buffer }) => buffer !== undefined)) return new Set();
  const isBuffer = (group: number) => input.pods[group]?.buffer !== undefined;
  const { filledNodes } = schedule({ ...input, nodePools: input.nodePools.map(withoutReplicas) }, catalog);
  return new Set(filledNodes.filter(({ groups }) => [...groups.keys()].some(isBuffer)).map(({ node }) => node));
}

interface BoundPod {
  readonly object: ManifestObject;
  readonly node: string;
}

/** By namespace and name. */
function boundPods(objects: readonly ManifestObject[]): Map<string, BoundPod> {
  return new Map(
    objects
      .filter(({ kind, apiVersion }) => kind === 'Pod' && apiVersion === 'v1')
      .flatMap((object) => {
        const node = asRecord(object.raw.spec)?.nodeName;
        return typeof node === 'string' && node !== '' ? [[keyOf(object), { object, node }] as const] : [];
      }),
  );
}

function keyOf({ namespace, name }: { readonly namespace?: string; readonly name: string }): string {
  return `${namespace ?? 'default'}/${name}`;
}

/** Puts the pods of deleting nodes, which are scheduled as pending pods, back on their node. */
function clusterNodes(
  { nodes = [], pods }: Pick<ScheduleInput, 'nodes' | 'pods'>,
  objects: readonly ManifestObject[],
  bound: ReadonlyMap<string, BoundPod>,
): ClusterNode[] {
  const priorities = priorityClasses(objects);
  const machines = new Map(stateNodes(objects).map((machine) => [machine.name, machine]));
  // Pods are bound to the Node by its own name, even while the NodeClaim's name identifies it.
  const moved = (name: string) =>
    pods.filter((group) => bound.get(keyOf(group))?.node === machines.get(name)?.node?.name);
  return nodes.map((node) => ({
    ...node,
    leaving: undefined,
    deleting: node.markedForDeletion ?? false,
    ...nodeFacts(machines.get(node.name)!),
    pods: [...node.pods, ...moved(node.name).map(movedPod)].map((pod): ClusterPod => {
      const boundPod = bound.get(keyOf(pod));
      return boundPod ? runningClusterPod(pod, boundPod.object, priorities) : pod;
    }),
  }));
}

function movedPod({ namespace, name, shape }: PodGroup): ClusterPod {
  return { namespace, name, shape, daemon: false };
}
