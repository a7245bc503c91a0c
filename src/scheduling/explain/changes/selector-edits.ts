import { Edit, Effort, podEdit } from './edit';
import {
  Label,
  labelWords,
  listText,
  nearestName,
  nearestNames,
  normalizeLabelKey,
  Requirement,
  RequirementSpec,
  suggestKeyAmong,
  WELL_KNOWN_LABELS,
  WELL_KNOWN_VALUES,
} from '../../../model';
import { PodShape } from '../../input/pod-shape';
import { distinctValues } from '../../launch/min-values';
import { Attempt } from '../../refusals/attempt';
import { catalogValues } from '../../refusals/wording';

/** Words that say nothing about which NodePool is meant. */
const GENERIC_WORDS: ReadonlySet<string> = new Set(
  'pool pools nodepool nodepools node nodes np provisioner karpenter'.split(' '),
);

/** The values of labels that say what images are built for. */
const PLATFORMS: ReadonlyMap<string, readonly string[]> = new Map([
  [Label.OS, ['linux', 'windows']],
  [Label.ARCH, ['amd64', 'arm64']],
]);

/**
 * Fixes the label key or value. A well-known label may also get another value of the pool, or be dropped. The user's
 * own labels name teams and purposes: with another value, the pod would run on the nodes of others.
 */
export function selectorEdits(group: number, attempt: Attempt, key: string, types: readonly number[]): Edit[] {
  const { template, variant } = attempt;
  const requirement = variant.requirements.get(key);
  const drop = podEdit(
    group,
    Effort.DROPPED_SELECTOR,
    `remove the node selection by ${key}, so that the pods may run on nodes with other values`,
    (shape) => withSpecs(shape, key, () => []),
  );
  const intendedKey = template.requirements.has(key)
    ? undefined
    : (suggestKeyAmong(key, template.requirements.keys()) ?? similarLabel(attempt, key));
  if (intendedKey !== undefined) {
    return [
      podEdit(group, Effort.TYPO, `select nodes by ${intendedKey} instead of ${key}`, (shape) =>
        withSpecs(shape, key, (spec) => [{ ...spec, key: intendedKey }]),
      ),
    ];
  }
  const isOwnLabel = !WELL_KNOWN_LABELS.has(key) || key === Label.NODE_POOL;
  if (requirement.operator() !== 'In') return isOwnLabel ? [] : [drop];
  const alternatives = valuesOf(attempt, key, types);
  const catalog = catalogValues(template, key);
  const written = [...requirement.values].sort();
  const intended = written
    .filter((value) => !catalog.includes(value))
    .flatMap((value) => {
      const nearest = nearestNames(value, alternatives);
      return nearest.length > 0 || key !== Label.NODE_POOL ? nearest : alternatives.filter(isSameNameAs(value));
    });
  const select = (effort: Effort, values: readonly string[]) =>
    podEdit(
      group,
      effort,
      `select nodes with ${labelWords(key)} ${listText(values, 'or')} instead of ${listText(written)}`,
      (shape) => withSpecs(shape, key, (spec) => [{ ...spec, operator: 'In', values: [...values] }]),
    );
  if (intended.length === 1) return [select(Effort.TYPO, intended)];
  if (isOwnLabel) return [];
  // A zone that does not exist is a typo, but nothing says which of several zones was meant.
  const isUnknownZone = key === Label.ZONE && written.every((value) => !catalog.includes(value));
  if (isUnknownZone) return alternatives.length === 0 ? [] : [select(Effort.TYPO, alternatives)];
  // Images run on the operating system and the architecture for which they are built.
  if (written.some((value) => PLATFORMS.get(key)?.includes(value))) return [];
  // Of many instance types, none is the one that the pod needs instead.
  if (key === Label.INSTANCE_TYPE && alternatives.length > 1) return [drop];
  return alternatives.length === 0 ? [drop] : [select(Effort.OTHER_POD, alternatives.slice(0, 1)), drop];
}

/**
 * The only label of the pool that has the value which the pod selects, and shares a word with the key of the pod: with
 * the label `workload-type: general`, the selector `workload: general` means this label.
 */
function similarLabel({ template: { pool }, variant }: Attempt, key: string): string | undefined {
  const { values } = variant.requirements.get(key);
  if (WELL_KNOWN_LABELS.has(key) || values.size !== 1) return undefined;
  const words = wordsOf(key);
  const similar = Object.entries(pool.labels).filter(
    ([label, value]) => values.has(value) && wordsOf(label).some((word) => words.includes(word)),
  );
  return similar.length === 1 ? similar[0][0] : undefined;
}

/** Whether the names of two NodePools differ only in words that every NodePool could have: `gpu-pool` means `gpu`. */
function isSameNameAs(written: string): (name: string) => boolean {
  const meant = significantWords(written);
  return (name) => meant !== '' && significantWords(name) === meant;
}

function significantWords(name: string): string {
  return wordsOf(name.toLowerCase())
    .filter((word) => !GENERIC_WORDS.has(word))
    .sort()
    .join('-');
}

/** The words of a label, without its domain. */
function wordsOf(key: string): string[] {
  return key.slice(key.indexOf('/') + 1).split(/[-_.]/);
}

/**
 * Corrects values of labels with few known values, such as `Spot`: Karpenter ignores pods that select other values.
 * Undefined if no such value is misspelt.
 */
export function knownValueEdits(group: number, shape: PodShape): Edit[] | undefined {
  const selected = [
    ...Object.entries(shape.nodeSelector).map(
      ([key, value]): RequirementSpec => ({ key, operator: 'In', values: [value] }),
    ),
    ...shape.requiredNodeAffinity.flatMap(({ matchExpressions }) => matchExpressions),
  ];
  const edits = selected.flatMap(({ key: written, operator, values = [] }) => {
    const key = normalizeLabelKey(written);
    const known = WELL_KNOWN_VALUES.get(key);
    if (known === undefined || operator !== 'In') return [];
    return values
      .filter((value) => !known.has(value))
      .flatMap((value) => {
        const meant = nearestName(value, [...known]);
        if (meant === undefined) return [];
        const corrected = (spec: RequirementSpec) =>
          (spec.values ?? []).map((candidate) => (candidate === value ? meant : candidate));
        return [
          podEdit(group, Effort.TYPO, `select nodes with ${labelWords(key)} ${meant} instead of ${value}`, (pod) =>
            withSpecs(pod, key, (spec) => [{ ...spec, values: corrected(spec) }]),
          ),
        ];
      });
  });
  return edits.length === 0 ? undefined : edits;
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
  const ofSelector = Object.entries(shape.nodeSelector).flatMap(([name, value]) => {
    const spec: RequirementSpec = { key: name, operator: 'In', values: [value] };
    return isKey(name) ? change(spec) : [spec];
  });
  // A node selector has one value for a label: more values are node affinity.
  const isSingle = ({ values = [] }: RequirementSpec) => values.length === 1;
  const several = ofSelector.filter((spec) => !isSingle(spec));
  const terms = shape.requiredNodeAffinity.map(({ matchExpressions }) =>
    matchExpressions.flatMap((spec) => (isKey(spec.key) ? change(spec) : [spec])),
  );
  const allTerms = terms.length === 0 && several.length > 0 ? [[]] : terms;
  return {
    ...shape,
    nodeSelector: Object.fromEntries(ofSelector.filter(isSingle).map((spec) => [spec.key, spec.values![0]])),
    requiredNodeAffinity: allTerms.map((specs) => ({ matchExpressions: [...specs, ...several] })),
  };
}
