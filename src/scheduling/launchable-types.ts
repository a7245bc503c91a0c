import { InstanceTypeTable } from '../catalog';
import { Refusal } from '../kernel';
import { Requirements, ResourceList, untolerated, WELL_KNOWN_LABELS } from '../model';
import { Attempt } from './attempt';
import { daemonOverheads } from './daemon-overheads';
import { distinctValues } from './distinct-values';
import { NODES } from './templates';
import { picked } from './topology-picks';
import { compatibleOfferings, compatibleTypes, isOffered } from './type-filter';

/** Something that keeps a pod from instance types, and that one could do without. */
export interface Constraint {
  readonly kind: 'node limit' | 'limit' | 'taints' | 'pool' | 'pod' | 'volumes' | 'topology' | 'ports' | 'resource' | 'minValues';
  /** The resource of a limit or request, the label key of a requirement; empty for the others. */
  readonly name: string;
}

export const MIN_VALUES: Constraint = { kind: 'minValues', name: '' };

/**
 * The instance types that would take the pod on a new node of the pool, had the constraints in `without` not been there: plain
 * code, to tell what stands in the way.
 */
export function launchableTypes(attempt: Attempt, without: readonly Constraint[] = []): number[] {
  const { template: { pool, table }, variant, limitsLeft, picks, volumes } = attempt;
  const isOut = (kind: Constraint['kind'], name = '') => without.some((constraint) => constraint.kind === kind && constraint.name === name);
  if (hasNodesEnough(attempt) && !isOut('node limit')) return [];
  if (untolerated(pool.taints, variant.tolerations).length > 0 && !isOut('taints')) return [];
  const own = keep(attempt.template.requirements, (key) => !isOut('pool', key));
  const ofPod = keep(variant.requirements, (key) => !isOut('pod', key));
  if (!own.isCompatible(ofPod, WELL_KNOWN_LABELS)) return [];
  const node = own.copy();
  node.add(...ofPod.values());
  if (!isOut('volumes')) {
    if (!node.isCompatible(volumes, WELL_KNOWN_LABELS)) return [];
    node.add(...volumes.values());
  }
  if (!isOut('topology')) {
    if (isTopology(attempt.code)) return [];
    node.add(...picked(picks));
  }
  const compatible = compatibleTypes(table, node);
  const planes = compatibleOfferings(table, node);
  const overheadOf = without.some(({ kind }) => kind === 'pool') ? daemonOverheads(attempt.template, own, attempt.daemonSets) : attempt.overheadOf;
  const holds = capacityTest(table, new Map([...attempt.requests].filter(([resource]) => !isOut('resource', resource))), overheadOf);
  const isWithin = limitTest(table, new Map([...limitsLeft].filter(([resource]) => !isOut('limit', resource))));
  const types = table.names.map((_, type) => type)
    .filter((type) => compatible[type] && isOffered(planes, type) && isWithin(type) && holds(type))
    .filter((type) => isOut('ports') || !attempt.portTaken(type));
  return !isOut('minValues') && shortMinima(attempt, types, node).length > 0 ? [] : types;
}

/** Whether the pool has all the nodes that it may have, or more. */
export function hasNodesEnough({ template: { limitsLeft } }: Attempt): boolean {
  const left = limitsLeft.get(NODES);
  return left !== undefined && left <= 0n;
}

/** Every constraint that is at work in the attempt, in the order in which Karpenter looks at them. */
export function constraintsOf(attempt: Attempt): Constraint[] {
  const { template, code, variant, picks, limitsLeft, requests, minValues, volumes, hostPorts } = attempt;
  const { pool, requirements } = template;
  const pools = new Set([...pool.requirements.flatMap((spec) => Requirements.from([spec]).keys()), ...Requirements.fromLabels(pool.labels).keys()]);
  const all = (kind: Constraint['kind'], names: Iterable<string>) => [...names].sort().map((name) => ({ kind, name }));
  return [
    ...hasNodesEnough(attempt) ? all('node limit', ['']) : [],
    ...all('limit', limitsLeft.keys()),
    ...untolerated(pool.taints, variant.tolerations).length > 0 ? all('taints', ['']) : [],
    ...all('pod', variant.requirements.keys()),
    ...all('pool', requirements.keys().filter((key) => pools.has(key))),
    ...volumes.keys().length > 0 ? all('volumes', ['']) : [],
    ...picks.length > 0 || isTopology(code) ? all('topology', ['']) : [],
    ...hostPorts.length > 0 ? all('ports', ['']) : [],
    ...all('resource', [...requests].filter(([, amount]) => amount > 0n).map(([resource]) => resource)),
    ...minValues.length > 0 ? all('minValues', ['']) : [],
  ];
}

/** The labels of which the types carry too few values. */
export function shortMinima(
  { template: { table }, minValues, requirements }: Pick<Attempt, 'template' | 'minValues' | 'requirements'>, types: readonly number[],
  node: Requirements = requirements,
): Array<{ key: string; minimum: number; values: string[] }> {
  if (types.length === 0) return [];
  return minValues.filter(([key]) => node.has(key))
    .map(([key, minimum]) => ({ key, minimum, values: distinctValues(table, key, types, (value) => node.get(key).has(value)) }))
    .filter(({ minimum, values }) => values.length < minimum);
}

export function isTopology(code: number): boolean {
  return code % 256 === Refusal.TOPOLOGY;
}

function keep(requirements: Requirements, keeps: (key: string) => boolean): Requirements {
  return Requirements.of(requirements.values().filter(({ key }) => keeps(key)));
}

type TypeTest = (type: number) => boolean;

function limitTest(table: InstanceTypeTable, limits: ResourceList): TypeTest {
  const columns = [...limits].map(([resource, left]) => ({ column: table.capacity[table.resources.indexOf(resource)], left: Number(left) }));
  return (type) => columns.every(({ column, left }) => (column === undefined ? 0 : column[type]) <= left);
}

/** Whether a type holds the requests with its daemonsets; one with any negative amount holds nothing. */
function capacityTest(table: InstanceTypeTable, requests: ResourceList, overheadOf: (type: number) => ResourceList): TypeTest {
  const tests = new Map<ResourceList, TypeTest>();
  return (type) => {
    const overhead = overheadOf(type);
    let test = tests.get(overhead);
    if (test === undefined) {
      const columns = [...requests].map(([resource, amount]) =>
        ({ column: table.allocatable[table.resources.indexOf(resource)], wanted: Number(amount + (overhead.get(resource) ?? 0n)) }));
      test = (candidate) => columns.every(({ column, wanted }) => wanted <= (column === undefined ? 0 : Math.floor(column[candidate])));
      tests.set(overhead, test);
    }
    return test(type) && table.allocatable.every((column) => column[type] >= 0);
  };
}

export function allocatable(table: InstanceTypeTable, resource: string, type: number): bigint {
  const column = table.allocatable[table.resources.indexOf(resource)];
  return column === undefined ? 0n : BigInt(Math.floor(column[type]));
}
