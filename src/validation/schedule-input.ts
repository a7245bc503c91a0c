import { NodeClassFacts } from '../catalog';
import { asRecord, isGateOpen } from '../contract';
import { NodePoolSpec, PodGroup, ScheduleInput } from '../scheduling';
import { ManifestModel, ManifestObject, WorkloadManifest } from './manifest';
import { firstOrdinal } from './manifest/ordinals';
import { CheckOptions } from './options';
import { placementGroups, UNKNOWN_GROUP } from './placement-groups';

/** What of the manifests the scheduler works on: all that could be read. */
export function scheduleInput(model: ManifestModel, options: CheckOptions): ScheduleInput {
  const { cluster, workloads } = model;
  const { preferencePolicy, minValuesPolicy, ignoreDraRequests, solverBounds } = options;
  const nodePools = [...cluster?.nodePools ?? [], ...model.nodePools];
  const nodeClasses = [...cluster?.nodeClasses ?? [], ...model.nodeClasses];
  const groups = placementGroups(model);
  const daemonSets = workloads.flatMap(({ kind, namespace, name, shape }) => kind === 'DaemonSet' && shape ? [{ namespace, name, shape }] : []);
  return {
    nodePools: nodePools.flatMap(({ spec }) => spec ?? []).map((pool) => withGate(pool, options)),
    nodeClasses: new Map(nodeClasses.flatMap(({ facts }) =>
      facts ? [[facts.name, withGroup(withStatus(facts, model, options), groups)] as const] : [])),
    nodeOverlays: isGateOpen(options.featureGates, 'NodeOverlay') ? model.nodeOverlays.flatMap(({ spec }) => spec ?? []) : [],
    nodes: cluster?.nodes,
    pods: [...cluster?.pods ?? [], ...workloads.flatMap(podGroups), ...bufferGroups(model, options)],
    daemonSets: [...cluster?.daemonSets ?? [], ...daemonSets],
    namespaces: new Map([...cluster?.objects ?? [], ...model.objects]
      .filter(({ apiVersion, kind }) => apiVersion === 'v1' && kind === 'Namespace')
      .map((object) => [object.name, labelsOf(object)])),
    settings: { preferencePolicy, minValuesPolicy, ignoreDraRequests, solverBounds },
  };
}

/** While their gate is closed, reservations are labels of instance types, and nothing is launched into them. */
function withStatus(facts: NodeClassFacts, { cluster }: ManifestModel, { featureGates }: CheckOptions): NodeClassFacts {
  const { zones, reservations } = cluster?.classes.get(facts.name) ?? {};
  const open = isGateOpen(featureGates, 'ReservedCapacity');
  const known = reservations?.map((reservation) => open ? reservation : { ...reservation, gated: true });
  return { ...facts, ...(zones ? { zones } : {}), ...(known ? { reservations: known } : {}) };
}

function withGroup(facts: NodeClassFacts, groups: ReturnType<typeof placementGroups>): NodeClassFacts {
  const placementGroup = groups.get(facts.name);
  return placementGroup === undefined || placementGroup === UNKNOWN_GROUP ? facts : { ...facts, placementGroup };
}

/** Karpenter launches nothing from a static pool whose gate is closed. */
function withGate(pool: NodePoolSpec, { featureGates }: CheckOptions): NodePoolSpec {
  return pool.replicas === undefined || isGateOpen(featureGates, 'StaticCapacity') ? pool : { ...pool, replicas: 0 };
}

/** Made up last, and so younger than every pod that is really there. */
function bufferGroups({ capacityBuffers }: ManifestModel, { featureGates }: CheckOptions): PodGroup[] {
  if (!isGateOpen(featureGates, 'CapacityBuffer')) return [];
  return capacityBuffers.flatMap(({ namespace, name, pods }) => pods === undefined || pods.missing !== undefined || pods.count === 0 ? []
    : [{ namespace, name: `capacity-buffer-${name}`, count: pods.count, shape: pods.shape, buffer: name }]);
}

function labelsOf({ raw }: ManifestObject): Record<string, string> {
  const labels = Object.entries(asRecord(asRecord(raw.metadata)?.labels) ?? {});
  return Object.fromEntries(labels.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Indices into `ScheduleInput.pods`. */
export function groupsOf({ group, ordinals }: WorkloadManifest): number[] {
  return group === undefined ? [] : Array.from({ length: ordinals?.length ?? 1 }, (_, at) => group + at);
}

function podGroups({ object, group, namespace, name, replicas, running = 0, shape, kind, ordinals }: WorkloadManifest): PodGroup[] {
  if (group === undefined || !shape) return [];
  if (ordinals) return ordinals.map(({ first, count, shape: own }) => ({ namespace, name, count, shape: own, firstOrdinal: first }));
  const first = running + (kind === 'StatefulSet' ? firstOrdinal(object) : 0);
  return [{ namespace, name, count: replicas - running, shape, ...(kind === 'Pod' ? { bare: true } : {}), ...(first > 0 ? { firstOrdinal: first } : {}) }];
}
