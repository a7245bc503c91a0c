import { Catalog } from '../../catalog';
import {
  columnAmount,
  Label,
  LabelSelector,
  merge,
  Requirements,
  ResourceList,
  selects,
  untolerated,
} from '../../model';
import { PodAffinityTerm, PodShape, withPod } from '../input/pod-shape';
import { NodePoolSpec, PodGroup, ScheduleInput } from '../input/schedule-input';
import { limitsLeft, NODES, PoolTemplate, templateOf } from '../launch/pool-template';
import { runsOnNode } from '../nodes/existing-nodes';
import { launchedNode } from '../nodes/launched-node';
import { conflicts } from '../pods/host-ports';
import { Offer, SchedulePlan } from '../schedule-plan';

/** A node with the numbers of its pods by index into `ScheduleInput.pods`. */
interface NodeWithPods {
  readonly nodePool: string;
  readonly offer: Offer;
  readonly groups: ReadonlyMap<number, number>;
}

interface CheckedFleet {
  readonly nodes: readonly NodeWithPods[];
  /** Indices into the NodeClaims of the plan. */
  readonly kept: readonly number[];
}

/** A place of pods: a new node, or a node that stays. */
interface Place {
  readonly zone: string | undefined;
  readonly pods: ReadonlyArray<{ readonly group: PodGroup; readonly count: number }>;
  readonly isNew: boolean;
}

/**
 * What is wrong with a fleet for the pods of a plan, checked pod by pod with labels and selectors as they are written.
 * It uses nothing of the search: neither classes of pods, nor topology groups, nor filters of instance types.
 */
export function fleetErrors(input: ScheduleInput, plan: SchedulePlan, catalog: Catalog, fleet: CheckedFleet): string[] {
  const templates = new Map(input.nodePools.map((pool) => [pool.name, templateOf(pool, input, catalog)]));
  return [
    ...countErrors(plan, fleet),
    ...limitErrors(input, plan, templates, fleet),
    ...fleet.nodes.flatMap((node, ordinal) => nodeErrors(input, templates.get(node.nodePool), node, ordinal)),
    ...zoneErrors(placesOf(input, plan, fleet), [...templates.values()]),
  ];
}

/** All pods that the plan has on other nodes than the kept ones are there once. */
function countErrors({ nodeClaims }: SchedulePlan, { nodes, kept }: CheckedFleet): string[] {
  const counts = new Map<number, number>();
  const add = (groups: ReadonlyMap<number, number>, sign: number) => {
    for (const [group, count] of groups) counts.set(group, (counts.get(group) ?? 0) + sign * count);
  };
  nodeClaims.forEach(({ groups }, index) => (kept.includes(index) ? undefined : add(groups, 1)));
  for (const { groups } of nodes) add(groups, -1);
  return [...counts]
    .filter(([, count]) => count !== 0)
    .map(([group, count]) => `${count} pods of ${group} are missing`);
}

function limitErrors(
  input: ScheduleInput,
  { nodeClaims }: SchedulePlan,
  templates: ReadonlyMap<string, PoolTemplate | undefined>,
  { nodes, kept }: CheckedFleet,
): string[] {
  const launched = [
    ...nodes.map(({ nodePool, offer }) => ({ nodePool, type: offer.instanceType })),
    ...kept.map((index) => ({
      nodePool: nodeClaims[index].nodePool,
      type: nodeClaims[index].launch?.cheapest.instanceType ?? '',
    })),
  ];
  return input.nodePools.flatMap((pool) => {
    const table = templates.get(pool.name)?.table;
    const types = launched.filter(({ nodePool }) => nodePool === pool.name).map(({ type }) => type);
    return [...limitsLeft(pool, input.nodes ?? [])].flatMap(([resource, limit]) => {
      const used = types.reduce((sum, type) => {
        const column = table?.capacity[table.resources.indexOf(resource)];
        const amount = column === undefined ? 0n : columnAmount(resource, column[table!.names.indexOf(type)] ?? 0);
        return sum + (resource === NODES ? 1n : amount);
      }, 0n);
      return types.length > 0 && used > limit ? [`${pool.name} has more ${resource} than its limit`] : [];
    });
  });
}

function nodeErrors(
  { pods, daemonSets, settings }: ScheduleInput,
  template: PoolTemplate | undefined,
  { offer, groups }: NodeWithPods,
  ordinal: number,
): string[] {
  if (template === undefined) return ['a node has no NodePool'];
  const { pool, requirements } = template;
  const placed = [...groups].map(([group, count]) => ({ group: pods[group], count }));
  const requests = merge(...placed.map(({ group, count }) => times(withPod(group.shape.requests), count)));
  // Where the NodePool leaves a label open, its pods decide the value.
  const wanted = requirements.copy();
  for (const { group } of placed)
    if (group.shape.requiredNodeAffinity.length === 0)
      wanted.add(...Requirements.fromLabels(group.shape.nodeSelector).values());
  const launchedFor = { requests, requirements: wanted.values() };
  const node = { name: 'new', ...launchedNode(template, offer, launchedFor, ordinal) };
  const running = daemonSets.filter(
    (daemonSet) =>
      runsOnNode(daemonSet, node) && (!daemonSet.shape.resourceClaims || settings.ignoreDraRequests === false),
  );
  const used = merge(requests, ...running.map(({ shape }) => withPod(shape.requests)));
  return [
    ...[...used]
      .filter(([resource, amount]) => amount > (node.allocatable.get(resource) ?? 0n))
      .map(([resource]) => `too little ${resource} on ${offer.instanceType}`),
    ...(isAllowed(pool, node.labels) ? [] : [`${offer.instanceType} is not allowed by ${pool.name}`]),
    ...placed.flatMap(({ group }) => podErrors(group.shape, node.labels, pool)),
    ...portErrors(
      placed,
      running.map(({ shape }) => shape),
    ),
    ...placed.flatMap(({ group, count }) => hostErrors(group, count, placed)),
  ];
}

function times(amounts: ResourceList, count: number): ResourceList {
  return new Map([...amounts].map(([resource, amount]) => [resource, amount * BigInt(count)]));
}

function isAllowed({ requirements }: NodePoolSpec, labels: Readonly<Record<string, string>>): boolean {
  return Requirements.fromLabels(labels).intersects(Requirements.from(requirements)) === undefined;
}

function podErrors(shape: PodShape, labels: Readonly<Record<string, string>>, { taints }: NodePoolSpec): string[] {
  const node = Requirements.fromLabels(labels);
  const hard = taints.filter(({ effect }) => effect !== 'PreferNoSchedule');
  const terms = shape.requiredNodeAffinity.map(({ matchExpressions }) => Requirements.from(matchExpressions));
  const volumes = (shape.volumeTopology ?? []).map((specs) => Requirements.from(specs));
  const meets = (list: readonly Requirements[]) =>
    list.length === 0 || list.some((wanted) => node.isCompatible(wanted));
  return [
    ...(untolerated(hard, shape.tolerations).length === 0 ? [] : ['a taint is not tolerated']),
    ...(node.isCompatible(Requirements.fromLabels(shape.nodeSelector)) ? [] : ['a node selector is not met']),
    ...(meets(terms) ? [] : ['node affinity is not met']),
    ...(meets(volumes) ? [] : ['a volume is elsewhere']),
  ];
}

function portErrors(placed: Place['pods'], daemons: readonly PodShape[]): string[] {
  const lists = [
    ...placed.flatMap(({ group, count }) => Array.from({ length: Math.min(2, count) }, () => group.shape)),
    ...daemons,
  ].map(({ hostPorts = [] }) => hostPorts);
  const pods = lists.slice(0, lists.length - daemons.length);
  return pods.some(
    (ports, index) => ports.length > 0 && lists.some((others, other) => other > index && conflicts(ports, others)),
  )
    ? ['two pods take one host port']
    : [];
}

/** Anti-affinity and spread over hosts. A new host could be empty, so that no host has more than maxSkew pods. */
function hostErrors(group: PodGroup, count: number, placed: Place['pods']): string[] {
  const { topologySpread = [], podAntiAffinity, podAffinity, labels = {} } = group.shape;
  const apart = (podAntiAffinity?.required ?? []).filter(({ topologyKey }) => topologyKey === Label.HOSTNAME);
  const spreads = topologySpread.filter(
    ({ topologyKey, whenUnsatisfiable }) => topologyKey === Label.HOSTNAME && whenUnsatisfiable === 'DoNotSchedule',
  );
  return [
    ...(count > 0 && apart.some((term) => othersOf(group, term, placed) > 0) ? ['pods do not keep apart'] : []),
    ...spreads.flatMap((spread) => {
      const selector =
        spread.labelSelector && withMatchedLabels(spread.labelSelector, spread.matchLabelKeys ?? [], labels);
      return counted(selector, [group.namespace], placed) > spread.maxSkew ? ['pods are not spread over hosts'] : [];
    }),
    ...((podAffinity?.required.length ?? 0) > 0 ? ['affinity to pods is not checked'] : []),
  ];
}

function withMatchedLabels(
  selector: LabelSelector,
  keys: readonly string[],
  labels: Readonly<Record<string, string>>,
): LabelSelector {
  const own = keys
    .filter((key) => labels[key] !== undefined)
    .map((key) => ({ key, operator: 'In', values: [labels[key]] }));
  return { ...selector, matchExpressions: [...(selector.matchExpressions ?? []), ...own] };
}

/** Pods that the term selects, without the pod that has it. Namespace selectors count every namespace. */
function othersOf(
  group: PodGroup,
  { labelSelector, namespaces = [], namespaceSelector }: PodAffinityTerm,
  pods: Place['pods'],
): number {
  const names = namespaceSelector !== undefined ? undefined : namespaces.length === 0 ? [group.namespace] : namespaces;
  const all = counted(labelSelector, names, pods);
  return all - counted(labelSelector, names, [{ group, count: 1 }]);
}

function counted(
  selector: LabelSelector | undefined,
  namespaces: readonly string[] | undefined,
  pods: Place['pods'],
): number {
  if (selector === undefined) return 0;
  return pods
    .filter(({ group }) => namespaces === undefined || namespaces.includes(group.namespace))
    .filter(({ group }) => selects(selector, group.shape.labels ?? {}))
    .reduce((sum, { count }) => sum + count, 0);
}

function placesOf(
  { pods, nodes = [] }: ScheduleInput,
  plan: SchedulePlan,
  { nodes: found, kept }: CheckedFleet,
): Place[] {
  const podsOf = (groups: ReadonlyMap<number, number>) =>
    [...groups].map(([group, count]) => ({ group: pods[group], count }));
  return [
    ...found.map(({ offer, groups }) => ({ zone: offer.zone, pods: podsOf(groups), isNew: true })),
    ...kept.map((index) => {
      const { launch, groups } = plan.nodeClaims[index];
      return { zone: launch?.cheapest.zone, pods: podsOf(groups), isNew: false };
    }),
    ...plan.filledNodes.map(({ node, groups }) => ({
      zone: nodes.find(({ name }) => name === node)?.labels[Label.ZONE],
      pods: podsOf(groups),
      isNew: false,
    })),
    ...nodes.map((node) => ({
      zone: node.labels[Label.ZONE],
      pods: node.pods
        .filter(({ terminating }) => terminating !== true)
        .map(({ namespace, name, shape }) => ({ group: { namespace, name, shape, count: 1 }, count: 1 })),
      isNew: false,
    })),
  ];
}

/** Spread and anti-affinity over zones, for pods on new nodes. All zones of NodePools that the pods may use count. */
function zoneErrors(places: readonly Place[], templates: ReadonlyArray<PoolTemplate | undefined>): string[] {
  const zones = new Set(
    templates.flatMap((template) => {
      if (template === undefined) return [];
      const { requirements, table } = template;
      return table.offerings.map(({ zone }) => zone).filter((zone) => requirements.get(Label.ZONE).has(zone));
    }),
  );
  const moved = new Set(places.filter(({ isNew }) => isNew).flatMap(({ pods }) => pods.map(({ group }) => group)));
  return [...moved].flatMap((group) => {
    const { topologySpread = [], podAntiAffinity, nodeSelector, labels = {} } = group.shape;
    const spreads = topologySpread.filter(
      ({ topologyKey, whenUnsatisfiable }) => topologyKey === Label.ZONE && whenUnsatisfiable === 'DoNotSchedule',
    );
    const own = Requirements.fromLabels(nodeSelector);
    for (const term of group.shape.requiredNodeAffinity) own.add(...Requirements.from(term.matchExpressions).values());
    const counts = (count: (pods: Place['pods']) => number) => {
      const byZone = new Map([...zones].filter((zone) => own.get(Label.ZONE).has(zone)).map((zone) => [zone, 0]));
      for (const { zone, pods } of places)
        if (zone !== undefined && byZone.has(zone)) byZone.set(zone, byZone.get(zone)! + count(pods));
      return [...byZone.values()];
    };
    const isSpread = spreads.every(({ labelSelector, matchLabelKeys = [], maxSkew, minDomains = 0 }) => {
      const selector = labelSelector && withMatchedLabels(labelSelector, matchLabelKeys, labels);
      const byZone = counts((pods) => counted(selector, [group.namespace], pods));
      return Math.max(...byZone) - (byZone.length < minDomains ? 0 : Math.min(...byZone)) <= maxSkew;
    });
    const keepsApart = (podAntiAffinity?.required ?? [])
      .filter(({ topologyKey }) => topologyKey === Label.ZONE)
      .every((term) =>
        places
          .filter(({ isNew, pods }) => isNew && pods.some((pod) => pod.group === group))
          .every(
            ({ zone }) =>
              othersOf(
                group,
                term,
                places.filter((place) => place.zone === zone).flatMap(({ pods }) => pods),
              ) === 0,
          ),
      );
    return [...(isSpread ? [] : ['pods are not spread over zones']), ...(keepsApart ? [] : ['pods share a zone'])];
  });
}
