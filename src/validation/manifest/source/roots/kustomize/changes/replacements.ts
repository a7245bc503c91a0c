import { pathSteps, placesAt, fieldValue } from './field-path';
import { nearestName } from '../../../../../../model';
import { NotFollowed, KustomizeRefusal } from '../refusal';
import { Selector, SelectorFields } from './selector';
import { Resource } from '../resources/resource';
import { effectiveNamespace, idText, isSelectedKind, ResourceId } from '../resources/resource-id';
import { clone, PlainFields, isFields, isMissing, isScalar, textOf } from '../values';

interface FieldOptions {
  readonly delimiter?: string;
  readonly index?: number;
  readonly create?: boolean;
}

interface ReplacementTarget {
  readonly select?: SelectorFields;
  readonly reject?: readonly SelectorFields[];
  readonly fieldPaths?: readonly string[];
  readonly options?: FieldOptions;
}

export interface FieldReplacement {
  readonly source?: SelectorFields & { readonly fieldPath?: string; readonly options?: FieldOptions };
  readonly sourceValue?: string;
  readonly targets?: readonly ReplacementTarget[];
}

const NAME = 'metadata.name';

/**
 * Copies a value from an object into fields of others.
 *
 * @param isIncomplete whether the build lacks objects that may be the source
 * @throws Refusal if the source or a field is missing
 * @see https://github.com/kubernetes-sigs/kustomize/blob/master/api/filters/replacement/replacement.go
 */
export function applyReplacement(
  resources: readonly Resource[],
  { source, sourceValue, targets }: FieldReplacement,
  isIncomplete: boolean,
): void {
  if ((isMissing(sourceValue) && isMissing(source)) || isMissing(targets))
    throw new KustomizeRefusal('replacements must specify a source and at least one target');
  if (!isMissing(sourceValue) && !isMissing(source))
    throw new KustomizeRefusal('value and resource selectors are mutually exclusive');
  const value = isMissing(source) ? sourceValue : sourceOf(resources, source, isIncomplete);
  for (const target of targets) {
    if (!target.select) throw new KustomizeRefusal('target must specify resources to select');
    const selector = new Selector(target.select);
    const rejected = (target.reject ?? []).map((fields) => ({ fields, selector: new Selector(fields) }));
    for (const resource of resources) {
      const ids = [resource.id, ...resource.previousIds];
      const isRejected = rejected.some((reject) => isRejectedBy(reject.fields, reject.selector, resource, ids));
      if (isRejected || !selector.matchesMetadata(resource) || !ids.some((id) => selector.matchesId(id))) continue;
      for (const path of target.fieldPaths?.length ? target.fieldPaths : [NAME])
        setAt(resource.fields!, path, value, target.options ?? {});
    }
  }
}

/** An object is rejected by its labels and annotations, or by its id. */
function isRejectedBy(
  fields: SelectorFields,
  selector: Selector,
  resource: Resource,
  ids: readonly ResourceId[],
): boolean {
  const { labelSelector, annotationSelector, ...id } = fields;
  if ((labelSelector || annotationSelector) && selector.matchesMetadata(resource)) return true;
  return Object.values(id).some((value) => Boolean(value)) && ids.some((each) => selector.matchesId(each));
}

function sourceOf(
  resources: readonly Resource[],
  source: NonNullable<FieldReplacement['source']>,
  isIncomplete: boolean,
): unknown {
  const { fieldPath, options } = source;
  const found = resources.filter((resource) =>
    [resource.id, ...resource.previousIds].some((id) => isSelected(id, source)),
  );
  const path = fieldPath || NAME;
  const selectorText = idText(definedId(source));
  if (found.length > 1) throw new KustomizeRefusal(`multiple matches for selector ${selectorText}`);
  if (found.length === 0) {
    if (isIncomplete) throw new NotFollowed('a replacement from an object that is not in the input');
    const names = resources.filter(({ kind }) => source.kind === undefined || kind === source.kind);
    const near = nearestName(
      source.name ?? '',
      names.map(({ name }) => name),
    );
    throw new KustomizeRefusal(
      `nothing selected by ${selectorText}`,
      near === undefined ? undefined : { remedy: `write name: ${near}`, field: ['source', 'name'] },
    );
  }
  const value = fieldValue(found[0].fields!, pathSteps(path));
  if (isMissing(value) || (typeof value === 'object' && Object.keys(value).length === 0))
    throw new KustomizeRefusal(`fieldPath \`${path}\` is missing for replacement source ${selectorText}`);
  if (!options?.delimiter) return value;
  if (!isScalar(value)) throw new KustomizeRefusal('delimiter option can only be used with scalar nodes');
  const parts = textOf(value).split(options.delimiter);
  const index = options.index ?? 0;
  if (index < 0 || index >= parts.length)
    throw new KustomizeRefusal(`options.index ${index} is out of bounds for value ${textOf(value)}`);
  return parts[index];
}

function definedId({ group = '', version = '', kind = '', name = '', namespace = '' }: SelectorFields): ResourceId {
  return { group, version, kind, name, namespace };
}

function isSelected(id: ResourceId, selector: SelectorFields): boolean {
  const wanted = definedId(selector);
  return (
    (wanted.name === '' || wanted.name === id.name) &&
    (wanted.namespace === '' || effectiveNamespace(wanted) === effectiveNamespace(id)) &&
    isSelectedKind(id, wanted)
  );
}

function setAt(fields: PlainFields, path: string, value: unknown, options: FieldOptions): void {
  const created = options.create ? (isScalar(value) ? 'scalar' : isFields(value) ? 'mapping' : 'list') : undefined;
  const places = placesAt(fields, pathSteps(path), created);
  if (places.length === 0)
    throw new KustomizeRefusal(`unable to find ${created ? 'or create ' : ''}field "${path}" in replacement target`);
  for (const { holder, key } of places) {
    const target = holder[key];
    const replaced = options.delimiter ? joined(target, value, options.delimiter, options.index ?? 0) : clone(value);
    holder[key] = isScalar(target) ? retyped(target, replaced) : replaced;
  }
}

function joined(target: unknown, value: unknown, delimiter: string, index: number): string {
  if (!isScalar(target)) throw new KustomizeRefusal('delimiter option can only be used with scalar nodes');
  const parts = textOf(target).split(delimiter);
  if (index < 0) parts.unshift(textOf(value));
  else if (index >= parts.length) parts.push(textOf(value));
  else parts[index] = textOf(value);
  return parts.join(delimiter);
}

/** The type of a scalar stays, if the value can have it. */
function retyped(target: unknown, value: unknown): unknown {
  if (!isScalar(value)) return isMissing(value) ? value : '';
  const text = textOf(value);
  if (typeof target === 'string') return text;
  if (typeof target === 'number') return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
  if (typeof target === 'boolean') return text === 'true' ? true : text === 'false' ? false : text;
  return value;
}
