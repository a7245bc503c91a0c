import { Attempt, SolvedWorkload } from './attempt';
import { isForDevicesOnly } from './devices';
import {
  Constraint,
  constraintsOf,
  isNodeLimitReached,
  isTopology,
  launchableTypes,
  MIN_VALUES,
  minValuesShortfalls,
} from './launchable-types';
import { sizeDiagnosis } from './size-diagnosis';
import { topologyDiagnosis } from './topology-diagnosis';
import { catalogValues, valuesText } from './wording';
import { PackerRefusal } from '../../kernel';
import {
  amountText,
  columnAmount,
  countText,
  formatTaint,
  Label,
  listText,
  nearestName,
  numberText,
  quantityText,
  Requirement,
  Requirements,
  shortListText,
  suggestKeyAmong,
  Taint,
  tolerates,
  Toleration,
  untolerated,
  WELL_KNOWN_LABELS,
} from '../../model';
import { isStatic, NodePoolSpec } from '../input/schedule-input';
import { NODES } from '../launch/pool-template';
import { compatibleOfferings } from '../launch/type-filter';

/**
 * The cause of a refusal in plain words, with amounts, and every other constraint that alone refuses the pod.
 * Karpenter's own message only names the first check that failed.
 */
export function diagnose(attempt: Attempt, solved: SolvedWorkload): string | undefined {
  const first = firstDiagnosis(attempt, solved);
  return first === undefined ? undefined : [...new Set([first, ...otherObstacles(attempt, solved)])].join('; ');
}

function firstDiagnosis(attempt: Attempt, solved: SolvedWorkload): string | undefined {
  const {
    refusal,
    template: { pool },
  } = attempt;
  if (isTopology(refusal)) return topologyDiagnosis(attempt, solved);
  switch (refusal) {
    case PackerRefusal.NONE:
      return undefined;
    case PackerRefusal.TAINT:
      return taintDiagnosis(attempt, solved);
    case PackerRefusal.REQUIREMENTS:
      return requirementDiagnosis(attempt, solved);
    case PackerRefusal.NODE_LIMIT:
      return nodeLimitDiagnosis(attempt);
    case PackerRefusal.LIMITS:
      return isNodeLimitReached(attempt) ? nodeLimitDiagnosis(attempt) : limitDiagnosis(attempt, solved);
    case PackerRefusal.RESERVED:
      return 'deferred: new nodes hold every reservation that the pod could use until they are launched; then Karpenter tries again';
    case PackerRefusal.RESERVATIONS_FULL:
      return fullReservationsDiagnosis(attempt);
    case PackerRefusal.MIN_VALUES:
      return minValuesDiagnosis(attempt);
    default:
      return filterDiagnosis(attempt) ?? `no instance type of NodePool ${pool.name} meets all constraints`;
  }
}

/** The constraints besides the first failed check that refuse the pod even on their own. */
function otherObstacles(attempt: Attempt, solved: SolvedWorkload): string[] {
  const { refusal, template, variant, volumes } = attempt;
  if (refusal === PackerRefusal.RESERVED || refusal === PackerRefusal.RESERVATIONS_FULL) return [];
  const without = (...kept: ReadonlyArray<Constraint['kind']>) =>
    constraintsOf(attempt).filter(({ kind }) => kind !== 'pool' && !kept.includes(kind));
  const isFit = (constraints: readonly Constraint[]) => launchableTypes(attempt, constraints).length > 0;
  const node = template.requirements.copy();
  node.add(...variant.requirements.values());
  const isFiltered = refusal >= PackerRefusal.FILTERED && !isTopology(refusal);
  return [
    ...(isNodeLimitReached(attempt) && refusal !== PackerRefusal.NODE_LIMIT && refusal !== PackerRefusal.LIMITS
      ? [nodeLimitDiagnosis(attempt)]
      : []),
    ...(refusal !== PackerRefusal.LIMITS && isFit(without()) && !isFit(without('limit'))
      ? [limitDiagnosis(attempt, solved)]
      : []),
    ...(refusal !== PackerRefusal.TAINT && untolerated(template.pool.taints, variant.tolerations).length > 0
      ? [taintText(attempt)]
      : []),
    ...(refusal !== PackerRefusal.REQUIREMENTS ? [requirementDiagnosis(attempt, solved)] : []),
    ...(refusal !== PackerRefusal.VOLUMES && template.requirements.isCompatible(variant.requirements, WELL_KNOWN_LABELS)
      ? [volumesConflict(node, volumes)]
      : []),
    ...(isFiltered ? [] : [sizeDiagnosis(attempt, without('resource')) ?? '']),
  ].filter((text) => text !== '');
}

/** Why no node of the pool meets the requirements of the pod's volumes; empty if one does. */
function volumesConflict(node: Requirements, volumes: Requirements): string {
  return volumes
    .values()
    .filter((requirement) => !node.isCompatible(Requirements.of([requirement]), WELL_KNOWN_LABELS))
    .map(
      (requirement) =>
        `the pod's volumes need ${requirement.key} ${valuesText(requirement)}, and the NodePool allows ${valuesText(node.get(requirement.key))}`,
    )
    .join('; ');
}

/** Why a static pool has no node for more pods. Its limit on nodes is for replacements only. */
export function staticPoolText({ name, replicas = 0 }: NodePoolSpec): string {
  return `NodePool ${name} is static: it keeps ${countText(replicas, 'node')} and launches none for pods, whatever its limits are`;
}

function nodeLimitDiagnosis({ template: { pool, limitsLeft } }: Attempt): string {
  if (isStatic(pool)) return staticPoolText(pool);
  const limit = pool.limits.get(NODES) ?? 0n;
  const existing = limit - (limitsLeft.get(NODES) ?? 0n);
  return limit === 0n && existing === 0n
    ? 'limits.nodes is 0, so the NodePool launches no nodes'
    : `limits.nodes is ${numberText(limit)}, and the NodePool has ${countText(Number(existing), 'node')}`;
}

/** What is left of each exceeded limit, and what the smallest instance type has. */
function limitDiagnosis(attempt: Attempt, { templates, groups: allGroups }: SolvedWorkload): string {
  const {
    template: { pool, table },
    limitsLeft,
  } = attempt;
  // Karpenter checks limits before host ports: types whose daemonsets use the pod's host ports count here.
  const groups = allGroups[templates.indexOf(attempt.template)];
  const types = table.names.map((_, type) => type).filter((type) => groups.some(({ has }) => has(type)));
  const exceeded = [...limitsLeft.keys()].sort().flatMap((resource) => {
    const column = table.capacity[table.resources.indexOf(resource)];
    // No instance type has the resource, so its limit is never reached.
    if (column === undefined) return [];
    // Types with the same amount of a device differ in size.
    const columns = [column, ...['cpu', 'memory'].map((name) => table.capacity[table.resources.indexOf(name)])];
    const compare = (left: number, right: number) =>
      columns.map((amounts) => amounts[left] - amounts[right]).find((difference) => difference !== 0) ??
      (table.names[left] < table.names[right] ? -1 : 1);
    const smallest = types.reduce((least, type) => (compare(type, least) < 0 ? type : least), types[0]);
    const smallestCapacity = columnAmount(resource, column[smallest]);
    if (smallestCapacity <= limitsLeft.get(resource)!) return [];
    const capacity = quantityText(resource, smallestCapacity);
    return [
      `${limitText(attempt, resource)} left, and the smallest instance type, ${table.names[smallest]}, has ${capacity}`,
    ];
  });
  if (exceeded.length > 0) return exceeded.join('; ');
  const limits = [...limitsLeft.keys()].sort().map((resource) => limitText(attempt, resource));
  return `no instance type is within ${listText([...pool.limits.keys()].sort().map((resource) => `limits.${resource}`))} together: ${limits.join(', ')} left`;
}

/** 'limits.cpu has 1 of 5'. */
function limitText({ template: { pool }, limitsLeft }: Attempt, resource: string): string {
  const left = limitsLeft.get(resource)!;
  return `limits.${resource} has ${quantityText(resource, left < 0n ? 0n : left)} of ${quantityText(resource, pool.limits.get(resource)!)}`;
}

function minValuesDiagnosis(attempt: Attempt): string {
  return minValuesShortfalls(attempt, launchableTypes(attempt, [MIN_VALUES]))
    .map(
      ({ key, minimum, values }) =>
        `minValues requires ${countText(minimum, 'value')} of ${key}, and the pod's instance types have ${numberText(values.length)} (${listText(values)})`,
    )
    .join('; ');
}

/** The size, then the constraints without which an instance type would fit. */
function filterDiagnosis(attempt: Attempt): string | undefined {
  const constraints = constraintsOf(attempt);
  const size = sizeDiagnosis(attempt);
  const removable = constraints
    .filter(({ kind }) => (size === undefined ? kind !== 'resource' : kind === 'limit' || kind === 'topology'))
    .flatMap((constraint) => {
      const types = launchableTypes(attempt, [constraint]).length;
      return types === 0
        ? []
        : [`${countText(types, 'instance type')} would fit without ${constraintText(attempt, constraint)}`];
    });
  const causes = [...(size === undefined ? [] : [size]), ...removable.slice(0, size === undefined ? 2 : 1)];
  return causes.length > 0 ? causes.join('; ') : pairDiagnosis(attempt, constraints);
}

/** If no single constraint is the cause: the first two constraints that together are. */
function pairDiagnosis(attempt: Attempt, constraints: readonly Constraint[]): string | undefined {
  for (const [index, first] of constraints.entries()) {
    for (const second of constraints.slice(index + 1)) {
      const types = launchableTypes(attempt, [first, second]).length;
      if (types === 0) continue;
      return `${countText(types, 'instance type')} would fit only without both ${constraintText(attempt, first)} and ${constraintText(attempt, second)}`;
    }
  }
  return undefined;
}

/** A constraint with its values. */
function constraintText(attempt: Attempt, { kind, name }: Constraint): string {
  const { template, variant, volumes, picks, requests, hostPorts } = attempt;
  switch (kind) {
    case 'limit':
      return `the limit (${limitText(attempt, name)} left)`;
    case 'node limit':
      return 'limits.nodes';
    case 'taints':
      return 'the taints';
    case 'pool':
      return `the NodePool's ${name} ${valuesText(template.requirements.get(name))}`;
    case 'pod':
      return `the pod's ${name} ${valuesText(variant.requirements.get(name))}`;
    case 'volumes':
      return `the pod's volumes, which need ${String(volumes)}`;
    case 'ports':
      return `host port ${listText(hostPorts.map(({ port, protocol }) => `${port}/${protocol}`))}, which a daemonset uses`;
    case 'topology':
      return `the ${listText(picks.map(({ group, domains }) => `${group.type} over ${group.key} (${listText(domains, 'or')})`))}`;
    case 'resource':
      return `the request for ${amountText(name, requests.get(name)!)}`;
    case 'minValues':
      return 'minValues';
  }
}

function fullReservationsDiagnosis({ template: { table }, requirements }: Attempt): string {
  const full = compatibleOfferings(table, requirements).flatMap(({ reservation }) =>
    reservation?.free === 0 ? [reservation.id] : [],
  );
  const ids = [...new Set(full)].sort();
  return ids.length === 1
    ? `capacity reservation ${ids[0]} has no free instance`
    : `capacity reservations ${listText(ids)} have no free instance`;
}

/** Each label on which pod and pool conflict: the values of both, and the likely intended value. */
function requirementDiagnosis(attempt: Attempt, solved: SolvedWorkload): string {
  const { template, variant } = attempt;
  return variant.requirements
    .values()
    .filter((requirement) => !template.requirements.isCompatible(Requirements.of([requirement]), WELL_KNOWN_LABELS))
    .map((requirement) =>
      template.requirements.has(requirement.key)
        ? conflictText(attempt, requirement, solved)
        : unknownLabelText(attempt, requirement),
    )
    .join('; ');
}

function unknownLabelText({ template }: Attempt, { key }: Requirement): string {
  const intended = suggestKeyAmong(key, template.requirements.keys());
  return `the NodePool gives its nodes no label ${key}${intended === undefined ? '' : `; did you mean ${intended}?`}`;
}

function conflictText(
  { template }: Attempt,
  requirement: Requirement,
  { templates, unreadyPools }: SolvedWorkload,
): string {
  const { key } = requirement;
  const own = template.requirements.get(key);
  const catalog = catalogValues(template, key);
  const allowed = allowedValues(own, catalog);
  const isPoolName =
    key === Label.NODE_POOL &&
    [...requirement.values].some(
      (value) => unreadyPools?.has(value) || templates.some(({ pool }) => pool.name === value),
    );
  const intended = isPoolName ? undefined : intendedValue(requirement, allowed, catalog);
  const values = allowed.length === 0 || own.operator() === 'In' ? '' : ` (${shortListText(allowed)})`;
  return (
    `the pod requires ${key} ${valuesText(requirement)}, and the NodePool allows ${valuesText(own)}` +
    (intended === undefined ? values : `; did you mean ${intended}?`)
  );
}

/** The known values that a node of the pool can have. */
function allowedValues(own: Requirement, catalog: readonly string[]): string[] {
  return [...(own.operator() === 'In' ? own.values : catalog.filter((value) => own.has(value)))].sort();
}

/** The allowed value that is similar to a value of the requirement. A value in the catalog is not a typing mistake. */
function intendedValue(
  requirement: Requirement,
  allowed: readonly string[],
  catalog: readonly string[],
): string | undefined {
  if (requirement.operator() !== 'In') return undefined;
  const [intended] = [...requirement.values]
    .sort()
    .filter((value) => !catalog.includes(value))
    .flatMap((value) => nearestName(value, allowed) ?? []);
  return intended;
}

/** Whether a toleration would be enough, and why an existing toleration does not match. */
function taintDiagnosis(attempt: Attempt, solved: SolvedWorkload): string {
  const {
    template: { pool },
    variant: { tolerations },
  } = attempt;
  const taints = untolerated(pool.taints, tolerations);
  const types = launchableTypes(attempt, [{ kind: 'taints', name: '' }]).length;
  const hints = taints.flatMap((taint) => tolerations.flatMap((toleration) => mismatchText(taint, toleration) ?? []));
  return [
    `${taintText(attempt)}${types > 0 || otherObstacles(attempt, solved).length > 0 ? '' : ', and other constraints leave no instance type either'}`,
    // The taint keeps pods without devices away from nodes that have them: that is no mistake.
    ...(types > 0 && !isForDevicesOnly(attempt.template, attempt.requests)
      ? [`with ${taints.length === 1 ? 'a toleration' : 'tolerations'}, ${countText(types, 'instance type')} would fit`]
      : []),
    ...hints,
  ].join('; ');
}

function taintText({ template: { pool }, variant: { tolerations } }: Attempt): string {
  return `the pod does not tolerate ${listText(untolerated(pool.taints, tolerations).map(formatTaint))}`;
}

/** Why a toleration with the taint's key does not match. */
function mismatchText(taint: Taint, toleration: Toleration): string | undefined {
  if (toleration.key !== taint.key || tolerates(toleration, taint)) return undefined;
  const { value = '', effect = '', operator = '' } = toleration;
  if (effect !== '' && effect !== taint.effect)
    return `the toleration of ${taint.key} has effect ${effect}, the taint is ${formatTaint(taint)}`;
  if (operator === '' || operator === 'Equal') {
    return `the toleration of ${taint.key} has value ${JSON.stringify(value)}, the taint has ${JSON.stringify(taint.value ?? '')}`;
  }
  return `the toleration of ${taint.key} with operator ${operator} ${JSON.stringify(value)} does not match ${JSON.stringify(taint.value ?? '')}`;
}
