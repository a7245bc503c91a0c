import { pathSteps, fieldValue } from './field-path';
import { FieldSpec, setFields } from './field-spec';
import { NotFollowed, KustomizeRefusal } from '../refusal';
import { Resource } from '../resources/resource';
import { effectiveNamespace, GroupVersionKind, idText, ResourceId, splitApiVersion } from '../resources/resource-id';
import { ResourceMap } from '../resources/resource-list';
import { PlainFields, isFields, isMissing } from '../values';

/** An entry of `vars`. */
export interface Variable {
  readonly name?: string;
  readonly objref?: {
    readonly apiVersion?: string;
    readonly group?: string;
    readonly version?: string;
    readonly kind?: string;
    readonly name?: string;
    readonly namespace?: string;
  };
  readonly fieldref?: { readonly fieldPath?: string };
}

/**
 * Marks the objects that variables take their values from.
 *
 * @throws Refusal if several objects are meant
 */
export function markVariables(list: ResourceMap, variables: readonly Variable[]): void {
  for (const { name = '', objref = {} } of variables) {
    const id = objectId(objref);
    const found = list.withAnyId(
      (other) =>
        other.name === id.name &&
        isSameKind(other, id) &&
        (id.namespace === '' || effectiveNamespace(other) === effectiveNamespace(id)),
    );
    if (found.length > 1)
      throw new KustomizeRefusal(`found ${found.length} resId matches for var ${name} (unable to disambiguate)`);
    for (const resource of found) resource.variables = [...resource.variables, name];
  }
}

function objectId(objref: NonNullable<Variable['objref']>): ResourceId {
  const { apiVersion, group = '', version = '', kind = '', name = '', namespace = '' } = objref;
  const parts = apiVersion ? splitApiVersion(apiVersion) : { group, version };
  return { group: parts.group || group, version: parts.version, kind, name, namespace };
}

function isSameKind(one: GroupVersionKind, other: GroupVersionKind): boolean {
  return one.group === other.group && one.version === other.version && one.kind === other.kind;
}

/**
 * Replaces `$(NAME)` in the texts that may have variables.
 *
 * @throws Refusal if a variable has no value
 * @see https://github.com/kubernetes-sigs/kustomize/tree/master/api/filters/refvar
 */
export function replaceVariables(
  resources: readonly Resource[],
  variables: ReadonlyMap<string, Variable>,
  specs: readonly FieldSpec[],
  isIncomplete: boolean,
): void {
  if (variables.size === 0) return;
  const values = new Map<string, unknown>();
  for (const [name, { objref = {}, fieldref }] of variables) {
    const source = resources.find((resource) => resource.variables.includes(name));
    if (!source && isIncomplete) throw new NotFollowed('a variable from an object that is not in the input');
    if (!source)
      throw new KustomizeRefusal(
        `var '${name}' cannot be mapped to a field in the set of known resources: ${idText(objectId(objref))}`,
      );
    const path = fieldref?.fieldPath || 'metadata.name';
    const value = fieldValue(source.fields!, pathSteps(path).flatMap(indexSteps));
    if (value === undefined)
      throw new KustomizeRefusal(`field specified in var '${name}' not found in corresponding resource: ${path}`);
    values.set(name, value);
  }
  for (const resource of resources)
    for (const spec of specs) setFields(resource, spec, 'nothing', (holder, key) => replaceIn(holder, key, values));
}

/** Splits `ports[0]` into its two steps. */
function indexSteps(step: string): string[] {
  const [, name, index] = /^([^[\]]+)\[(\d+)\]$/.exec(step) ?? [];
  return name === undefined ? [step] : [name, index];
}

function replaceIn(holder: PlainFields, key: string, values: ReadonlyMap<string, unknown>): void {
  const value = holder[key];
  if (isMissing(value)) return;
  if (typeof value === 'string') {
    holder[key] = replaced(value, values);
  } else if (Array.isArray(value)) {
    if (!value.every((item) => typeof item === 'string'))
      throw new KustomizeRefusal('invalid value type expect a string');
    value.forEach((item, index) => (value[index] = replaced(item, values) as string));
  } else if (isFields(value)) {
    for (const [name, inner] of Object.entries(value))
      if (typeof inner === 'string') value[name] = replaced(inner, values);
  }
}

/** A text that is one variable gets the type of its value. */
function replaced(text: string, values: ReadonlyMap<string, unknown>): unknown {
  const isPlain = (name: string) => values.has(name) && typeof values.get(name) !== 'object';
  const [whole, only] = /^\$\(([^)]*)\)$/.exec(text) ?? [];
  if (whole !== undefined) return isPlain(only) ? values.get(only) : text;
  return text.replace(/\$(?:\$|\(([^)]*)\))/g, (found, name?: string) => {
    if (name === undefined) return '$';
    return isPlain(name) ? String(values.get(name)) : found;
  });
}
