import { formatAmount, Label, labelName, mostAlike, normalizeLabelKey, parseIntegerLikeGo, Requirement, Requirements, RequirementSpec } from '../../model';
import { Attempt } from '../attempt';
import { shortMinima } from '../launchable-types';
import { NodePoolSpec } from '../schedule-input';
import { isStatic } from '../static-pools';
import { NODES } from '../templates';
import { cheapestPrice, compatibleOfferings } from '../type-filter';
import { catalogueValues } from '../wording';
import { Edit, Effort, poolEdit } from './edit';

const NODE_COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

/** Labels of which a pool sooner gets one more value than of any other: what is alike in all else comes first. */
const SOONEST = [
  Label.ZONE, Label.CAPACITY_TYPE, Label.INSTANCE_SIZE, Label.INSTANCE_CPU, Label.INSTANCE_MEMORY, Label.INSTANCE_TYPE,
  Label.INSTANCE_GENERATION, Label.INSTANCE_FAMILY, Label.INSTANCE_CATEGORY,
] as const;

/** Families of before 2017 are cheap and gone from many zones. */
const MODERN_GENERATION = 5;

/** The place of a label among those that a pool could allow more of. */
export function wideningRank(key: string): number {
  const at = (SOONEST as readonly string[]).indexOf(key);
  return at < 0 ? SOONEST.length : at;
}

/** One value more that the pool allows of a label: the value that the cheapest of the types has. */
export function wideningEdits({ template, variant }: Attempt, key: string, types: readonly number[]): Edit[] {
  const { pool, table } = template;
  const node = Requirements.of(template.requirements.values().filter((requirement) => requirement.key !== key));
  node.add(...variant.requirements.values());
  const value = isOfOfferings(key) ? offeredValue(template.table, node, key, types) : cheapestValue(template.table, node, key, types);
  if (value === undefined || pool.labels[key] !== undefined) return [];
  const written = pool.requirements.filter((spec) => normalizeLabelKey(spec.key) === key).flatMap(({ operator, values = [] }) => operator === 'In' ? values : []);
  const known = catalogueValues(template, key);
  const typo = written.find((candidate) => !known.includes(candidate) && mostAlike(candidate, [value]) === value);
  if (typo === undefined) return [allowEdit(pool, key, value)];
  return [poolEdit(pool.name, Effort.TYPO, `write ${value} instead of ${typo} in NodePool ${pool.name}`, (spec) => withValue(spec, key, value))];

  function isOfOfferings(label: string): boolean {
    return table.labels.find((column) => column.key === label)?.sets !== undefined;
  }
}

export function allowEdit(pool: NodePoolSpec, key: string, value: string): Edit {
  return poolEdit(pool.name, Effort.WIDER_POOL, `allow ${labelName(key).replace(/-/g, ' ')} ${value} in NodePool ${pool.name}`, (spec) => withValue(spec, key, value));
}

/** The label that the pod asks for, on every node of the pool. */
export function labelEdits({ template: { pool }, variant }: Attempt, key: string): Edit[] {
  const requirement = variant.requirements.get(key);
  const [value] = requirement.operator() === 'In' ? [...requirement.values].sort() : [];
  if (value === undefined) return [];
  return [poolEdit(pool.name, Effort.WIDER_POOL, `give the nodes of NodePool ${pool.name} the label ${key}=${value}`,
    (spec) => ({ ...spec, labels: { ...spec.labels, [key]: value } }))];
}

/** As many values as the types have. */
export function minValuesEdits(attempt: Attempt, types: readonly number[]): Edit[] {
  const { template: { pool } } = attempt;
  const short = shortMinima(attempt, types);
  if (short.length === 0) return [];
  const minimumOf = new Map(short.map(({ key, values }) => [key, values.length]));
  const changes = short.map(({ key, minimum, values }) => `lower minValues of ${key} from ${minimum} to ${values.length}`);
  return [poolEdit(pool.name, Effort.WIDER_POOL, `${changes.join(' and ')} in NodePool ${pool.name}`, (spec) => ({
    ...spec,
    requirements: spec.requirements.map((requirement) => {
      const minimum = minimumOf.get(normalizeLabelKey(requirement.key));
      return minimum === undefined || requirement.minValues === undefined ? requirement : { ...requirement, minValues: minimum };
    }),
  }))];
}

/** Limits with room for one more node of the smallest of the types, for two, and so on up to one for each pod that is left over. */
export function limitEdits({ template: { pool, table }, limitsLeft }: Attempt, resource: string, types: readonly number[], left: number): Edit[] {
  const column = table.capacity[table.resources.indexOf(resource)];
  // Of what no instance type has, a new node takes nothing.
  const smallest = column === undefined || types.length === 0 ? 0n : BigInt(Math.min(...types.map((type) => Math.floor(column[type]))));
  const used = pool.limits.get(resource)! - limitsLeft.get(resource)!;
  return [...NODE_COUNTS.filter((nodes) => nodes < left), left].map((nodes) => limitEdit(pool, resource, used + BigInt(nodes) * smallest));
}

function limitEdit(pool: NodePoolSpec, resource: string, amount: bigint): Edit {
  const before = pool.limits.get(resource)!;
  return poolEdit(pool.name, Effort.HIGHER_LIMIT,
    `raise limits.${resource} of NodePool ${pool.name} from ${formatAmount(resource, before)} to ${formatAmount(resource, amount)}`,
    (spec) => ({ ...spec, limits: new Map([...spec.limits, [resource, amount]]) }));
}

/** For one node more than there are. */
export function nodeLimitEdits({ pool, limitsLeft }: Attempt['template']): Edit[] {
  const limit = pool.limits.get(NODES);
  // A static pool launches nothing for a pod, whatever its limit.
  return limit === undefined || isStatic(pool) ? [] : [limitEdit(pool, NODES, limit - (limitsLeft.get(NODES) ?? 0n) + 1n)];
}

function cheapestValue(table: Attempt['template']['table'], node: Requirements, key: string, types: readonly number[]): string | undefined {
  const column = table.labels.find((label) => label.key === key);
  if (column === undefined) return undefined;
  const priced = types.filter((type) => column.codes[type] >= 0).map((type) => ({ type, price: cheapestPrice(table, node, type) }));
  if (priced.length === 0) return undefined;
  const modern = priced.filter(({ type }) => isModern(table, type));
  const { type } = (modern.length > 0 ? modern : priced).reduce((cheapest, candidate) => candidate.price < cheapest.price ? candidate : cheapest);
  return column.values[column.codes[type]];
}

function isModern({ labels }: Attempt['template']['table'], type: number): boolean {
  const column = labels.find((label) => label.key === Label.INSTANCE_GENERATION);
  return column !== undefined && Number(column.values[column.codes[type]]) >= MODERN_GENERATION;
}

/** Of labels that offerings differ in: the first value at which one of the types is offered. */
function offeredValue(table: Attempt['template']['table'], node: Requirements, key: string, types: readonly number[]): string | undefined {
  const values = compatibleOfferings(table, node)
    .filter((plane) => types.some((type) => !Number.isNaN(plane.usdPerHour[type])))
    .flatMap((plane) => key === Label.ZONE ? plane.zone : key === Label.CAPACITY_TYPE ? plane.capacityType : []);
  return [...new Set(values)].filter((value) => node.get(key).has(value)).sort()[0];
}

function withValue(pool: NodePoolSpec, key: string, value: string): NodePoolSpec {
  return { ...pool, requirements: pool.requirements.flatMap((spec) => normalizeLabelKey(spec.key) === key ? admitting(spec, value) : [spec]) };
}

/** The requirement with this value, too; nothing where it asks that the label be absent. */
function admitting(spec: RequirementSpec, value: string): RequirementSpec[] {
  if (Requirement.from(spec).has(value)) return [spec];
  const { operator, values = [] } = spec;
  const number = parseIntegerLikeGo(value);
  switch (operator) {
    case 'In': return [{ ...spec, values: [...values, value] }];
    case 'NotIn': return values.length === 1 ? [] : [{ ...spec, values: values.filter((other) => other !== value) }];
    // No bound lets in what is no number.
    case 'Gt': return number === undefined ? [] : [{ ...spec, values: [String(number - 1n)] }];
    case 'Lt': return number === undefined ? [] : [{ ...spec, values: [String(number + 1n)] }];
    case 'Gte': case 'Lte': return number === undefined ? [] : [{ ...spec, values: [value] }];
    default: return [];
  }
}
