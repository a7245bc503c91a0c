import { firstNames, foldAlike } from './fold-alike';
import { formatUsd, plural } from './section';
import { DriftDifference, FieldDifference, NamesDifference, NodePoolDifference, ObjectDifference } from '../difference/difference';

/** Of one object. */
const MOST_FIELDS = 8;
const MOST_NAMES = 6;
/** Characters of a value. */
const MOST_VALUE = 60;

/** Karpenter's own first; those that are changed alike are told once. */
export function alikeObjects(objects: readonly ObjectDifference[]): ObjectDifference[][] {
  const isKarpenters = ({ apiVersion }: ObjectDifference) => /^karpenter\./.test(apiVersion);
  const inOrder = [...objects.filter(isKarpenters), ...objects.filter((object) => !isKarpenters(object))];
  return foldAlike(inOrder, ({ kind, change, fields }) => JSON.stringify([kind, change, fields]));
}

export function changeLines([{ kind, namespace, name, change, fields }, ...others]: readonly ObjectDifference[]): string[] {
  const hidden = fields.length - MOST_FIELDS;
  const alike = others.length === 0 ? '' : ` and ${others.length} more alike`;
  return [
    `  ${kind} ${namespace === '' ? name : `${namespace}/${name}`}${alike}${change === 'changed' ? '' : ` ${others.length === 0 ? 'is' : 'are'} ${change}`}`,
    ...fields.slice(0, MOST_FIELDS).map((field) => `    ${fieldText(field)}`),
    ...hidden > 0 ? [`    and ${plural(hidden, 'field')} more: --format json lists them all`] : [],
  ];
}

function fieldText({ path, before, after }: FieldDifference): string {
  const [was, is] = [valueText(before), valueText(after)];
  if (before === null) return `${path} is written: ${is}`;
  if (after === null) return `${path} is no longer written, it was ${was}`;
  return `${path}: ${was} -> ${is}`;
}

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MOST_VALUE ? `${text.slice(0, MOST_VALUE)}…` : text;
}

/** What it can launch, and what is launched of it. */
export function nodePoolLines({ name, change, instanceTypes, zones, capacityTypes, nodes, usdPerHour }: NodePoolDifference): string[] {
  const launchable = [namesText(instanceTypes, 'instance type'), namesText(zones, 'zone'), namesText(capacityTypes, 'capacity type')].flat();
  const isSame = nodes.before === nodes.after && usdPerHour.before === usdPerHour.after;
  return [
    `  ${name}${change === 'changed' ? '' : ` is ${change}`}${isSame ? '' : `: ${nodes.before} -> ${plural(nodes.after, 'new node')}, `
      + `${formatUsd(usdPerHour.before)} -> ${formatUsd(usdPerHour.after)} USD per hour`}`,
    ...change === 'removed' ? ['    nodes that it has go when it is deleted, whatever its budgets say'] : launchable.map((line) => `    ${line}`),
  ];
}

function namesText({ added, removed }: NamesDifference, noun: string): string[] {
  return [
    ...added.length === 0 ? [] : [`can launch ${plural(added.length, noun)} more: ${firstNames(added, MOST_NAMES, '')}`],
    ...removed.length === 0 ? [] : [`can launch ${plural(removed.length, noun)} fewer: ${firstNames(removed, MOST_NAMES, '')}`],
  ];
}

export function driftLines({ nodePool, reason, fields, certain, nodes, atATime }: DriftDifference): string[] {
  const why = `(${reason}${fields.length === 0 ? '' : `: ${fields.join(', ')}`})`;
  if (nodes.length === 0) return [`  whichever nodes NodePool ${nodePool} has ${certain ? 'drift' : 'may drift, by what AWS finds'} ${why}; --cluster tells which`];
  const pace = atATime === null ? 'how many go at a time depends on the hour'
    : atATime === 0 ? 'its budgets let none of them go' : `its budgets let ${atATime === 1 ? 'one' : atATime} go at a time`;
  return [
    `  ${plural(nodes.length, 'node')} of NodePool ${nodePool} ${certain ? (nodes.length === 1 ? 'drifts' : 'drift') : 'may drift, by what AWS finds'} ${why}; ${pace}`,
    `    ${firstNames(nodes, MOST_NAMES, '')}`,
  ];
}
