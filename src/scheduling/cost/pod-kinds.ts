import { amountsPerColumnUnit, Label } from '../../model';
import { ClassifiedPods, classify, PodClass } from '../encoding/pod-classes';
import { isStatic, PodGroup, ScheduleInput } from '../input/schedule-input';
import { SchedulePlan } from '../schedule-plan';

/** Placed pods that no node can tell apart. */
export interface PodKind {
  readonly count: number;
  /** What one pod requests by column of `resources`, in whole units of an instance type table, rounded down. */
  readonly requests: Float64Array;
  /** The pod's constraints on nodes, shared with other kinds: an index into `Demand.constraints`. */
  readonly constraint: number;
  /** Whether two of these pods cannot run on one node. */
  readonly isAlone: boolean;
}

/** What the placed pods need. */
export interface Demand {
  /** Names of the requested resources, `pods` included, in sort order. */
  readonly resources: readonly string[];
  readonly kinds: readonly PodKind[];
  readonly constraints: ReadonlyArray<Pick<PodClass, 'variants' | 'volumeTopology'>>;
  /** Sets of kinds: a node runs at most one pod of each set. */
  readonly exclusive: ReadonlyArray<readonly number[]>;
}

/** The pods that the plan places, on new and on existing nodes. */
export function demandOf(input: ScheduleInput, { nodeClaims, filledNodes }: SchedulePlan): Demand {
  const counts = new Map<number, number>();
  for (const { groups } of [...nodeClaims, ...filledNodes])
    for (const [group, count] of groups) counts.set(group, (counts.get(group) ?? 0) + count);
  const placed = [...counts].filter(([, count]) => count > 0).sort(([left], [right]) => left - right);
  const groups = placed.map(([group, count]): PodGroup => ({ ...input.pods[group], count }));
  const pools = input.nodePools.filter((pool) => !isStatic(pool));
  return demandOfClasses(groups, classify(groups, pools, input.settings, { namespaces: input.namespaces }));
}

function demandOfClasses(groups: readonly PodGroup[], { classes, classOf, topologies }: ClassifiedPods): Demand {
  const resources = [...new Set(classes.flatMap(({ requests }) => [...requests.keys()]))].sort();
  const pods = new Array<number>(classes.length).fill(0);
  groups.forEach(({ count }, group) => (pods[classOf[group]] += count));
  const constraints: PodClass[] = [];
  const numbers = new Map<PodClass['variants'], number>();
  const exclusive = new Map<number, number[]>();
  const kinds = classes.map((podClass, kind): PodKind => {
    const { variants, requests, hostPorts = [] } = podClass;
    const constraint = numbers.get(variants) ?? constraints.push(podClass) - 1;
    numbers.set(variants, constraint);
    const apart = podClass.ownAntiAffinity.filter(
      (group) => topologies.groups[group].key === Label.HOSTNAME && podClass.inverseAntiAffinity.includes(group),
    );
    for (const group of apart) exclusive.set(group, [...(exclusive.get(group) ?? []), kind]);
    return {
      count: pods[kind],
      requests: Float64Array.from(resources, (resource) => wholeUnits(resource, requests.get(resource) ?? 0n)),
      constraint,
      isAlone: hostPorts.length > 0 || apart.length > 0,
    };
  });
  return { resources, kinds, constraints, exclusive: [...exclusive.values()].filter(({ length }) => length > 1) };
}

/** Rounded down: a bound may only count what is requested for sure. */
function wholeUnits(resource: string, amount: bigint): number {
  return Math.max(0, Number(amount / BigInt(amountsPerColumnUnit(resource))));
}
