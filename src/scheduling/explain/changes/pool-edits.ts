import { Edit, Effort, poolEdit } from './edit';
import { mostSimilar } from './similar-types';
import { AGENT_STARTUP_TAINTS } from '../../../contract';
import {
  columnAmount,
  formatAmount,
  formatTaint,
  Label,
  labelWords,
  listText,
  nearestNames,
  normalizeLabelKey,
  parseIntegerLikeGo,
  Requirement,
  Requirements,
  RequirementSpec,
  Taint,
  Toleration,
  tolerates,
  untolerated,
} from '../../../model';
import { NodePoolSpec, isStatic } from '../../input/schedule-input';
import { NODES } from '../../launch/pool-template';
import { cheapestPrice, compatibleOfferings } from '../../launch/type-filter';
import { Attempt } from '../../refusals/attempt';
import { minValuesShortfalls } from '../../refusals/launchable-types';
import { catalogValues } from '../../refusals/wording';

/** Numbers of additional nodes to try. */
export const NODE_COUNTS = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128];

/** Labels to widen first: types that differ only in the first labels are the most similar. */
const WIDENING_ORDER = [
  Label.ZONE,
  Label.CAPACITY_TYPE,
  Label.INSTANCE_SIZE,
  Label.INSTANCE_CPU,
  Label.INSTANCE_MEMORY,
  Label.INSTANCE_TYPE,
  Label.INSTANCE_GENERATION,
  Label.INSTANCE_FAMILY,
  Label.INSTANCE_CATEGORY,
] as const;

/** The position of a label in the order in which pools are widened. */
export function wideningRank(key: string): number {
  const rank = (WIDENING_ORDER as readonly string[]).indexOf(key);
  return rank < 0 ? WIDENING_ORDER.length : rank;
}

/** Adds one value of a label to the pool: the value of the cheapest type. Only the types most like its own count. */
export function wideningEdits({ template, variant, volumes }: Attempt, key: string, types: readonly number[]): Edit[] {
  const { pool, table } = template;
  const node = Requirements.of(template.requirements.values().filter((requirement) => requirement.key !== key));
  node.add(...variant.requirements.values(), ...volumes.values());
  const value = isOfOfferings(key)
    ? offeredValue(template.table, node, key, types)
    : cheapestValue(template, node, key, types);
  if (value === undefined || pool.labels[key] !== undefined) return [];
  const written = pool.requirements
    .filter((spec) => normalizeLabelKey(spec.key) === key)
    .flatMap(({ operator, values = [] }) => (operator === 'In' ? values : []));
  const catalog = catalogValues(template, key);
  // Of several values that are as near, none is known to be meant.
  const typo = written.find((candidate) => {
    const near = catalog.includes(candidate) ? [] : nearestNames(candidate, catalog);
    return near.length === 1 && near[0] === value;
  });
  if (typo === undefined) return [allowEdit(pool, key, value)];
  return [
    poolEdit(pool.name, Effort.TYPO, `write ${value} instead of ${typo} in NodePool ${pool.name}`, (spec) =>
      withValue(withoutValue(spec, key, typo), key, value),
    ),
  ];

  function isOfOfferings(label: string): boolean {
    return table.labels.find((column) => column.key === label)?.sets !== undefined;
  }
}

export function allowEdit(pool: NodePoolSpec, key: string, ...values: readonly string[]): Edit {
  return poolEdit(
    pool.name,
    Effort.WIDER_POOL,
    `allow ${labelWords(key)} ${listText(values)} in NodePool ${pool.name}`,
    (spec) => values.reduce((wider, value) => withValue(wider, key, value), spec),
  );
}

/** Makes taints that an agent removes startup taints, if no other taint refuses the pod. */
export function startupTaintEdits({ template: { pool }, variant }: Attempt): Edit[] {
  const refusing = untolerated(pool.taints, variant.tolerations);
  const isOfAgent = ({ key }: Taint) => AGENT_STARTUP_TAINTS.some((taint) => taint.key === key);
  if (refusing.length === 0 || !refusing.every(isOfAgent)) return [];
  const names = listText(refusing.map(formatTaint));
  const description = `write ${names} in startupTaints of NodePool ${pool.name} instead of in taints`;
  return [
    poolEdit(pool.name, Effort.TYPO, description, (spec) => ({
      ...spec,
      taints: spec.taints.filter((taint) => !refusing.includes(taint)),
    })),
  ];
}

/** Adds the label that the pod selects to the pool's nodes. */
export function labelEdits({ template: { pool }, variant }: Attempt, key: string): Edit[] {
  const requirement = variant.requirements.get(key);
  const [value] = requirement.operator() === 'In' ? [...requirement.values].sort() : [];
  if (value === undefined) return [];
  return [
    poolEdit(
      pool.name,
      isPoolOfTolerations(pool, variant.tolerations) ? Effort.TOLERATION : Effort.WIDER_POOL,
      `add the label ${key}=${value} to the nodes of NodePool ${pool.name}`,
      (spec) => ({ ...spec, labels: { ...spec.labels, [key]: value } }),
    ),
  ];
}

/** Whether the pod names the taints of the pool in its tolerations, so that it is meant for its nodes. */
function isPoolOfTolerations({ taints }: NodePoolSpec, tolerations: readonly Toleration[]): boolean {
  return (
    taints.length > 0 &&
    taints.every((taint) => tolerations.some((one) => one.key === taint.key && tolerates(one, taint)))
  );
}

/** Lowers minValues to the number of values that the types have. */
export function minValuesEdits(attempt: Attempt, types: readonly number[]): Edit[] {
  const {
    template: { pool },
  } = attempt;
  const short = minValuesShortfalls(attempt, types);
  if (short.length === 0) return [];
  const minimumOf = new Map(short.map(({ key, values }) => [key, values.length]));
  const changes = short.map(
    ({ key, minimum, values }) => `lower minValues of ${key} from ${minimum} to ${values.length}`,
  );
  return [
    poolEdit(pool.name, Effort.WIDER_POOL, `${listText(changes)} in NodePool ${pool.name}`, (spec) => ({
      ...spec,
      requirements: spec.requirements.map((requirement) => {
        const minimum = minimumOf.get(normalizeLabelKey(requirement.key));
        return minimum === undefined || requirement.minValues === undefined
          ? requirement
          : { ...requirement, minValues: minimum };
      }),
    })),
  ];
}

/**
 * Raises a limit for more nodes of the smallest type: one more, two more, and so on up to one per unschedulable pod.
 */
export function limitEdits(
  { template: { pool, table }, limitsLeft }: Attempt,
  resource: string,
  types: readonly number[],
  left: number,
): Edit[] {
  const column = table.capacity[table.resources.indexOf(resource)];
  // A new node uses nothing of a resource that no instance type has.
  const smallest =
    column === undefined || types.length === 0
      ? 0n
      : columnAmount(resource, Math.min(...types.map((type) => column[type])));
  const used = pool.limits.get(resource)! - limitsLeft.get(resource)!;
  return [...NODE_COUNTS.filter((nodes) => nodes < left), left].map((nodes) =>
    limitEdit(pool, resource, used + BigInt(nodes) * smallest),
  );
}

function limitEdit(pool: NodePoolSpec, resource: string, amount: bigint): Edit {
  const before = pool.limits.get(resource)!;
  return poolEdit(
    pool.name,
    Effort.HIGHER_LIMIT,
    `raise limits.${resource} of NodePool ${pool.name} from ${formatAmount(resource, before)} to ${formatAmount(resource, amount)}`,
    (spec) => ({ ...spec, limits: new Map([...spec.limits, [resource, amount]]) }),
  );
}

/** Raises limits.nodes to the number of existing nodes plus one. */
export function nodeLimitEdits({ pool, limitsLeft }: Attempt['template']): Edit[] {
  const limit = pool.limits.get(NODES);
  // A static pool launches no node for a pod, no matter what its limit is.
  return limit === undefined || isStatic(pool)
    ? []
    : [limitEdit(pool, NODES, limit - (limitsLeft.get(NODES) ?? 0n) + 1n)];
}

function cheapestValue(
  template: Attempt['template'],
  node: Requirements,
  key: string,
  types: readonly number[],
): string | undefined {
  const { table } = template;
  const column = table.labels.find((label) => label.key === key);
  if (column === undefined) return undefined;
  const similar = mostSimilar(
    template,
    types.filter((type) => column.codes[type] >= 0),
  );
  const priced = similar.map((type) => ({ type, price: cheapestPrice(table, node, type) }));
  if (priced.length === 0) return undefined;
  const { type } = priced.reduce((cheapest, candidate) => (candidate.price < cheapest.price ? candidate : cheapest));
  return column.values[column.codes[type]];
}

/** For labels of offerings: the first value with which one of the types is offered. */
function offeredValue(
  table: Attempt['template']['table'],
  node: Requirements,
  key: string,
  types: readonly number[],
): string | undefined {
  const values = compatibleOfferings(table, node)
    .filter((plane) => types.some((type) => !Number.isNaN(plane.usdPerHour[type])))
    .flatMap((plane) => (key === Label.ZONE ? plane.zone : key === Label.CAPACITY_TYPE ? plane.capacityType : []));
  return [...new Set(values)].filter((value) => node.get(key).has(value)).sort()[0];
}

function withoutValue(pool: NodePoolSpec, key: string, value: string): NodePoolSpec {
  return {
    ...pool,
    requirements: pool.requirements.map((spec) =>
      normalizeLabelKey(spec.key) === key && spec.operator === 'In' && spec.values?.includes(value)
        ? { ...spec, values: spec.values.filter((written) => written !== value) }
        : spec,
    ),
  };
}

/** The NodePool with one more allowed value of a label. */
export function withValue(pool: NodePoolSpec, key: string, value: string): NodePoolSpec {
  return {
    ...pool,
    requirements: pool.requirements.flatMap((spec) =>
      normalizeLabelKey(spec.key) === key ? admitting(spec, value) : [spec],
    ),
  };
}

/** The requirement extended by the value; removed if it requires the label to be absent. */
function admitting(spec: RequirementSpec, value: string): RequirementSpec[] {
  if (Requirement.from(spec).has(value)) return [spec];
  const { operator, values = [] } = spec;
  const number = parseIntegerLikeGo(value);
  switch (operator) {
    case 'In':
      return [{ ...spec, values: [...values, value] }];
    case 'NotIn':
      return values.length === 1 ? [] : [{ ...spec, values: values.filter((excluded) => excluded !== value) }];
    // A bound admits numbers only.
    case 'Gt':
      return number === undefined ? [] : [{ ...spec, values: [String(number - 1n)] }];
    case 'Lt':
      return number === undefined ? [] : [{ ...spec, values: [String(number + 1n)] }];
    case 'Gte':
    case 'Lte':
      return number === undefined ? [] : [{ ...spec, values: [value] }];
    default:
      return [];
  }
}
