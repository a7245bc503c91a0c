import { familiesOfArchitecture, RequirementChange } from './families-of-architecture';
import { FieldPath, removeField, setField, unsafeFix } from '../../../../contract';
import {
  amountsPerColumnUnit,
  countText,
  Label,
  listText,
  normalizeLabelKey,
  Requirement,
  Requirements,
  RequirementSpec,
  shortListText,
} from '../../../../model';
import { cheapestPrice, matchingTypes, NodePoolSpec } from '../../../../scheduling';
import { Pool, PoolLaunch } from '../../common/pool';
import { Remedy, RuleContext } from '../../rule';

const REQUIREMENTS_PATH: FieldPath = ['spec', 'template', 'spec', 'requirements'];
/** A list of more values is another intent. */
const MOST_ADDED_VALUES = 4;
/** More remedies are not tried. */
const MOST_REMEDIES = 3;

/** A change of one requirement with which instance types meet all of them. */
export interface RequirementRemedy extends Remedy {
  readonly path: FieldPath;
}

/** A requirement without which instance types are left. */
interface Excluding {
  readonly index: number;
  readonly spec: RequirementSpec;
  readonly change: RequirementChange;
  /** Types that meet the changed requirements and are for sale, cheapest first. */
  readonly types: readonly number[];
  /** Whether one of the types has room for the largest waiting pod. */
  readonly isLargeEnough: boolean;
  /** Whether the change gives the NodePool families of the architecture that it is for. */
  readonly isMeant: boolean;
}

/**
 * Changes of a single requirement with which the NodePool launches nodes. The first one keeps the most of what the
 * others say: it leaves the fewest instance types that hold the largest waiting pod. Empty if two requirements are
 * wrong.
 */
export function excludingRequirements(context: RuleContext, pool: Pool, launch: PoolLaunch): RequirementRemedy[] {
  const holds = holdsWaitingPods(context, pool, launch);
  return pool
    .spec!.requirements.flatMap((_, index) => excludingRequirement(pool.spec!, index, launch, holds))
    .sort(
      (a, b) =>
        Number(b.isLargeEnough) - Number(a.isLargeEnough) ||
        Number(b.isMeant) - Number(a.isMeant) ||
        Number(b.change.edit !== undefined) - Number(a.change.edit !== undefined) ||
        a.types.length - b.types.length,
    )
    .slice(0, MOST_REMEDIES)
    .filter(({ change }, index) => index === 0 || change.edit !== undefined)
    .map((excluding) => remedyFor(excluding, launch));
}

function excludingRequirement(
  pool: NodePoolSpec,
  index: number,
  { table }: PoolLaunch,
  holds: (type: number) => boolean,
): Excluding[] {
  const spec = pool.requirements[index];
  const rest = requirementsWithout(pool, index);
  const types = matchingTypes(table, rest).filter((type) => table.allocatable.every((column) => column[type] >= 0));
  if (types.length === 0) return [];
  const price = new Map(types.map((type) => [type, cheapestPrice(table, rest, type)]));
  types.sort((a, b) => price.get(a)! - price.get(b)!);
  const fitting = types.filter(holds);
  const isLargeEnough = fitting.length > 0;
  const column = table.labels.find(({ key }) => key === normalizeLabelKey(spec.key));
  const valueOf = (type: number): string | undefined =>
    column === undefined || column.sets !== undefined ? undefined : column.values[column.codes[type]];
  const chosen = isLargeEnough ? fitting : types;
  const found = [...new Set(chosen.flatMap((type) => valueOf(type) ?? []))];
  const path = [...REQUIREMENTS_PATH, index];
  const families = familiesOfArchitecture(pool, spec, path, found);
  const change = families ?? changeOf(spec, path, found);
  const { allowed } = change;
  return [
    {
      index,
      spec,
      change,
      types: allowed === undefined ? chosen : chosen.filter((type) => allowed(valueOf(type) ?? '')),
      isLargeEnough,
      isMeant: families !== undefined,
    },
  ];
}

function requirementsWithout({ requirements, labels }: NodePoolSpec, index: number): Requirements {
  const rest = Requirements.from(requirements.filter((_, other) => other !== index));
  rest.add(...Requirements.fromLabels(labels).values());
  return rest;
}

/** Whether a type has room for the largest pod that waits for the NodePool. */
function holdsWaitingPods(
  { plan, lastInput }: RuleContext,
  { name }: Pool,
  { table }: PoolLaunch,
): (type: number) => boolean {
  const waiting = plan.unschedulable.filter(({ reasons }) => reasons.some(({ nodePool }) => nodePool === name));
  const groups = [...new Set(waiting.map(({ group }) => group))];
  const largest = table.resources.map((resource) =>
    groups.reduce((most, group) => {
      const amount = Number(lastInput.pods[group].shape.requests.get(resource) ?? 0n) / amountsPerColumnUnit(resource);
      return Math.max(most, amount);
    }, 0),
  );
  return (type) => largest.every((amount, index) => amount === 0 || table.allocatable[index][type] >= amount);
}

function remedyFor({ index, change: { text, edit }, types }: Excluding, { table }: PoolLaunch): RequirementRemedy {
  const names = shortListText(
    types.map((type) => table.names[type]),
    3,
  );
  const meets = types.length === 1 ? `${names} meets` : `${countText(types.length, 'instance type')} (${names}) meet`;
  return {
    path: [...REQUIREMENTS_PATH, index],
    remedy: `${text}: ${meets} all other requirements`,
    ...(edit === undefined ? {} : { fix: unsafeFix(edit) }),
  };
}

/**
 * The smallest change of the requirement that lets in some of the values.
 *
 * @param found values of the types that meet all other requirements, those of the cheapest types first
 */
export function changeOf(
  { key, operator, values = [] }: RequirementSpec,
  path: FieldPath,
  found: readonly string[],
): RequirementChange {
  const bound = boundFor(operator, found);
  if (bound !== undefined) {
    const changed = Requirement.from({ key, operator, values: [bound] });
    return {
      text: `write ${key} ${operator} ${bound}`,
      edit: setField([...path, 'values', 0], bound),
      allowed: (value) => changed.has(value),
    };
  }
  if (operator === 'In') {
    const added = addedValues(normalizeLabelKey(key), values, found);
    if (added.length > 0)
      return {
        text: `allow ${listText(added)} in ${key}`,
        edit: setField([...path, 'values'], [...values, ...added]),
        allowed: (value) => added.includes(value),
      };
  }
  const removed = values.filter((value) => found.includes(value));
  if (operator !== 'NotIn' || removed.length === 0) return { text: `allow other values of ${key}` };
  const left = values.filter((value) => !removed.includes(value));
  return {
    text: `remove ${listText(removed)} from the values that ${key} excludes`,
    edit: left.length === 0 ? removeField(path) : setField([...path, 'values'], left),
  };
}

/** All values if they are few; otherwise sizes of the cheapest types, or families of near names. */
function addedValues(key: string, values: readonly string[], found: readonly string[]): readonly string[] {
  if (found.length <= MOST_ADDED_VALUES) return found;
  if (key === Label.INSTANCE_SIZE || found.every((value) => /^\d+$/.test(value)))
    return found.slice(0, MOST_ADDED_VALUES);
  const near = key === Label.INSTANCE_FAMILY ? found.filter((name) => values.some((value) => isNear(name, value))) : [];
  return near.slice(0, MOST_ADDED_VALUES);
}

/** Whether the family is a variant of the other one, such as `c7gd` of `c7g`. */
function isNear(family: string, other: string): boolean {
  return family.length === other.length + 1 && family.startsWith(other);
}

/** The nearest bound that a value meets. */
function boundFor(operator: string, found: readonly string[]): string | undefined {
  const numbers = found.filter((value) => /^\d+$/.test(value)).map(Number);
  if (numbers.length === 0) return undefined;
  if (operator === 'Gt') return String(Math.max(...numbers) - 1);
  if (operator === 'Gte') return String(Math.max(...numbers));
  if (operator === 'Lt') return String(Math.min(...numbers) + 1);
  return operator === 'Lte' ? String(Math.min(...numbers)) : undefined;
}
