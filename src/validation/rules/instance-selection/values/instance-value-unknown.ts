import { boundOfOtherUnit, OtherUnit } from './bound-of-other-unit';
import { karpenterLabel, MistakenKey, mistakenKey, mistakenText } from './mistaken-key';
import { unplannedWorkloads, valuesOfPods } from './value-of-pods';
import { isLikelyMisspelt, isPossibleLabelValue } from '../../../../catalog';
import {
  asRecord,
  FieldFix,
  FieldPath,
  joinedValues,
  safeFix,
  separatedList,
  SeparatedList,
  setField,
  unsafeFix,
} from '../../../../contract';
import { Label, labelName, listText, nearestNames, normalizeLabelKey } from '../../../../model';
import { whyUnresolved } from '../../../manifest/find-unresolved';
import { ManifestObject, WorkloadManifest } from '../../../manifest/model';
import { recordsOf } from '../../../manifest/records';
import { Pool, poolsOf } from '../../common/pool';
import { defineRule, SubjectFinding } from '../../define-rule';
import { RuleContext } from '../../rule';
import { subjectsFrom } from '../../subjects';

interface Requirer {
  readonly object: ManifestObject;
  /** The path of its requirements. */
  readonly path: FieldPath;
  /** @default - a NodeOverlay, or a workload */
  readonly pool?: Pool;
  /** A workload whose constraints are judged instead of requirements. */
  readonly workload?: WorkloadManifest;
}

interface UnknownValue {
  readonly value: string;
  readonly index: number;
  /** The only value that it resembles. */
  readonly meant?: string;
  /** Whether EC2 may have it by now. */
  readonly isPossible: boolean;
}

/** Names of the architectures in other programs. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['x86_64', 'amd64'],
  ['aarch64', 'arm64'],
]);

/** @see https://karpenter.sh/docs/reference/instance-types/ */
export const instanceValueUnknown = defineRule({
  id: 'KARP-251',
  name: 'instance-value-unknown',
  severity: 'warning',
  summary:
    'A NodePool or NodeOverlay names an instance type, family or size that EC2 lacks, or a bound in another unit.',
  subjects: subjectsFrom<Requirer>(requirers, {
    unknown: ({ object, path }) => whyUnresolved(requirementsOf(object, path)),
  }),
  judge: (requirer: Requirer, context) => {
    if (requirer.workload !== undefined) return valuesOfPods(requirer.workload);
    return recordsOf(requirementsOf(requirer.object, requirer.path)).flatMap(
      (requirement, index) => requirementFinding(context, requirer, requirement, index) ?? [],
    );
  },
});

function requirers(context: RuleContext): Requirer[] {
  return [
    ...poolsOf(context).map((pool) => ({
      object: pool.object,
      path: ['spec', 'template', 'spec', 'requirements'],
      pool,
    })),
    ...context.model.nodeOverlays.map(({ object }) => ({ object, path: ['spec', 'requirements'] })),
    ...unplannedWorkloads(context.model)
      .filter((workload) => valuesOfPods(workload).length > 0)
      .map((workload) => ({ object: workload.object, path: [], workload })),
  ];
}

function requirementsOf({ raw }: ManifestObject, path: FieldPath): unknown {
  return path.reduce<unknown>((value, name) => asRecord(value)?.[name], raw);
}

function requirementFinding(
  context: RuleContext,
  { object, path, pool }: Requirer,
  { key, operator, values }: Readonly<Record<string, unknown>>,
  index: number,
): SubjectFinding | undefined {
  if (typeof key !== 'string' || !Array.isArray(values)) return undefined;
  const label = karpenterLabel(key);
  const unit = boundOfOtherUnit(context, { label, operator, values }, [...path, index, 'values']);
  if (unit !== undefined) return unitFinding(unit, pool);
  if (operator !== 'In' && operator !== 'NotIn') return undefined;
  const isExclusion = operator === 'NotIn';
  // A type that is only newer than the catalogue is rightly excluded. A NodePool of only such types is not evaluated.
  const isSilent = isExclusion || (pool !== undefined && pool.spec === undefined);
  const unknown = unknownValues(context, label, values).filter(
    ({ value, meant, isPossible }) =>
      !isSilent || !isPossible || (isExclusion && isLikelyMisspelt(label, value, meant)),
  );
  if (unknown.length === 0) return undefined;
  // Karpenter rejects a NodePool without any known value of some labels.
  const launchesNothing =
    pool !== undefined && (pool.spec === undefined || pool.launch?.view.instanceTypes.length === 0);
  const isEmpty = launchesNothing && unknown.length === values.length && !isExclusion;
  const place = [...path, index, 'values'];
  const list = separatedList(place, values);
  const joined = unknown.find(({ value }) => joinedValues(value) !== undefined);
  if (list !== undefined && joined !== undefined)
    return joinedFinding(joined.value, list, [...place, joined.index], isEmpty, pool);
  if (unknown.length === values.length) {
    const others = recordsOf(requirementsOf(object, path)).filter((_, other) => other !== index);
    const meant = mistakenKey(context, key, values, [...path, index], others);
    const right = meant && others.find((other) => normalizeLabelKey(String(other.key)) === meant.key);
    // A patch that replaces the values alone is for another requirement of the list.
    const isPatched = right && object.locate(place).file !== object.locate([...path, index, 'key']).file;
    if (meant && isPatched) {
      const meantIndex = recordsOf(requirementsOf(object, path)).indexOf(right);
      return patchedEntryFinding(key, values, meant, place, meantIndex, isEmpty);
    }
    if (meant) return mistakenKeyFinding(key, values, meant, [...path, index, 'key'], isExclusion, isEmpty);
  }
  return {
    path: unknown.length === 1 ? [...place, unknown[0].index] : place,
    message: messageOf(label, unknown, isExclusion, isEmpty, pool !== undefined),
    remedy: remedyOf(context, label, unknown, values),
    evidence: { label, values: unknown.map(({ value }) => value), meant: unknown.map(({ meant }) => meant ?? null) },
    fix: fixOf(unknown, values, place),
    ...(isEmpty ? { severity: 'error' } : {}),
  };
}

function unitFinding({ excludesAll, ...finding }: OtherUnit, pool: Pool | undefined): SubjectFinding {
  const isEmpty = excludesAll && pool?.launch?.view.instanceTypes.length === 0;
  return {
    ...finding,
    message: `${finding.message}${isEmpty ? ', and the NodePool launches no nodes' : ''}`,
    evidence: {},
    ...(isEmpty ? { severity: 'error' } : {}),
  };
}

/** Several values in one text, such as `c,m,r`. The API server accepts it, and no instance type has it. */
function joinedFinding(
  value: string,
  { remedy, fix }: SeparatedList,
  path: FieldPath,
  isEmpty: boolean,
  pool: Pool | undefined,
): SubjectFinding {
  const effect = isEmpty
    ? 'no instance type has it, so that the NodePool launches no nodes'
    : pool === undefined
      ? 'no instance type has it'
      : 'Karpenter ignores it, and launches only the others';
  return {
    path,
    message: `has several values in one text, ${JSON.stringify(value)}: ${effect}`,
    remedy,
    evidence: { values: [value] },
    fix,
    ...(isEmpty ? { severity: 'error' } : {}),
  };
}

/** A JSON patch writes the values of one requirement into another one. */
function patchedEntryFinding(
  written: string,
  values: readonly unknown[],
  { key, noun }: MistakenKey,
  path: FieldPath,
  meantIndex: number,
  isEmpty: boolean,
): SubjectFinding {
  return {
    path,
    message: `${mistakenText(written, values as string[], noun)}: the patch changes another requirement than it means to${isEmpty ? ', and the NodePool launches no nodes' : ''}`,
    remedy: `patch index ${meantIndex} of requirements, which has the key ${key}, instead of index ${String(path.at(-2))}`,
    evidence: { label: written, values, meantKey: key, meantIndex },
    ...(isEmpty ? { severity: 'error' } : {}),
  };
}

function mistakenKeyFinding(
  written: string,
  values: readonly unknown[],
  { key, noun, fix, around = [] }: MistakenKey,
  path: FieldPath,
  isExclusion: boolean,
  isEmpty: boolean,
): SubjectFinding {
  const effect = isExclusion
    ? 'Karpenter excludes nothing by it'
    : isEmpty
      ? 'the NodePool launches no nodes'
      : 'no instance type has any of them';
  return {
    path,
    message: `${mistakenText(written, values as string[], noun)}: ${effect}`,
    remedy: `write the key ${key} instead of ${written}${categoriesText(around)}`,
    evidence: { label: written, values, meantKey: key },
    fix,
    ...(isEmpty ? { severity: 'error' } : {}),
  };
}

/** Another choice, for a template that writes the key itself. */
function categoriesText(categories: readonly string[]): string {
  if (categories.length === 0) return '';
  return `, or the ${categories.length === 1 ? 'category' : 'categories'} ${listText(categories)}`;
}

function unknownValues({ catalog }: RuleContext, label: string, values: readonly unknown[]): UnknownValue[] {
  const known = catalog.knownValues(label);
  if (known === undefined) return [];
  return values.flatMap((value, index) => {
    if (typeof value !== 'string' || known.has(value)) return [];
    const synonym = SYNONYMS.get(value) ?? (label === Label.INSTANCE_SIZE ? sizeInLetters(value) : undefined);
    const near = synonym !== undefined && known.has(synonym) ? [synonym] : nearestNames(value, [...known]);
    const swapped = near.filter((name) => [...name].sort().join('') === [...value].sort().join(''));
    const meant = near.length === 1 ? near[0] : swapped.length === 1 ? swapped[0] : undefined;
    return [{ value, index, meant, isPossible: isPossibleLabelValue(label, value) }];
  });
}

/** The size that `l`, `XL` or `2x` means. */
function sizeInLetters(value: string): string | undefined {
  const [, count, letters] = /^(\d*)(s|m|l|x|xl)$/.exec(value.toLowerCase()) ?? [];
  if (letters === undefined) return undefined;
  if (letters.startsWith('x')) return `${count}xlarge`;
  return count === '' ? { s: 'small', m: 'medium', l: 'large' }[letters] : undefined;
}

function messageOf(
  label: string,
  unknown: readonly UnknownValue[],
  isExclusion: boolean,
  isEmpty: boolean,
  isPool: boolean,
): string {
  const names = listText(unknown.map(({ value }) => value));
  const noun =
    label === Label.INSTANCE_TYPE
      ? 'instance type'
      : labelName(label)
          .replace(/^instance-/, '')
          .replace(/-/g, ' ');
  const isMaybe = unknown.some(({ isPossible }) => isPossible);
  const what = isMaybe
    ? `names ${noun} ${names}, which ${unknown.length === 1 ? 'is' : 'are'} not in the catalogue of instance types: misspelt, no longer offered, or newer than the catalogue`
    : `names ${noun} ${names}, which EC2 does not have`;
  if (isExclusion) return `${what}: Karpenter excludes nothing by it`;
  if (!isPool) return `${what}: the NodeOverlay does not apply to ${unknown.length === 1 ? 'it' : 'them'}`;
  if (isEmpty) return `${what}; no other is allowed, so that the NodePool launches no nodes`;
  return isMaybe
    ? `${what}; it is left out of this plan`
    : `${what}: Karpenter ignores the name, and launches only the others`;
}

function remedyOf(
  { catalog }: RuleContext,
  label: string,
  unknown: readonly UnknownValue[],
  values: readonly unknown[],
): string {
  const isMaybe = unknown.some(({ isPossible }) => isPossible);
  const refresh = 'if EC2 has it, pass a catalogue that karpenter-constructs catalog update makes';
  const isAll = unknown.length === values.length;
  // The API server refuses an empty list.
  if (
    isAll &&
    unknown.every(({ value, meant }) => meant === undefined && sizesIfType(catalog.names, label, value).length === 0)
  )
    return `write values that EC2 has, or remove the requirement${isMaybe ? `; ${refresh}` : ''}`;
  const parts = unknown.map(({ value, meant, isPossible }) => {
    if (meant !== undefined && values.includes(meant)) return `remove ${value}, because ${meant} is there already`;
    if (meant !== undefined) return `write ${meant} instead of ${value}`;
    const sizes = sizesIfType(catalog.names, label, value);
    if (sizes.length > 0)
      return `write a type of its family that exists instead of ${value}, of size ${listText(sizes, 'or')}`;
    return isPossible ? `remove ${value} if EC2 does not have it` : `remove ${value}`;
  });
  return `${listText(parts)}${isMaybe ? `; ${refresh}` : ''}`;
}

/** The sizes of a type's family, if the label is that of types. */
function sizesIfType(names: readonly string[], label: string, type: string): string[] {
  if (label !== Label.INSTANCE_TYPE) return [];
  const [family] = type.split('.');
  return names.filter((name) => name.startsWith(`${family}.`)).map((name) => name.slice(family.length + 1));
}

/** Only names that EC2 cannot have are corrected without a question. */
function fixOf(unknown: readonly UnknownValue[], values: readonly unknown[], path: FieldPath): FieldFix | undefined {
  if (unknown.some(({ meant }) => meant === undefined || values.includes(meant))) return undefined;
  if (new Set(unknown.map(({ meant }) => meant)).size < unknown.length) return undefined;
  const edits = unknown.map(({ index, meant }) => setField([...path, index], meant));
  return unknown.some(({ isPossible }) => isPossible) ? unsafeFix(...edits) : safeFix(...edits);
}
