/** Fields of HelmReleases, Applications and ClusterConfigs that are misspelt or at another level than they belong. */
import {
  APPLICATION_FIELDS,
  asRecord,
  CLUSTER_CONFIG_FIELDS,
  FieldPath,
  FieldsByPath,
  HELM_RELEASE_FIELDS,
} from '../../contract';
import { nearestName } from '../../model';
import { ManifestObject } from '../manifest/model';
import { PlainRecord } from '../manifest/records';

/** Fields that are no fields of their mapping, and where they belong. */
export interface MisplacedFields {
  /** The mapping that has them; empty for the object. */
  readonly parent: FieldPath;
  readonly keys: readonly string[];
  /** The field that was meant; of several fields, the mapping into which all of them belong. */
  readonly meant: FieldPath;
  /** Whether they are values of a chart that are not in the field for values. */
  readonly areValues: boolean;
}

const FLUX_VALUES: FieldPath = ['spec', 'values'];
/** Mappings of a HelmRelease whose unknown keys are likely values of the chart. */
const NEAR_VALUES: readonly string[] = ['spec', 'spec.chart', 'spec.chart.spec', 'spec.install', 'spec.upgrade'];
/** One unknown key may be a field of a newer release. */
const FEWEST_VALUES = 2;

/** The misplaced fields of an object; none for an object of another kind. */
export function misplacedFields({ apiVersion, kind, raw }: ManifestObject): MisplacedFields[] {
  const fields = fieldsOf(apiVersion, kind);
  if (fields === undefined) return [];
  return Object.keys(fields).flatMap((name): MisplacedFields[] => {
    const parent = pathOf(name);
    const mapping = valueAt(raw, parent);
    const unknown = Object.keys(mapping ?? {}).filter((key) => !fields[name].includes(key));
    const single = unknown.flatMap((key): MisplacedFields[] => {
      const meant = meantField(fields, name, key);
      return meant === undefined || valueAtPath(raw, meant) !== undefined
        ? []
        : [{ parent, keys: [key], meant, areValues: false }];
    });
    if (single.length > 0) return joined(single);
    const areValues = kind === 'HelmRelease' && NEAR_VALUES.includes(name) && !hasValues(raw);
    return areValues && unknown.length >= FEWEST_VALUES
      ? [{ parent, keys: unknown, meant: FLUX_VALUES, areValues: true }]
      : [];
  });
}

/** Fields that belong into one other mapping are one mistake. */
function joined(fields: readonly MisplacedFields[]): MisplacedFields[] {
  const byTarget = new Map<string, MisplacedFields[]>();
  for (const field of fields) {
    const target = field.meant.slice(0, -1).join('.');
    const isRenamed = target === field.parent.join('.');
    const key = isRenamed ? field.meant.join('.') : target;
    byTarget.set(key, [...(byTarget.get(key) ?? []), field]);
  }
  return [...byTarget.values()].map(([first, ...others]) =>
    others.length === 0
      ? first
      : {
          ...first,
          keys: [first, ...others].flatMap(({ keys }) => keys),
          meant: first.meant.slice(0, -1),
        },
  );
}

function fieldsOf(apiVersion: string, kind: string): FieldsByPath | undefined {
  if (kind === 'HelmRelease' && apiVersion.startsWith('helm.toolkit.fluxcd.io/')) return HELM_RELEASE_FIELDS;
  if (kind === 'Application' && apiVersion.startsWith('argoproj.io/')) return APPLICATION_FIELDS;
  return kind === 'ClusterConfig' && apiVersion.startsWith('eksctl.io/') ? CLUSTER_CONFIG_FIELDS : undefined;
}

/** The same field at the only other level that has it, or else the nearest field of the same level. */
function meantField(fields: FieldsByPath, name: string, key: string): FieldPath | undefined {
  const levels = Object.keys(fields).filter((other) => fields[other].includes(key));
  if (levels.length === 1) return [...pathOf(levels[0]), key];
  const near = levels.length === 0 ? nearestName(key, fields[name]) : undefined;
  return near === undefined ? undefined : [...pathOf(name), near];
}

/** The values of a HelmRelease as they are meant, with the field that has them. */
export function valuesOfHelmRelease(object: ManifestObject): {
  readonly values: PlainRecord;
  readonly path: FieldPath;
} {
  const written = valueAt(object.raw, FLUX_VALUES);
  if (written !== undefined) return { values: written, path: FLUX_VALUES };
  for (const { parent, keys, meant, areValues } of misplacedFields(object)) {
    if (meant.join() !== FLUX_VALUES.join()) continue;
    if (!areValues) return { values: valueAt(object.raw, [...parent, keys[0]]) ?? {}, path: [...parent, keys[0]] };
    const mapping = valueAt(object.raw, parent) ?? {};
    return { values: Object.fromEntries(keys.map((key) => [key, mapping[key]])), path: parent };
  }
  return { values: {}, path: FLUX_VALUES };
}

/** The values of a source of Argo CD as they are meant: its object may have a misspelt name. */
export function valuesObjectOf(helm: PlainRecord): { readonly values?: PlainRecord; readonly key: string } {
  const fields = APPLICATION_FIELDS['spec.source.helm'];
  const key = 'valuesObject';
  const near = Object.keys(helm).find((name) => !fields.includes(name) && nearestName(name, fields) === key);
  return helm[key] === undefined && near !== undefined
    ? { values: asRecord(helm[near]), key: near }
    : { values: asRecord(helm[key]), key };
}

function hasValues(raw: PlainRecord): boolean {
  return asRecord(raw.spec)?.values !== undefined || asRecord(raw.spec)?.valuesFrom !== undefined;
}

function pathOf(name: string): string[] {
  return name === '' ? [] : name.split('.');
}

function valueAt(raw: PlainRecord, path: FieldPath): PlainRecord | undefined {
  return asRecord(valueAtPath(raw, path));
}

function valueAtPath(raw: PlainRecord, path: FieldPath): unknown {
  return path.reduce<unknown>((value, step) => asRecord(value)?.[step], raw);
}
