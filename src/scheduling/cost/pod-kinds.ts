import { amountsPerColumnUnit, Label } from '../../model';
import { ClassifiedPods, classify, PodClass } from '../encoding/pod-classes';
import { isStatic, PodGroup, ScheduleInput } from '../input/schedule-input';
import { SchedulePlan } from '../schedule-plan';
import { requirementsIdentity } from '../topology/requirements-identity';

/** Placed pods that no node can tell apart. */
export interface PodKind {
  readonly count: number;
  /** What one pod requests by column of `resources`, in whole units of an instance type table, rounded down. */
  readonly requests: Float64Array;
  /** The pod's constraints on nodes, shared with other kinds: an index into `Demand.constraints`. */
  readonly constraint: number;
  /** How many of these pods can run on one node because of ports, anti-affinity and spread over hosts. */
  readonly mostPerNode: number;
}

/** What the placed pods need. */
export interface Demand {
  /** Names of the requested resources, `pods` included, in sort order. */
  readonly resources: readonly string[];
  readonly kinds: readonly PodKind[];
  readonly constraints: ReadonlyArray<Pick<PodClass, 'variants' | 'volumeTopology'>>;
  /** Sets of kinds: a node runs at most so many pods of a set. */
  readonly shared: readonly SharedNodes[];
}

export interface SharedNodes {
  readonly kinds: readonly number[];
  readonly most: number;
}

/** Pods that a plan places, in classes. */
export interface PlacedPods {
  /** Indices into `ScheduleInput.pods`. */
  readonly groups: readonly number[];
  /** The placed pods of each of `groups`. */
  readonly counts: readonly number[];
  readonly classified: ClassifiedPods;
  /** Pods by class, for each node that gets pods. */
  readonly loads: ReadonlyArray<ReadonlyMap<number, number>>;
}

/** The pods that the plan places, on new and on existing nodes. */
export function placedPods(input: ScheduleInput, { nodeClaims, filledNodes }: SchedulePlan): PlacedPods {
  const counts = new Map<number, number>();
  for (const { groups } of [...nodeClaims, ...filledNodes])
    for (const [group, count] of groups) counts.set(group, (counts.get(group) ?? 0) + count);
  const placed = [...counts].filter(([, count]) => count > 0).sort(([left], [right]) => left - right);
  const groups = placed.map(([group, count]): PodGroup => ({ ...input.pods[group], count }));
  const pools = input.nodePools.filter((pool) => !isStatic(pool));
  const classified = classify(groups, pools, input.settings, { namespaces: input.namespaces });
  const classOf = new Map(placed.map(([group], index) => [group, classified.classOf[index]]));
  return {
    groups: placed.map(([group]) => group),
    counts: placed.map(([, count]) => count),
    classified,
    loads: [...nodeClaims, ...filledNodes].map((node) => {
      const load = new Map<number, number>();
      for (const [group, count] of node.groups)
        if (count > 0) load.set(classOf.get(group)!, (load.get(classOf.get(group)!) ?? 0) + count);
      return load;
    }),
  };
}

/** The groups of required spread, affinity and anti-affinity: those that the last step of relaxation keeps. */
export function hardGroups({ variants }: PodClass): readonly number[] {
  return variants[variants.length - 1].topologies;
}

export function demandOf(placed: PlacedPods): Demand {
  const { counts, classified } = placed;
  const { classes, classOf } = classified;
  const resources = [...new Set(classes.flatMap(({ requests }) => [...requests.keys()]))].sort();
  const pods = new Array<number>(classes.length).fill(0);
  counts.forEach((count, group) => (pods[classOf[group]] += count));
  const constraints: PodClass[] = [];
  const numbers = new Map<string, number>();
  const shared = [...apartOnNodes(classified), ...spreadOverNodes(placed)];
  const kinds = classes.map((podClass, kind): PodKind => {
    const { requests, hostPorts = [] } = podClass;
    const identity = constraintIdentity(podClass);
    const constraint = numbers.get(identity) ?? constraints.push(podClass) - 1;
    numbers.set(identity, constraint);
    const limits = shared.filter((set) => set.kinds.includes(kind)).map(({ most }) => most);
    return {
      count: pods[kind],
      requests: Float64Array.from(resources, (resource) => wholeUnits(resource, requests.get(resource) ?? 0n)),
      constraint,
      mostPerNode: Math.min(hostPorts.length > 0 ? 1 : Infinity, ...limits),
    };
  });
  return { resources, kinds, constraints, shared: shared.filter((set) => set.kinds.length > 1) };
}

/** Equal for pods that the same nodes take: with equal requirements in all alternatives, tolerations and volumes. */
export function constraintIdentity({
  variants,
  volumeTopology,
}: Pick<PodClass, 'variants' | 'volumeTopology'>): string {
  return JSON.stringify([
    [...new Set(variants.map(({ strict }) => requirementsIdentity(strict)))],
    variants[variants.length - 1].tolerations,
    volumeTopology.map(requirementsIdentity),
  ]);
}

/** Kinds that have anti-affinity over hosts to each other and to themselves. */
function apartOnNodes({ classes, topologies }: ClassifiedPods): SharedNodes[] {
  const sets = new Map<number, number[]>();
  classes.forEach(({ ownAntiAffinity, inverseAntiAffinity }, kind) => {
    for (const group of ownAntiAffinity)
      if (topologies.groups[group].key === Label.HOSTNAME && inverseAntiAffinity.includes(group))
        sets.set(group, [...(sets.get(group) ?? []), kind]);
  });
  return [...sets.values()].map((kinds) => ({ kinds, most: 1 }));
}

/**
 * Kinds with required spread over hosts. Karpenter counts a new node as empty, so that no node gets more than maxSkew
 * of these pods. kube-scheduler does not, so that a spread that the plan does not keep is left out.
 */
function spreadOverNodes({ classified: { classes, topologies }, loads }: PlacedPods): SharedNodes[] {
  return topologies.groups.flatMap(({ key, type, maxSkew }, group) => {
    if (key !== Label.HOSTNAME || type !== 'topology spread') return [];
    const kinds = [...classes.keys()].filter(
      (kind) => hardGroups(classes[kind]).includes(group) && classes[kind].counted.includes(group),
    );
    const isKept = loads.every((load) => kinds.reduce((sum, kind) => sum + (load.get(kind) ?? 0), 0) <= maxSkew);
    return kinds.length > 0 && isKept ? [{ kinds, most: maxSkew }] : [];
  });
}

/** Rounded down: a bound may only count what is requested for sure. */
function wholeUnits(resource: string, amount: bigint): number {
  return Math.max(0, Number(amount / BigInt(amountsPerColumnUnit(resource))));
}
