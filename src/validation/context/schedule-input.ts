import { NodeClassFacts } from '../../catalog';
import { asRecord, isGateEnabled } from '../../contract';
import { NodePoolSpec, PodGroup, ScheduleInput } from '../../scheduling';
import { CheckOptions } from '../check-options';
import { ManifestModel, ManifestObject, WorkloadManifest } from '../manifest';
import { placementGroupsByClass, UNKNOWN_GROUP } from './placement-groups';
import { stockNodeClasses } from './stock-node-class';
import { assumedDaemonSets } from './system-daemon-sets';
import { firstOrdinal } from '../manifest/workload/ordinals';
import { daemonSetSpecOf } from '../manifest/workload/workload';

/** Translates the model into the scheduler's input. Objects that could not be read are left out. */
export function scheduleInput(model: ManifestModel, options: CheckOptions): ScheduleInput {
  const { cluster, workloads } = model;
  const { preferencePolicy, minValuesPolicy, ignoreDraRequests, solverBounds } = options;
  const nodePools = [...(cluster?.nodePools ?? []), ...model.nodePools];
  const nodeClasses = [...(cluster?.nodeClasses ?? []), ...model.nodeClasses];
  const groups = placementGroupsByClass(model);
  const daemonSets = workloads.flatMap((workload) => daemonSetSpecOf(workload) ?? []);
  return {
    nodePools: nodePools.flatMap(({ spec }) => spec ?? []).map((pool) => withStaticCapacityGate(pool, options)),
    nodeClasses: new Map(
      [...stockNodeClasses(model), ...nodeClasses.flatMap(({ facts }) => facts ?? [])].map(
        (facts) => [facts.name, withPlacementGroup(withClusterStatus(facts, model, options), groups)] as const,
      ),
    ),
    nodeOverlays: isGateEnabled(options.featureGates, 'NodeOverlay')
      ? model.nodeOverlays.flatMap(({ spec }) => spec ?? [])
      : [],
    nodes: cluster?.nodes,
    pods: [...(cluster?.pods ?? []), ...workloads.flatMap(podGroups), ...bufferGroups(model, options)],
    daemonSets: [...(cluster?.daemonSets ?? []), ...daemonSets, ...assumedDaemonSets(model, options)],
    namespaces: new Map(
      [...(cluster?.objects ?? []), ...model.objects]
        .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
        .map((object) => [object.name, labelsOf(object)]),
    ),
    unreadyPools: new Set(
      nodePools
        .filter(({ spec }) => !spec || !nodeClasses.some(({ facts }) => facts?.name === spec.nodeClass))
        .map(({ object }) => object.name),
    ),
    settings: { preferencePolicy, minValuesPolicy, ignoreDraRequests, solverBounds },
  };
}

/**
 * Adds zones and reservations from the status. With ReservedCapacity off, reservations only add labels, and nothing is
 * launched into them.
 */
function withClusterStatus(
  facts: NodeClassFacts,
  { cluster }: ManifestModel,
  { featureGates }: CheckOptions,
): NodeClassFacts {
  const { zones, reservations } = cluster?.nodeClassStatuses.get(facts.name) ?? {};
  const isOpen = isGateEnabled(featureGates, 'ReservedCapacity');
  const usable = reservations?.map((reservation) => (isOpen ? reservation : { ...reservation, gated: true }));
  return { ...facts, ...(zones ? { zones } : {}), ...(usable ? { reservations: usable } : {}) };
}

function withPlacementGroup(facts: NodeClassFacts, groups: ReturnType<typeof placementGroupsByClass>): NodeClassFacts {
  const placementGroup = groups.get(facts.name);
  return placementGroup === undefined || placementGroup === UNKNOWN_GROUP ? facts : { ...facts, placementGroup };
}

/** With StaticCapacity off, Karpenter launches no node of a static pool. */
function withStaticCapacityGate(pool: NodePoolSpec, { featureGates }: CheckOptions): NodePoolSpec {
  return pool.replicas === undefined || isGateEnabled(featureGates, 'StaticCapacity') ? pool : { ...pool, replicas: 0 };
}

/** The virtual pods of CapacityBuffers. They come last because they are younger than all real pods. */
function bufferGroups({ capacityBuffers }: ManifestModel, { featureGates }: CheckOptions): PodGroup[] {
  if (!isGateEnabled(featureGates, 'CapacityBuffer')) return [];
  return capacityBuffers.flatMap(({ namespace, name, pods }) =>
    pods === undefined || pods.missing !== undefined || pods.count === 0
      ? []
      : [{ namespace, name: `capacity-buffer-${name}`, count: pods.count, shape: pods.shape, buffer: name }],
  );
}

function labelsOf({ raw }: ManifestObject): Record<string, string> {
  const labels = Object.entries(asRecord(raw.metadata?.labels) ?? {});
  return Object.fromEntries(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** The pod groups of a workload, as indices into `ScheduleInput.pods`. */
export function podGroupIndices({ group, ordinals }: WorkloadManifest): number[] {
  return group === undefined ? [] : Array.from({ length: ordinals?.length ?? 1 }, (_, index) => group + index);
}

function podGroups({
  object,
  group,
  namespace,
  name,
  replicas,
  running = 0,
  shape,
  kind,
  ordinals,
}: WorkloadManifest): PodGroup[] {
  if (group === undefined || !shape) return [];
  if (ordinals)
    return ordinals.map((range) => ({
      namespace,
      name,
      count: range.count,
      shape: range.shape,
      firstOrdinal: range.first,
    }));
  const first = running + (kind === 'StatefulSet' ? firstOrdinal(object) : 0);
  return [
    {
      namespace,
      name,
      count: replicas - running,
      shape,
      ...(kind === 'Pod' ? { bare: true } : {}),
      ...(first > 0 ? { firstOrdinal: first } : {}),
    },
  ];
}
