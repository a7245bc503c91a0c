import { FieldSpec } from './field-spec';
import { ANNOTATIONS, IMAGES, LABELS, NAMESPACES, REPLICAS, SELECTORS, VARIABLES } from '../facts/field-specs';
import { NAME_REFERENCES } from '../facts/name-references';
import { KustomizeRefusal } from '../refusal';
import { isSelectedKind, KindSelector } from '../resources/resource-id';

/** Places that name an object of a kind. */
export interface NameReference extends KindSelector {
  readonly fieldSpecs: readonly FieldSpec[];
}

/** The places that a kustomization changes. The names are those of the files of `configurations`. */
export interface TransformerConfig {
  readonly namePrefix: readonly FieldSpec[];
  readonly nameSuffix: readonly FieldSpec[];
  readonly namespace: readonly FieldSpec[];
  readonly commonLabels: readonly FieldSpec[];
  readonly labels: readonly FieldSpec[];
  readonly templateLabels: readonly FieldSpec[];
  readonly commonAnnotations: readonly FieldSpec[];
  readonly images: readonly FieldSpec[];
  readonly replicas: readonly FieldSpec[];
  readonly varReference: readonly FieldSpec[];
  readonly nameReference: readonly NameReference[];
}

function kindOf(text: string): KindSelector {
  const parts = text.split('/');
  const kind = parts.pop();
  const version = parts.pop() ?? '';
  return { kind, version, group: parts.join('/') };
}

function fieldSpecs(lines: readonly string[]): FieldSpec[] {
  return lines.flatMap((line) => {
    const [place, ...kinds] = line.split(' ');
    const create = place.startsWith('+');
    const path = create ? place.slice(1) : place;
    return kinds.length === 0 ? [{ path, create }] : kinds.map((kind) => ({ path, create, ...kindOf(kind) }));
  });
}

function specsIn(text: string): FieldSpec[] {
  return fieldSpecs(text.trim().split('\n'));
}

function nameReferences(): NameReference[] {
  const references: NameReference[] = [];
  let lines: string[] = [];
  for (const line of NAME_REFERENCES.trim().split('\n').reverse()) {
    if (line.startsWith(' ')) {
      lines.unshift(line.trim());
    } else {
      references.unshift({ ...kindOf(line), fieldSpecs: fieldSpecs(lines) });
      lines = [];
    }
  }
  return references;
}

let defaults: TransformerConfig | undefined;

export function defaultConfig(): TransformerConfig {
  const names = [{ path: 'metadata/name' }];
  return (defaults ??= {
    namePrefix: names,
    nameSuffix: names,
    namespace: specsIn(NAMESPACES),
    commonLabels: [...specsIn(SELECTORS), ...specsIn(LABELS)],
    labels: [],
    templateLabels: specsIn(LABELS),
    commonAnnotations: specsIn(ANNOTATIONS),
    images: specsIn(IMAGES),
    replicas: specsIn(REPLICAS),
    varReference: specsIn(VARIABLES),
    nameReference: nameReferences(),
  });
}

/** @throws Refusal if two places differ only in whether they are created */
export function mergedConfig(first: TransformerConfig, second: Partial<TransformerConfig>): TransformerConfig {
  if (first === second) return first;
  const merged = (key: Exclude<keyof TransformerConfig, 'nameReference'>) => mergedSpecs(first[key], second[key] ?? []);
  return {
    namePrefix: merged('namePrefix'),
    nameSuffix: merged('nameSuffix'),
    namespace: merged('namespace'),
    commonLabels: merged('commonLabels'),
    labels: merged('labels'),
    templateLabels: merged('templateLabels'),
    commonAnnotations: merged('commonAnnotations'),
    images: merged('images'),
    replicas: merged('replicas'),
    varReference: merged('varReference'),
    nameReference: mergedReferences(first.nameReference, second.nameReference ?? []),
  };
}

/** @throws Refusal if two places differ only in whether they are created */
export function mergedSpecs(first: readonly FieldSpec[], second: readonly FieldSpec[]): readonly FieldSpec[] {
  if (first === second || second.length === 0) return first;
  const result = [...first];
  for (const spec of second) {
    const same = result.find((other) => other.path === spec.path && isSelectedKind(selectable(other), spec));
    if (same === undefined) result.push(spec);
    else if ((same.create ?? false) !== (spec.create ?? false)) throw new KustomizeRefusal('conflicting fieldspecs');
  }
  return result;
}

function mergedReferences(first: readonly NameReference[], second: readonly NameReference[]): readonly NameReference[] {
  if (first === second) return first;
  const result = [...first];
  for (const reference of second) {
    const index = result.findIndex((other) => isSameKind(other, reference));
    if (index < 0) result.push(reference);
    else result[index] = { ...result[index], fieldSpecs: mergedSpecs(result[index].fieldSpecs, reference.fieldSpecs) };
  }
  return result;
}

function selectable({ group = '', version = '', kind = '' }: KindSelector) {
  return { group, version, kind };
}

function isSameKind(one: KindSelector, other: KindSelector): boolean {
  const [left, right] = [selectable(one), selectable(other)];
  return left.group === right.group && left.version === right.version && left.kind === right.kind;
}
