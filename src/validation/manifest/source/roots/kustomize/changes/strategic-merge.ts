import { KINDS, TYPES } from '../facts/merge-types';
import { KustomizeRefusal } from '../refusal';
import { PlainFields, isFields, isMissing, isScalar, textOf } from '../values';

/** A field that is merged by keys, or that leads to one. */
interface MergeField {
  /** Absent if a list is replaced; empty for a list of scalars. */
  readonly keys?: readonly string[];
  readonly type?: string;
}

/** A type without fields: kustomize knows the place, and replaces all lists below it. */
const PLAIN = '';

const types = new Map(
  TYPES.trim()
    .replaceAll(',\n ', ',')
    .split('\n')
    .map((line) => {
      const [name, fields] = line.split(' = ');
      return [name, new Map(fields.split(', ').map(mergeField))] as const;
    }),
);
const typeByKind = new Map(typedKinds());

function mergeField(text: string): readonly [name: string, field: MergeField] {
  const [, name, keys, type] = /^(\w+)(?:\[(.*)\])?(?::(\w+))?$/.exec(text)!;
  return [name, { type, ...(keys === undefined ? {} : { keys: keys.split(' ').filter((key) => key !== '') }) }];
}

function* typedKinds(): Generator<readonly [kind: string, type: string]> {
  let type = PLAIN;
  for (const line of KINDS.trim().split('\n')) {
    if (!line.startsWith(' ')) type = line;
    const [apiVersion, ...kinds] = line.trim().split(' ');
    for (const kind of kinds) yield [`${apiVersion} ${kind}`, type];
  }
}

/**
 * Applies a strategic merge patch as kustomize does. Returns undefined if the patch deletes the object. The patch is
 * consumed: its values become a part of the result.
 *
 * @throws Refusal if the kinds of values differ, or the patch has an unknown directive
 * @see https://github.com/kubernetes-sigs/kustomize/tree/master/kyaml/yaml/merge2
 */
export function strategicMerge(target: PlainFields, patch: PlainFields): PlainFields | undefined {
  return merge(target, patch, undefined) as PlainFields | undefined;
}

type Kind = 'MappingNode' | 'SequenceNode' | 'ScalarNode';

function kindOf(value: unknown): Kind {
  return Array.isArray(value) ? 'SequenceNode' : isFields(value) ? 'MappingNode' : 'ScalarNode';
}

/** Undefined stands for a missing value, and as a result for a removed one. */
function merge(target: unknown, patch: unknown, known: string | undefined, keys?: readonly string[]): unknown {
  const first = isMissing(target) ? patch : target;
  if (isMissing(first)) return patch === undefined ? target : undefined;
  const kind = kindOf(first);
  if (!isMissing(target) && !isMissing(patch) && kindOf(patch) !== kind)
    throw new KustomizeRefusal(`wrong Node Kind for patch: expected ${kind} but was ${kindOf(patch)}`);
  const type = known ?? typeOfObject(target) ?? typeOfObject(patch);
  switch (kind) {
    case 'MappingNode':
      return mergeMappings(target as PlainFields | null | undefined, patch as PlainFields | null | undefined, type);
    case 'SequenceNode':
      if (keys) return mergeLists(target as unknown[] | undefined, patch as unknown[] | undefined, type, keys);
      return replaced(target, patch);
    default:
      return replaced(target, patch);
  }
}

function replaced(target: unknown, patch: unknown): unknown {
  return patch === undefined ? target : patch === null ? undefined : patch;
}

function typeOfObject(value: unknown): string | undefined {
  if (!isFields(value) || !isScalar(value.kind) || !isScalar(value.apiVersion)) return undefined;
  return typeByKind.get(`${textOf(value.apiVersion)} ${textOf(value.kind)}`);
}

function mergeMappings(
  target: PlainFields | null | undefined,
  patch: PlainFields | null | undefined,
  type: string | undefined,
): PlainFields | undefined {
  if (!isMissing(target) && patch === null) return undefined;
  const directive = isFields(patch) ? takeDirective(patch) : 'merge';
  if (directive === 'delete') return undefined;
  // A value that only the patch has is merged with itself, which removes its null values.
  const result = isMissing(target) || directive === 'replace' ? (patch as PlainFields) : target;
  const fields = type === undefined ? undefined : types.get(type);
  const names = [...new Set([...Object.keys(result), ...Object.keys(patch ?? {})])].sort();
  for (const name of names) {
    const field = fields?.get(name);
    const inner = type === undefined ? undefined : (field?.type ?? PLAIN);
    const value = merge(result[name], patch?.[name], inner, field?.keys);
    if (value === undefined) delete result[name];
    else result[name] = value;
  }
  return result;
}

type Directive = 'merge' | 'replace' | 'delete';

function directiveOf(value: unknown): Directive {
  const text = textOf(value);
  if (text === 'merge' || text === 'replace' || text === 'delete') return text;
  throw new KustomizeRefusal(`unknown patch strategy '${text}'`);
}

function takeDirective(patch: PlainFields): Directive {
  if (isMissing(patch.$patch)) return 'merge';
  const directive = directiveOf(patch.$patch);
  delete patch.$patch;
  return directive;
}

/** The directive of a list is an item that has nothing else. */
function takeListDirective(patch: unknown[]): Directive {
  const index = patch.findIndex((item) => isFields(item) && item.$patch !== undefined);
  const item = patch[index];
  if (!isFields(item) || Object.keys(item).length > 1 || isMissing(item.$patch)) return 'merge';
  const directive = directiveOf(item.$patch);
  const kept = patch.filter((other) => !isFields(other) || textOf(other.$patch) !== directive);
  patch.splice(0, patch.length, ...kept);
  return directive;
}

function mergeLists(
  target: unknown[] | null | undefined,
  patch: unknown[] | null | undefined,
  type: string | undefined,
  keys: readonly string[],
): unknown[] | undefined {
  if (!isMissing(target) && patch === null) return undefined;
  let result = target ?? patch!;
  if (!isMissing(target) && !isMissing(patch)) {
    const directive = takeListDirective(patch);
    if (directive === 'delete') return undefined;
    if (directive === 'replace') result = patch;
  }
  return new KeyedLists(result, patch ?? undefined, type, keys).merged();
}

/** Items that are equal if they have the same values of the keys. Scalars are equal if their text is. */
class KeyedLists {
  public constructor(
    private readonly target: unknown[],
    private readonly patch: unknown[] | undefined,
    private readonly type: string | undefined,
    private readonly keys: readonly string[],
  ) {}

  public merged(): unknown[] | undefined {
    if (this.keys.length === 0) return this.mergedScalars();
    const wanted = this.wantedValues();
    let result = [...this.target];
    const merged: unknown[] = [];
    let keys = this.keys;
    for (const all of wanted) {
      const [valid, values] = this.validKeys(wanted, all);
      keys = valid;
      const matches = (item: unknown) => isMatch(item, valid, values);
      const isSame = (item: unknown) => hasValues(item, valid, values);
      const value = merge(result.find(isSame), this.patch?.find(isSame), this.type);
      if (isMissing(value) || (isFields(value) && Object.keys(value).length === 0)) {
        result = result.filter((item) => !matches(item));
        continue;
      }
      if (isFields(value))
        valid.forEach((key, index) => {
          if (value[key] === undefined && values[index] !== '') value[key] = values[index];
        });
      const index = merged.findIndex(matches);
      if (index < 0) merged.push(value);
      else merged[index] = value;
    }
    if (wanted.length === 0) return result;
    // Items of the patch come first.
    return appended(merged, result, keys);
  }

  private mergedScalars(): unknown[] {
    const seen = new Set<string>();
    return [...(this.patch ?? []), ...this.target].filter((item) => {
      const isNew = !seen.has(textOf(item));
      seen.add(textOf(item));
      return isNew;
    });
  }

  /** The values of the keys of all items, those of the patch first, each once. */
  private wantedValues(): string[][] {
    const all: string[][] = [];
    const seen = new Set<string>();
    for (const item of [...(this.patch ?? []), ...this.target]) {
      const values = this.keys.map((key) => (isFields(item) ? keyText(item[key]) : ''));
      const text = JSON.stringify(values);
      if (seen.has(text)) continue;
      seen.add(text);
      all.push(values);
    }
    return this.keys.length > 1 ? completed(all) : all;
  }

  /** Keys that no item has are left out, except if no item has any. */
  private validKeys(wanted: readonly string[][], values: readonly string[]): [string[], string[]] {
    const has = this.keys.map((_, index) => wanted.some((others) => others[index] !== ''));
    if (!has.includes(true)) return [[...this.keys], [...values]];
    return [this.keys.filter((_, index) => has[index]), values.filter((_, index) => has[index])];
  }
}

function keyText(value: unknown): string {
  return isScalar(value) ? textOf(value) : '';
}

/** Two lists of values are the same if they have one in common, and differ only where one is missing. */
function completed(all: readonly string[][]): string[][] {
  const result = [...all];
  for (let left = 0; left < result.length; left++) {
    for (let right = 0; right < result.length; right++) {
      const [one, other] = [result[left], result[right]];
      const differs = one.some((value, index) => value !== other[index] && value !== '' && other[index] !== '');
      if (differs || !one.some((value, index) => value === other[index])) continue;
      result[left] = result[right] = one.map((value, index) => value || other[index]);
    }
  }
  return result;
}

/** Whether an item has the values, except the missing ones. */
function hasValues(item: unknown, keys: readonly string[], values: readonly string[]): boolean {
  const isAnyKnown = values.some((value) => value !== '');
  return (
    isFields(item) &&
    keys.every(
      (key, index) =>
        (isAnyKnown && values[index] === '') || (isScalar(item[key]) && textOf(item[key]) === values[index]),
    )
  );
}

function isMatch(item: unknown, keys: readonly string[], values: readonly string[]): boolean {
  return (
    isFields(item) &&
    keys.every((key, index) =>
      values[index] === '' ? item[key] !== undefined : isScalar(item[key]) && textOf(item[key]) === values[index],
    )
  );
}

function appended(list: unknown[], items: readonly unknown[], keys: readonly string[]): unknown[] {
  let result = list;
  for (const item of items) {
    const present = keys.filter((key) => isFields(item) && !isMissing(item[key]));
    const values = present.map((key) => textOf((item as PlainFields)[key]));
    const matches = (other: unknown) => present.length > 0 && isMatch(other, keys.slice(0, values.length), values);
    if (keys.length > 1) result = result.filter((other) => !matches(other));
    const index = result.findIndex(matches);
    if (index < 0) result = [...result, item];
    else result[index] = item;
  }
  return result;
}
