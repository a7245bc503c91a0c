import { goSort } from './go-sort';
import { Catalog, InstanceTypeTable, OfferingPlane } from '../../src/catalog';
import {
  columnAmount,
  fits,
  merge,
  Requirement,
  Requirements,
  ResourceList,
  Toleration,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../src/model';
import { NodePoolSpec, PodShape, ScheduleInput } from '../../src/scheduling';

/**
 * A simple implementation of Karpenter's scheduling loop: one pod and one instance type at a time, with the algebra of
 * src/model. Open claims are sorted again before each pod. It shares no code with the kernel or its encoder, so that
 * both can be compared.
 */
export interface ReferenceClaim {
  readonly pool: string;
  readonly pods: string[];
  readonly types: string[];
}
export interface ReferencePlan {
  readonly claims: ReferenceClaim[];
  readonly unschedulable: string[];
}

interface Claim {
  readonly template: Template;
  requirements: Requirements;
  types: number[];
  requests: ResourceList;
  readonly pods: string[];
  minima: Array<[string, number]>;
}

interface Template {
  readonly pool: NodePoolSpec;
  readonly table: InstanceTypeTable;
  readonly requirements: Requirements;
  readonly types: number[];
  readonly overhead: Map<number, ResourceList>;
  readonly limits: Map<string, bigint>;
}
interface Pod {
  readonly name: string;
  readonly shape: PodShape;
  readonly requests: ResourceList;
}

const PREFER: Toleration = { operator: 'Exists', effect: 'PreferNoSchedule' };

export function reference(input: ScheduleInput, catalog: Catalog): ReferencePlan {
  const daemonTerms = input.daemonSets.map(({ shape }) =>
    variants({ ...shape, preferredNodeAffinity: [] }, false, true),
  );
  const templates = [...input.nodePools]
    .sort((a, b) => b.weight - a.weight || (a.name < b.name ? 1 : -1))
    .map((pool) => template(pool, input, catalog, daemonTerms))
    .filter(({ types }) => types.length > 0);
  const claims: Claim[] = [];
  const order: Claim[] = [];
  const bestEffort = input.settings.minValuesPolicy === 'BestEffort';
  const preferNoSchedule = input.nodePools.some((pool) =>
    pool.taints.some(({ effect }) => effect === 'PreferNoSchedule'),
  );

  function tryOn(
    requirements: Requirements,
    target: Template,
    types: number[],
    requests: ResourceList,
    variant: Variant,
    pod: Pod,
  ) {
    if (untolerated(target.pool.taints, variant.tolerations).length > 0) return undefined;
    if (requirements.compatible(variant.requirements, WELL_KNOWN_LABELS) !== undefined) return undefined;
    const narrowed = requirements.copy();
    narrowed.add(...variant.requirements.values());
    const total = merge(requests, pod.requests);
    const left = types.filter(
      (type) =>
        admits(target.table, type, narrowed) &&
        offered(target.table, type, narrowed) &&
        holds(target.table, type, merge(total, target.overhead.get(type) ?? new Map())),
    );
    return left.length === 0 ? undefined : { requirements: narrowed, requests: total, types: left };
  }

  function place(pod: Pod): boolean {
    for (const variant of variants(pod.shape, preferNoSchedule, input.settings.preferencePolicy === 'Ignore')) {
      goSort(order, ({ pods }) => pods.length);
      for (const claim of order) {
        const joined = tryOn(claim.requirements, claim.template, claim.types, claim.requests, variant, pod);
        if (
          !joined ||
          !claim.minima.every(
            ([key, min]) => distinct(claim.template.table, joined.types, key, joined.requirements) >= min,
          )
        )
          continue;
        Object.assign(claim, { requirements: joined.requirements, types: joined.types, requests: joined.requests });
        claim.pods.push(pod.name);
        return true;
      }
      for (const target of templates) {
        if (target.limits.get('nodes') === 0n) continue;
        const types = target.types.filter((type) =>
          [...target.limits].every(
            ([resource, left]) =>
              resource === 'nodes' || amount(target.table, target.table.capacity, type, resource) <= left,
          ),
        );
        const joined = types.length > 0 && tryOn(target.requirements, target, types, new Map(), variant, pod);
        if (!joined) continue;
        const minima = minimaOf(target.requirements).map(([key, min]): [string, number] => {
          const have = distinct(target.table, joined.types, key, joined.requirements);
          return [key, bestEffort ? Math.min(min, have) : min];
        });
        if (!minima.every(([key, min]) => distinct(target.table, joined.types, key, joined.requirements) >= min))
          continue;
        const claim = { template: target, ...joined, pods: [pod.name], minima };
        claims.push(claim);
        order.push(claim);
        for (const [resource, left] of target.limits) {
          if (resource === 'nodes') continue;
          const largest = joined.types
            .map((type) => amount(target.table, target.table.capacity, type, resource))
            .reduce((a, b) => (a > b ? a : b));
          target.limits.set(resource, left - largest);
        }
        return true;
      }
    }
    return false;
  }

  const queue = podsOf(input);
  const lastLength = new Map<string, number>();
  while (queue.length > 0 && lastLength.get(queue[0].name) !== queue.length) {
    const pod = queue.shift()!;
    if (place(pod)) continue;
    queue.push(pod);
    lastLength.set(pod.name, queue.length);
  }
  return {
    claims: claims.map(({ template: { pool, table }, pods, types }) => ({
      pool: pool.name,
      pods,
      types: types.map((type) => table.names[type]).sort(),
    })),
    unschedulable: queue.map(({ name }) => name).sort(),
  };
}

interface Variant {
  readonly requirements: Requirements;
  readonly tolerations: readonly Toleration[];
}

function variants(shape: PodShape, preferNoSchedule: boolean, ignorePreferences: boolean): Variant[] {
  const required = [...shape.requiredNodeAffinity];
  const preferred = ignorePreferences ? [] : [...shape.preferredNodeAffinity].sort((a, b) => b.weight - a.weight);
  let tolerations = shape.tolerations;
  const result: Variant[] = [];
  for (;;) {
    const requirements = Requirements.fromLabels(shape.nodeSelector);
    if (preferred.length > 0)
      requirements.add(...preferred[0].term.matchExpressions.map((spec) => Requirement.from(spec)));
    if (required.length > 0) requirements.add(...required[0].matchExpressions.map((spec) => Requirement.from(spec)));
    result.push({ requirements, tolerations });
    if (required.length > 1) required.shift();
    else if (preferred.length > 0) preferred.shift();
    else if (preferNoSchedule && !tolerations.includes(PREFER)) tolerations = [...tolerations, PREFER];
    else return result;
  }
}

function podsOf(input: ScheduleInput): Pod[] {
  const all = input.pods.flatMap(({ namespace, name, count, shape }) =>
    Array.from(
      { length: count },
      (_, ordinal): Pod => ({
        name: `${namespace}/${name}-${ordinal}`,
        shape,
        requests: new Map([...shape.requests, ['pods', 1n]]),
      }),
    ),
  );
  const compareBy = (a: Pod, b: Pod, resource: string) =>
    Number((b.requests.get(resource) ?? 0n) - (a.requests.get(resource) ?? 0n));
  return all.sort((a, b) => compareBy(a, b, 'cpu') || compareBy(a, b, 'memory'));
}

/** @param daemonTerms the remaining node affinity terms of each DaemonSet; terms dropped here stay dropped */
function template(pool: NodePoolSpec, input: ScheduleInput, catalog: Catalog, daemonTerms: Variant[][]): Template {
  const table = catalog.resolve(input.nodeClasses.get(pool.nodeClass)!);
  const requirements = Requirements.from(pool.requirements);
  requirements.add(
    ...Requirements.fromLabels({
      ...pool.labels,
      'karpenter.sh/nodepool': pool.name,
      'karpenter.k8s.aws/ec2nodeclass': pool.nodeClass,
      'karpenter.sh/registered': 'true',
      'karpenter.sh/initialized': 'true',
    }).values(),
  );
  let types = table.names
    .map((_, type) => type)
    .filter(
      (type) =>
        admits(table, type, requirements) && offered(table, type, requirements) && holds(table, type, new Map()),
    );
  const strict = input.settings.minValuesPolicy !== 'BestEffort';
  if (strict && !minimaOf(requirements).every(([key, min]) => distinct(table, types, key, requirements) >= min))
    types = [];
  const meets = (type: number, variant: Variant) =>
    requirements.compatible(variant.requirements, WELL_KNOWN_LABELS) === undefined &&
    admits(table, type, variant.requirements);
  const overhead = new Map(
    types.map((type) => [
      type,
      merge(
        ...input.daemonSets.flatMap(({ shape }, daemon) => {
          if (untolerated(pool.taints, [...shape.tolerations, PREFER]).length > 0) return [];
          const terms = daemonTerms[daemon];
          while (terms.length > 1 && !meets(type, terms[0])) terms.shift();
          return meets(type, terms[0]) ? [new Map([...shape.requests, ['pods', 1n]])] : [];
        }),
      ),
    ]),
  );
  return { pool, table, requirements, types, overhead, limits: new Map(pool.limits) };
}

function minimaOf(requirements: Requirements): Array<[string, number]> {
  return requirements
    .values()
    .flatMap(({ key, minValues }): Array<[string, number]> => (minValues === undefined ? [] : [[key, minValues]]));
}

function labelsOf(table: InstanceTypeTable, type: number): Requirements {
  return Requirements.from(
    table.labels.map(({ key, values, codes, sets }) => {
      const inSet = (code: number): boolean => Math.floor(sets![type] / 2 ** code) % 2 === 1;
      const single = codes[type] < 0 ? [] : [values[codes[type]]];
      const own = sets ? values.filter((_, code) => inSet(code)) : single;
      return own.length > 0
        ? { key, operator: 'In' as const, values: own }
        : { key, operator: 'DoesNotExist' as const };
    }),
  );
}

const labelCache = new WeakMap<InstanceTypeTable, Requirements[]>();

function labels(table: InstanceTypeTable, type: number): Requirements {
  let tableLabels = labelCache.get(table);
  if (!tableLabels) {
    tableLabels = [];
    labelCache.set(table, tableLabels);
  }
  return (tableLabels[type] ??= labelsOf(table, type));
}

function admits(table: InstanceTypeTable, type: number, requirements: Requirements): boolean {
  return labels(table, type).intersects(requirements) === undefined;
}

function offered(table: InstanceTypeTable, type: number, requirements: Requirements): boolean {
  return table.offerings.some(
    (plane) =>
      !Number.isNaN(plane.usdPerHour[type]) &&
      requirements.compatible(offeringRequirements(plane), WELL_KNOWN_LABELS) === undefined,
  );
}

function offeringRequirements(plane: OfferingPlane): Requirements {
  const absent = ['id', 'type', 'interruptible'].map((name) => ({
    key: `karpenter.k8s.aws/capacity-reservation-${name}`,
    operator: 'DoesNotExist' as const,
  }));
  return Requirements.from([
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: [plane.zone] },
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: [plane.capacityType] },
    ...absent,
  ]);
}

function amount(table: InstanceTypeTable, columns: readonly Float64Array[], type: number, resource: string): bigint {
  const column = columns[table.resources.indexOf(resource)];
  return column === undefined ? 0n : columnAmount(resource, column[type]);
}

function holds(table: InstanceTypeTable, type: number, requests: ResourceList): boolean {
  return fits(
    requests,
    new Map(table.resources.map((resource) => [resource, amount(table, table.allocatable, type, resource)])),
  );
}

function distinct(table: InstanceTypeTable, types: readonly number[], key: string, requirements: Requirements): number {
  return new Set(
    types.flatMap((type) => {
      const own = labels(table, type);
      return own.has(key) ? [...own.get(key).values].filter((value) => requirements.get(key).has(value)) : [];
    }),
  ).size;
}
