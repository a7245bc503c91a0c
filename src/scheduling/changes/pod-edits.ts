import { formatTaint, labelName, mostAlike, normalizeLabelKey, Requirement, RequirementSpec, suggestLabelKey, Taint, Toleration, untolerated } from '../../model';
import { Attempt } from '../attempt';
import { distinctValues } from '../distinct-values';
import { conflicts } from '../host-ports';
import { PodShape } from '../pod-shape';
import { catalogueValues, joined } from '../wording';
import { Edit, Effort, podEdit } from './edit';

const ORDINARY_RESOURCES = ['cpu', 'memory', 'ephemeral-storage', 'pods'];

/** Tolerations of all taints in the way. A pod that selects by what the pool has, or asks for a device, seems to be meant for it. */
export function tolerationEdits(group: number, { template, variant, requests }: Attempt): Edit[] {
  const taints = untolerated(template.pool.taints, variant.tolerations);
  const isMeant = variant.requirements.keys().some((key) => template.requirements.has(key))
    || [...requests.keys()].some((resource) => !ORDINARY_RESOURCES.includes(resource));
  return [podEdit(group, isMeant ? Effort.TOLERATION : Effort.FOREIGN_NODES, `tolerate ${joined(taints.map(formatTaint))}`,
    (shape) => ({ ...shape, tolerations: [...shape.tolerations, ...taints.map(tolerationOf)] }))];
}

function tolerationOf({ key, value, effect }: Taint): Toleration {
  return value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
}

/** Without the ports that some daemonset has. */
export function hostPortEdit(group: number, { hostPorts, daemonSets }: Attempt): Edit {
  const taken = hostPorts.filter((port) => daemonSets.some(({ shape }) => conflicts([port], shape.hostPorts)));
  return podEdit(group, Effort.DROPPED_SELECTOR, `do without host port ${joined(taken.map(({ port, protocol }) => `${port}/${protocol}`))}`,
    (shape) => ({ ...shape, hostPorts: shape.hostPorts?.filter((port) => !conflicts([port], taken)) }));
}

/** The key or value that was meant, another value that the pool has, or no such requirement at all. */
export function selectorEdits(group: number, attempt: Attempt, key: string, types: readonly number[]): Edit[] {
  const { template, variant } = attempt;
  const requirement = variant.requirements.get(key);
  const drop = podEdit(group, Effort.DROPPED_SELECTOR, `do not select nodes by ${key}`, (shape) => withSpecs(shape, key, () => []));
  const meantKey = template.requirements.has(key) ? undefined : suggestLabelKey(key) ?? mostAlike(key, template.requirements.keys());
  if (meantKey !== undefined) {
    return [podEdit(group, Effort.TYPO, `select nodes by ${meantKey} instead of ${key}`,
      (shape) => withSpecs(shape, key, (spec) => [{ ...spec, key: meantKey }])), drop];
  }
  if (requirement.operator() !== 'In') return [drop];
  const others = valuesOf(attempt, key, types);
  const known = catalogueValues(template, key);
  const written = [...requirement.values].sort();
  const [meant] = written.filter((value) => !known.includes(value)).flatMap((value) => mostAlike(value, others) ?? []);
  const [other] = meant === undefined ? others : [meant];
  return other === undefined ? [drop] : [podEdit(group, meant === undefined ? Effort.OTHER_POD : Effort.TYPO,
    `select nodes with ${labelName(key).replace(/-/g, ' ')} ${other} instead of ${joined(written)}`,
    (shape) => withSpecs(shape, key, (spec) => [{ ...spec, operator: 'In', values: [other] }])), drop];
}

/** What nodes of the pool would have, by name. */
function valuesOf({ template: { table, requirements } }: Attempt, key: string, types: readonly number[]): string[] {
  const own: Requirement = requirements.get(key);
  const carried = distinctValues(table, key, types, (value) => own.has(value));
  return carried.length > 0 || own.operator() !== 'In' ? carried : [...own.values].sort();
}

/** With the requirements on a label changed, wherever the pod states them. */
function withSpecs(shape: PodShape, key: string, change: (spec: RequirementSpec) => RequirementSpec[]): PodShape {
  const isKey = (other: string) => normalizeLabelKey(other) === key;
  const selectors = Object.entries(shape.nodeSelector).flatMap(([name, value]): Array<[string, string]> => {
    if (!isKey(name)) return [[name, value]];
    return change({ key: name, operator: 'In', values: [value] }).map((spec) => [spec.key, spec.values![0]]);
  });
  const terms = shape.requiredNodeAffinity.map(({ matchExpressions }) =>
    ({ matchExpressions: matchExpressions.flatMap((spec) => isKey(spec.key) ? change(spec) : [spec]) }));
  return { ...shape, nodeSelector: Object.fromEntries(selectors), requiredNodeAffinity: terms };
}

