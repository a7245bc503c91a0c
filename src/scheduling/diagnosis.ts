import { Refusal } from '../kernel';
import { formatAmount } from '../model';
import { Attempt, Solved } from './attempt';
import { Constraint, constraintsOf, hasNodesEnough, isTopology, launchableTypes, MIN_VALUES, shortMinima } from './launchable-types';
import { nearestMiss } from './nearest-miss';
import { requirementDiagnosis } from './requirement-diagnosis';
import { taintDiagnosis } from './taint-diagnosis';
import { NODES } from './templates';
import { topologyDiagnosis } from './topology-diagnosis';
import { compatibleOfferings } from './type-filter';
import { count, joined, valuesText } from './wording';

/** What really stands in the way, with figures: Karpenter's own words name the criterion, and not what it would take. */
export function diagnose(attempt: Attempt, solved: Solved): string | undefined {
  const { code, template: { pool } } = attempt;
  if (isTopology(code)) return topologyDiagnosis(attempt, solved);
  switch (code) {
    case Refusal.NONE: return undefined;
    case Refusal.TAINT: return taintDiagnosis(attempt);
    case Refusal.REQUIREMENTS: return requirementDiagnosis(attempt);
    case Refusal.NODE_LIMIT: return nodeLimitDiagnosis(attempt);
    case Refusal.LIMITS: return hasNodesEnough(attempt) ? nodeLimitDiagnosis(attempt) : limitDiagnosis(attempt, solved);
    case Refusal.RESERVED: return 'put off, not refused: new nodes keep every reservation that they could use until they are launched; then Karpenter tries again';
    case Refusal.RESERVATIONS_FULL: return fullReservations(attempt);
    case Refusal.MIN_VALUES: return minValuesDiagnosis(attempt);
    default: return filterDiagnosis(attempt) ?? `no instance type of NodePool ${pool.name} meets all of the constraints`;
  }
}

function nodeLimitDiagnosis({ template: { pool, limitsLeft } }: Attempt): string {
  const most = pool.limits.get(NODES) ?? 0n;
  const there = most - (limitsLeft.get(NODES) ?? 0n);
  return most === 0n && there === 0n ? 'limits.nodes is 0: the pool may have no node' : `limits.nodes is ${most}, and there are ${count(Number(there), 'node')} of the pool`;
}

/** What is left of the limits, and what the smallest instance type of the pool has. */
function limitDiagnosis(attempt: Attempt, { templates, groups: all }: Solved): string {
  const { template: { pool, table }, limitsLeft } = attempt;
  // Karpenter looks at limits before host ports: also at types whose daemonsets have the pod's.
  const groups = all[templates.indexOf(attempt.template)];
  const types = table.names.map((_, type) => type).filter((type) => groups.some(({ has }) => has(type)));
  const exceeded = [...limitsLeft.keys()].sort().flatMap((resource) => {
    const column = table.capacity[table.resources.indexOf(resource)];
    // No instance type has any of it, so that no limit of it is ever reached.
    if (column === undefined) return [];
    const comesBefore = (one: number, other: number) => column[one] - column[other] || (table.names[one] < table.names[other] ? -1 : 1);
    const smallest = types.reduce((least, type) => comesBefore(type, least) < 0 ? type : least, types[0]);
    const left = limitsLeft.get(resource)!;
    if (column[smallest] <= Number(left)) return [];
    return [`${leftOf(attempt, resource)}, and ${table.names[smallest]}, the smallest instance type of the pool, has ${formatAmount(resource, BigInt(column[smallest]))}`];
  });
  return exceeded.length > 0 ? exceeded.join('; ')
    : `no instance type of the pool is within ${joined([...pool.limits.keys()].sort().map((resource) => `limits.${resource}`))} together: ${[...limitsLeft.keys()].sort().map((resource) => leftOf(attempt, resource)).join(', ')}`;
}

function leftOf({ template: { pool }, limitsLeft }: Attempt, resource: string): string {
  const left = limitsLeft.get(resource)!;
  return `limits.${resource} has ${formatAmount(resource, left < 0n ? 0n : left)} of ${formatAmount(resource, pool.limits.get(resource)!)} left`;
}

function minValuesDiagnosis(attempt: Attempt): string {
  return shortMinima(attempt, launchableTypes(attempt, [MIN_VALUES]))
    .map(({ key, minimum, values }) => `minValues asks for ${count(minimum, 'value')} of ${key}, and the instance types left for the pod have ${values.length} (${joined(values)})`)
    .join('; ');
}

/** Size first; then what, taken away, would leave some instance type. */
function filterDiagnosis(attempt: Attempt): string | undefined {
  const constraints = constraintsOf(attempt);
  const miss = nearestMiss(attempt);
  const others = constraints.filter(({ kind }) => miss === undefined ? kind !== 'resource' : kind === 'limit' || kind === 'topology')
    .flatMap((constraint) => {
      const types = launchableTypes(attempt, [constraint]).length;
      return types === 0 ? [] : [`without ${nameOf(attempt, constraint)}, ${count(types, 'instance type')} would do`];
    });
  const all = [...miss === undefined ? [] : [miss], ...others.slice(0, miss === undefined ? 2 : 1)];
  return all.length > 0 ? all.join('; ') : pairDiagnosis(attempt, constraints);
}

/** Where no single constraint is to blame: the first two that are together. */
function pairDiagnosis(attempt: Attempt, constraints: readonly Constraint[]): string | undefined {
  for (const [at, first] of constraints.entries()) {
    for (const second of constraints.slice(at + 1)) {
      const types = launchableTypes(attempt, [first, second]).length;
      if (types > 0) return `only without both ${nameOf(attempt, first)} and ${nameOf(attempt, second)} would any instance type do (${types} of them)`;
    }
  }
  return undefined;
}

/** A constraint as its owner wrote it. */
export function nameOf(attempt: Attempt, { kind, name }: Constraint): string {
  const { template, variant, volumes, picks, requests, hostPorts } = attempt;
  switch (kind) {
    case 'limit': return `the limit (${leftOf(attempt, name)})`;
    case 'node limit': return 'limits.nodes';
    case 'taints': return 'the taints';
    case 'pool': return `the pool's ${name} ${valuesText(template.requirements.get(name))}`;
    case 'pod': return `the pod's ${name} ${valuesText(variant.requirements.get(name))}`;
    case 'volumes': return `its volumes, which need ${String(volumes)}`;
    case 'ports': return `host port ${joined(hostPorts.map(({ port, protocol }) => `${port}/${protocol}`))}, which a daemonset of the node has`;
    case 'topology': return `${joined(picks.map(({ group }) => `${group.type} over ${group.key}`))}, by which the node would be in ${joined(picks.map(({ domains }) => domains.join(' or ')))}`;
    case 'resource': return `the request of ${formatAmount(name, requests.get(name)!)} of ${name}`;
    case 'minValues': return 'minValues';
  }
}

function fullReservations({ template: { table }, requirements }: Attempt): string {
  const full = compatibleOfferings(table, requirements).flatMap(({ reservation }) => reservation?.free === 0 ? [reservation.id] : []);
  return `no instance is free in capacity reservation ${[...new Set(full)].sort().join(' nor in ')}`;
}
