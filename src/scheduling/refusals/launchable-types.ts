import { Attempt } from './attempt';
import { picked } from './topology-picks';
import { InstanceTypeTable } from '../../catalog';
import { PackerRefusal } from '../../kernel';
import {
  amountsPerColumnUnit,
  columnAmount,
  Requirements,
  ResourceList,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../model';
import { distinctValues } from '../launch/min-values';
import { NODES } from '../launch/pool-template';
import { compatibleOfferings, compatibleTypes, isOffered } from '../launch/type-filter';
import { daemonOverheadByType, hostPortTest } from '../nodes/daemon-overhead';

/** A constraint that excludes instance types for a pod, and that an edit could remove. */
export interface Constraint {
  readonly kind:
    | 'node limit'
    | 'limit'
    | 'taints'
    | 'pool'
    | 'pod'
    | 'volumes'
    | 'topology'
    | 'ports'
    | 'resource'
    | 'minValues';
  /** The resource of a limit or request, or the label key of a requirement; empty for other kinds. */
  readonly name: string;
}

export const MIN_VALUES: Constraint = { kind: 'minValues', name: '' };

/**
 * The instance types that fit the pod on a new node of the pool, if the constraints in `without` are ignored. This is a
 * plain reimplementation of the kernel's checks for explanations.
 */
export function launchableTypes(attempt: Attempt, without: readonly Constraint[] = []): number[] {
  const {
    template: { pool, table },
    variant,
    limitsLeft,
    picks,
    volumes,
  } = attempt;
  const isIgnored = (kind: Constraint['kind'], name = '') =>
    without.some((constraint) => constraint.kind === kind && constraint.name === name);
  if (isNodeLimitReached(attempt) && !isIgnored('node limit')) return [];
  if (untolerated(pool.taints, variant.tolerations).length > 0 && !isIgnored('taints')) return [];
  const own = keepKeys(attempt.template.requirements, (key) => !isIgnored('pool', key));
  const ofPod = keepKeys(variant.requirements, (key) => !isIgnored('pod', key));
  if (!own.isCompatible(ofPod, WELL_KNOWN_LABELS)) return [];
  const node = own.copy();
  node.add(...ofPod.values());
  if (!isIgnored('volumes')) {
    if (!node.isCompatible(volumes, WELL_KNOWN_LABELS)) return [];
    node.add(...volumes.values());
  }
  if (!isIgnored('topology')) {
    if (isTopology(attempt.refusal)) return [];
    node.add(...picked(picks));
  }
  const compatible = compatibleTypes(table, node);
  const planes = compatibleOfferings(table, node);
  // The kernel has no daemonsets for the types that the pool excludes.
  const withOtherTypes = without.some(({ kind }) => kind === 'pool');
  const overheadOf = withOtherTypes
    ? daemonOverheadByType(attempt.template, own, attempt.daemonSets)
    : attempt.overheadOf;
  const isPortTaken = withOtherTypes
    ? hostPortTest(attempt.template, own, attempt.daemonSets, attempt.hostPorts)
    : attempt.isHostPortTaken;
  const holds = capacityTest(
    table,
    new Map([...attempt.requests].filter(([resource]) => !isIgnored('resource', resource))),
    overheadOf,
  );
  const isWithin = limitTest(table, new Map([...limitsLeft].filter(([resource]) => !isIgnored('limit', resource))));
  const types = table.names
    .map((_, type) => type)
    .filter((type) => compatible[type] && isOffered(planes, type) && isWithin(type) && holds(type))
    .filter((type) => isIgnored('ports') || !isPortTaken(type));
  return !isIgnored('minValues') && minValuesShortfalls(attempt, types, node).length > 0 ? [] : types;
}

/** Whether the pool has reached or exceeded its limit on the number of nodes. */
export function isNodeLimitReached({ template: { limitsLeft } }: Attempt): boolean {
  const left = limitsLeft.get(NODES);
  return left !== undefined && left <= 0n;
}

/** All constraints of the attempt, in Karpenter's order of checks. */
export function constraintsOf(attempt: Attempt): Constraint[] {
  const { template, refusal, variant, picks, limitsLeft, requests, minValues, volumes, hostPorts } = attempt;
  const { pool, requirements } = template;
  const pools = new Set([
    ...pool.requirements.flatMap((spec) => Requirements.from([spec]).keys()),
    ...Requirements.fromLabels(pool.labels).keys(),
  ]);
  const constraints = (kind: Constraint['kind'], names: Iterable<string>) =>
    [...names].sort().map((name) => ({ kind, name }));
  return [
    ...(isNodeLimitReached(attempt) ? constraints('node limit', ['']) : []),
    ...constraints('limit', limitsLeft.keys()),
    ...(untolerated(pool.taints, variant.tolerations).length > 0 ? constraints('taints', ['']) : []),
    ...constraints('pod', variant.requirements.keys()),
    ...constraints(
      'pool',
      requirements.keys().filter((key) => pools.has(key)),
    ),
    ...(volumes.keys().length > 0 ? constraints('volumes', ['']) : []),
    ...(picks.length > 0 || isTopology(refusal) ? constraints('topology', ['']) : []),
    ...(hostPorts.length > 0 ? constraints('ports', ['']) : []),
    ...constraints(
      'resource',
      [...requests].filter(([, amount]) => amount > 0n).map(([resource]) => resource),
    ),
    ...(minValues.length > 0 ? constraints('minValues', ['']) : []),
  ];
}

/** The labels with minValues that the types do not meet, with the values that they have. */
export function minValuesShortfalls(
  { template: { table }, minValues, requirements }: Pick<Attempt, 'template' | 'minValues' | 'requirements'>,
  types: readonly number[],
  node: Requirements = requirements,
): Array<{ key: string; minimum: number; values: string[] }> {
  if (types.length === 0) return [];
  return minValues
    .filter(([key]) => node.has(key))
    .map(([key, minimum]) => ({
      key,
      minimum,
      values: distinctValues(table, key, types, (value) => node.get(key).has(value)),
    }))
    .filter(({ minimum, values }) => values.length < minimum);
}

/** Whether the kernel's answer is a refusal by a topology constraint. */
export function isTopology(refusal: number): boolean {
  return refusal % 256 === PackerRefusal.TOPOLOGY;
}

/** The topology group of a refusal by a topology constraint; negative if several constraints exclude each other. */
export function topologyGroupOf(refusal: number): number {
  return Math.floor(refusal / 256) - 1;
}

function keepKeys(requirements: Requirements, keeps: (key: string) => boolean): Requirements {
  return Requirements.of(requirements.values().filter(({ key }) => keeps(key)));
}

type TypeTest = (type: number) => boolean;

function limitTest(table: InstanceTypeTable, limits: ResourceList): TypeTest {
  const columns = [...limits].map(([resource, left]) => ({
    column: table.capacity[table.resources.indexOf(resource)],
    left: Number(left) / amountsPerColumnUnit(resource),
  }));
  return (type) => columns.every(({ column, left }) => (column === undefined ? 0 : column[type]) <= left);
}

/** Whether a type holds the requests and its daemonsets. A type with a negative allocatable amount holds nothing. */
function capacityTest(
  table: InstanceTypeTable,
  requests: ResourceList,
  overheadOf: (type: number) => ResourceList,
): TypeTest {
  const tests = new Map<ResourceList, TypeTest>();
  return (type) => {
    const overhead = overheadOf(type);
    let test = tests.get(overhead);
    if (test === undefined) {
      const columns = [...requests].map(([resource, amount]) => ({
        column: table.allocatable[table.resources.indexOf(resource)],
        scale: amountsPerColumnUnit(resource),
        wanted: Number(amount + (overhead.get(resource) ?? 0n)),
      }));
      test = (candidate) =>
        columns.every(
          ({ column, scale, wanted }) => wanted <= (column === undefined ? 0 : Math.floor(column[candidate]) * scale),
        );
      tests.set(overhead, test);
    }
    return test(type) && table.allocatable.every((column) => column[type] >= 0);
  };
}

export function allocatable(table: InstanceTypeTable, resource: string, type: number): bigint {
  const column = table.allocatable[table.resources.indexOf(resource)];
  return column === undefined ? 0n : columnAmount(resource, column[type]);
}
