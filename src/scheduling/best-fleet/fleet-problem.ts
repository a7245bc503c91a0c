import { FleetOption, fleetOptions, OptionContext } from './fleet-options';
import { FrozenPods } from './frozen-pods';
import { nodeRules, SharedRule, zoneRules, zoneSpreads } from './topology-rules';
import { ZoneSpread } from './zone-spread';
import { amountsPerColumnUnit } from '../../model';
import { constraintIdentity, PlacedPods } from '../cost/pod-kinds';
import { PodClass } from '../encoding/pod-classes';
import { limitedResources, NODES, PoolTemplate } from '../launch/pool-template';
import { SchedulePlan } from '../schedule-plan';

/** Free pods that no node can tell apart. */
export interface FleetKind {
  /** Index into the classes of the placed pods. */
  readonly podClass: number;
  /** How many of these pods are to be placed. */
  readonly count: number;
  /** By resource, in whole units of an instance type table, rounded up. */
  readonly requests: Float64Array;
  /** Index into the labels of options. */
  readonly constraint: number;
  /** Indices into `spreads`, `nodeRules` and `zoneRules`. */
  readonly spreads: readonly number[];
  readonly nodeRules: readonly number[];
  readonly zoneRules: readonly number[];
}

/** Pods and the nodes that may run them. */
export interface FleetProblem {
  readonly kinds: readonly FleetKind[];
  readonly zones: readonly string[];
  readonly options: readonly FleetOption[];
  readonly spreads: readonly ZoneSpread[];
  /** Pods that keep apart on nodes, and in zones. */
  readonly nodeRules: readonly SharedRule[];
  readonly zoneRules: readonly SharedRule[];
  /** By pool of an option: what its limits leave, by limited resource. */
  readonly limits: readonly Float64Array[];
}

export function fleetProblem(
  plan: SchedulePlan,
  placed: PlacedPods,
  frozen: FrozenPods,
  context: Pick<OptionContext, 'input' | 'catalog' | 'priceOf' | 'prices'>,
): FleetProblem {
  const { templates } = frozen;
  const { classes: all } = placed.classified;
  const counts = frozen.freeCounts();
  const classes = [...counts.keys()].filter((index) => counts[index] > 0);
  const resources = [...new Set(classes.flatMap((index) => [...all[index].requests.keys()]))].sort();
  const zones = [...new Set(templates.flatMap(({ table }) => table.offerings.map(({ zone }) => zone)))].sort();
  const limited = [...limitedResources(templates), NODES];
  const rules = {
    spreads: zoneSpreads(placed, classes, zones, frozen),
    nodeRules: nodeRules(placed, classes),
    zoneRules: zoneRules(placed, classes),
  };
  const constraints = new Map<string, { readonly number: number; readonly sample: PodClass }>();
  const kinds = classes.map((podClass, kind): FleetKind => {
    const facts = all[podClass];
    const identity = JSON.stringify([constraintIdentity(facts), facts.hostPorts ?? []]);
    const constraint = constraints.get(identity) ?? { number: constraints.size, sample: facts };
    constraints.set(identity, constraint);
    return {
      podClass,
      count: counts[podClass],
      requests: Float64Array.from(resources, (resource) => roundedUp(resource, facts.requests.get(resource) ?? 0n)),
      constraint: constraint.number,
      spreads: involving(rules.spreads, kind),
      nodeRules: involving(rules.nodeRules, kind),
      zoneRules: involving(rules.zoneRules, kind),
    };
  });
  const samples = [...constraints.values()].map(({ sample }) => sample);
  const options = fleetOptions({ ...context, templates, constraints: samples, resources, zones, limited });
  return { ...rules, kinds, zones, options, limits: limitsOf(templates, limited, plan, frozen) };
}

function involving(rules: ReadonlyArray<{ readonly kinds: readonly number[] }>, kind: number): number[] {
  return [...rules.keys()].filter((rule) => rules[rule].kinds.includes(kind));
}

function roundedUp(resource: string, amount: bigint): number {
  const unit = BigInt(amountsPerColumnUnit(resource));
  return Number((amount + unit - 1n) / unit);
}

/** What the nodes that stay leave of the limits of each NodePool. */
function limitsOf(
  templates: readonly PoolTemplate[],
  limited: readonly string[],
  { nodeClaims }: SchedulePlan,
  frozen: FrozenPods,
): Float64Array[] {
  return templates.map(({ pool, table, limitsLeft }) => {
    const types = [...frozen.claims].flatMap((index) => {
      const { nodePool, launch } = nodeClaims[index];
      return nodePool === pool.name && launch !== undefined ? [table.names.indexOf(launch.cheapest.instanceType)] : [];
    });
    return Float64Array.from(limited, (resource) => {
      const left = limitsLeft.get(resource);
      if (left === undefined) return Infinity;
      const column = table.capacity[table.resources.indexOf(resource)];
      const used = types.reduce((sum, type) => sum + (resource === NODES ? 1 : (column?.[type] ?? 0)), 0);
      return Number(left) / amountsPerColumnUnit(resource) - used;
    });
  });
}
