import { Edit, Effort, podEdit } from './edit';
import {
  formatAmount,
  formatTaint,
  labelName,
  listText,
  nearestName,
  normalizeLabelKey,
  Requirement,
  RequirementSpec,
  suggestLabelKey,
  Taint,
  Toleration,
  untolerated,
} from '../../../model';
import { PodShape } from '../../input/pod-shape';
import { distinctValues } from '../../launch/min-values';
import { conflicts } from '../../pods/host-ports';
import { Attempt } from '../../refusals/attempt';
import { allocatable } from '../../refusals/launchable-types';
import { catalogValues } from '../../refusals/wording';

const ORDINARY_RESOURCES = ['cpu', 'memory', 'ephemeral-storage', 'pods'];

/**
 * Tolerates all of the pool's taints that the pod does not tolerate. A pod that selects the pool's labels, or requests
 * an extended resource, seems to be meant for the pool.
 */
export function tolerationEdits(group: number, { template, variant, requests }: Attempt): Edit[] {
  const taints = untolerated(template.pool.taints, variant.tolerations);
  const isIntended =
    variant.requirements.keys().some((key) => template.requirements.has(key)) ||
    [...requests.keys()].some((resource) => !ORDINARY_RESOURCES.includes(resource));
  return [
    podEdit(
      group,
      isIntended ? Effort.TOLERATION : Effort.FOREIGN_NODES,
      `tolerate ${listText(taints.map(formatTaint))}`,
      (shape) => ({ ...shape, tolerations: [...shape.tolerations, ...taints.map(tolerationOf)] }),
    ),
  ];
}

function tolerationOf({ key, value, effect }: Taint): Toleration {
  return value ? { key, operator: 'Equal', value, effect } : { key, operator: 'Exists', effect };
}

/** Removes the host ports that daemonsets use. */
export function hostPortEdit(group: number, { hostPorts, daemonSets }: Attempt): Edit {
  const taken = hostPorts.filter((port) => daemonSets.some(({ shape }) => conflicts([port], shape.hostPorts)));
  return podEdit(
    group,
    Effort.DROPPED_SELECTOR,
    `remove host port ${listText(taken.map(({ port, protocol }) => `${port}/${protocol}`))}`,
    (shape) => ({ ...shape, hostPorts: shape.hostPorts?.filter((port) => !conflicts([port], taken)) }),
  );
}

/** Fixes the label key or value, selects another value of the pool, or removes the requirement. */
export function selectorEdits(group: number, attempt: Attempt, key: string, types: readonly number[]): Edit[] {
  const { template, variant } = attempt;
  const requirement = variant.requirements.get(key);
  const drop = podEdit(group, Effort.DROPPED_SELECTOR, `remove the node selection by ${key}`, (shape) =>
    withSpecs(shape, key, () => []),
  );
  const intendedKey = template.requirements.has(key)
    ? undefined
    : (suggestLabelKey(key) ?? nearestName(key, template.requirements.keys()));
  if (intendedKey !== undefined) {
    return [
      podEdit(group, Effort.TYPO, `select nodes by ${intendedKey} instead of ${key}`, (shape) =>
        withSpecs(shape, key, (spec) => [{ ...spec, key: intendedKey }]),
      ),
      drop,
    ];
  }
  if (requirement.operator() !== 'In') return [drop];
  const alternatives = valuesOf(attempt, key, types);
  const catalog = catalogValues(template, key);
  const written = [...requirement.values].sort();
  const [intended] = written
    .filter((value) => !catalog.includes(value))
    .flatMap((value) => nearestName(value, alternatives) ?? []);
  const [replacement] = intended === undefined ? alternatives : [intended];
  return replacement === undefined
    ? [drop]
    : [
        podEdit(
          group,
          intended === undefined ? Effort.OTHER_POD : Effort.TYPO,
          `select nodes with ${labelName(key).replace(/-/g, ' ')} ${replacement} instead of ${listText(written)}`,
          (shape) => withSpecs(shape, key, (spec) => [{ ...spec, operator: 'In', values: [replacement] }]),
        ),
        drop,
      ];
}

/** The values that nodes of the pool can have, sorted. */
function valuesOf({ template: { table, requirements } }: Attempt, key: string, types: readonly number[]): string[] {
  const own: Requirement = requirements.get(key);
  const carried = distinctValues(table, key, types, (value) => own.has(value));
  return carried.length > 0 || own.operator() !== 'In' ? carried : [...own.values].sort();
}

/** Changes the requirements on a label in the node selector and in required node affinity. */
function withSpecs(shape: PodShape, key: string, change: (spec: RequirementSpec) => RequirementSpec[]): PodShape {
  const isKey = (name: string) => normalizeLabelKey(name) === key;
  const selectors = Object.entries(shape.nodeSelector).flatMap(([name, value]): Array<[string, string]> => {
    if (!isKey(name)) return [[name, value]];
    return change({ key: name, operator: 'In', values: [value] }).map((spec) => [spec.key, spec.values![0]]);
  });
  const terms = shape.requiredNodeAffinity.map(({ matchExpressions }) => ({
    matchExpressions: matchExpressions.flatMap((spec) => (isKey(spec.key) ? change(spec) : [spec])),
  }));
  return { ...shape, nodeSelector: Object.fromEntries(selectors), requiredNodeAffinity: terms };
}

const MEBIBYTE = 1000n * 2n ** 20n;

/** Lowers the request to the largest amount that a type offers, or removes the request if no type has the resource. */
export function requestEdits(group: number, attempt: Attempt, resource: string, types: readonly number[]): Edit[] {
  const {
    template: { table },
    requests,
    overheadOf,
  } = attempt;
  if (resource === 'pods') return [];
  const wanted = requests.get(resource)!;
  const largestRoom = types.reduce((largest, type) => {
    const room = allocatable(table, resource, type) - (overheadOf(type).get(resource) ?? 0n);
    return room > largest ? room : largest;
  }, 0n);
  const amount = inWholeUnits(resource, largestRoom);
  if (amount > 0n) {
    return [
      podEdit(group, effortOf(wanted, amount), describe(resource, wanted, amount), (shape) => ({
        ...shape,
        requests: new Map([...shape.requests, [resource, amount]]),
      })),
    ];
  }
  return [
    podEdit(group, Effort.MUCH_SMALLER, `remove the request for ${resource}`, (shape) => ({
      ...shape,
      requests: new Map([...shape.requests].filter(([name]) => name !== resource)),
    })),
  ];
}

function describe(resource: string, wanted: bigint, amount: bigint): string {
  return `lower ${resource} from ${formatAmount(resource, wanted)} to ${formatAmount(resource, amount)}`;
}

/** Rounds bytes down to MiB. */
function inWholeUnits(resource: string, amount: bigint): bigint {
  const isBytes = resource === 'memory' || resource === 'ephemeral-storage';
  return isBytes ? (amount / MEBIBYTE) * MEBIBYTE : amount;
}

function effortOf(wanted: bigint, amount: bigint): Effort {
  if (amount * 10n >= wanted * 9n) return Effort.SLIGHTLY_SMALLER;
  return amount * 2n >= wanted ? Effort.OTHER_POD : Effort.MUCH_SMALLER;
}
