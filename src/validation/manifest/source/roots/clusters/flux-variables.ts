import { asRecord, FieldPath } from '../../../../../contract';
import { nearestName, valueText } from '../../../../../model';
import { EmptiedVariable } from '../../../../vocabulary/source-file';
import { PlainRecord, recordsOf, stringMapOf } from '../../../records';
import { parseDocuments } from '../kustomization';
import { ObjectEdit } from '../kustomization-edits';

/** The variables that a Kustomization of Flux fills in, as far as the input has them. */
export interface FluxVariables {
  readonly values: ReadonlyMap<string, string>;
  /** Whether the input has all sources of values. Otherwise a name without a value may have one in the cluster. */
  readonly isComplete: boolean;
  /** Shared by all variables of the input, because each of them may be used in many places. */
  readonly budget: FillBudget;
  /** The Kustomization that has them, such as `Kustomization apps`. */
  readonly by: string;
}

/** How much text may still be filled in. Beyond it, placeholders stay. */
export class FillBudget {
  private left = MOST_FILLED_CHARACTERS;

  public take(characters: number): boolean {
    if (characters > this.left) return false;
    this.left -= characters;
    return true;
  }
}

/** Finds the ConfigMap or Secret of the cluster. */
export type FindValues = (kind: string, name: string) => PlainRecord | undefined;

const NAME = /^[_a-z]\w*$/i;
/** A name, maybe with a default that has no placeholder in it. Other forms of envsubst are left as they are. */
const PLACEHOLDER = /\$\{([_a-z]\w*)(?:(?::=|:-|=)([^${}]*))?\}/gi;
/** A name, or its length, and what follows. That begins with another character, so that matching takes linear time. */
const USED = /\$\{#?([_a-z]\w*)((?:[^${}\w][^${}]*)?)\}/gi;
/** So many variables of a text are looked for in it. */
const MOST_VARIABLES = 100;
/** A function of envsubst without a default, such as `${NAME,,}` and `${NAME:2:8}`. */
const FUNCTION = /^(?:[,^#%/]|:\s*-?\d|$)/;
/** envsubst has no arrays: it stops with "bad substitution". */
const ARRAY = /^\[/;
/** Stands for an escaped dollar sign. The text of a manifest cannot have it. */
const ESCAPED = '\0';
/** A default may have placeholders in it, and so on. */
const MAX_NESTING = 5;
/** As much as all files of an input may have. */
const MOST_FILLED_CHARACTERS = 64 * 1024 * 1024;
/** A longer text is no number or boolean. */
const LONGEST_SCALAR = 1000;
const DISABLED = 'kustomize.toolkit.fluxcd.io/substitute';

/**
 * The variables of `spec.postBuild`: `substitute` overrides `substituteFrom`, and there a later source overrides an
 * earlier one. Undefined if Flux fills in nothing, which it does without any variable.
 *
 * @see https://github.com/fluxcd/pkg/blob/main/kustomize/kustomize_varsub.go
 */
export function fluxVariables(
  { postBuild }: PlainRecord,
  by: string,
  find: FindValues,
  budget: FillBudget,
): FluxVariables | undefined {
  const { substitute, substituteFrom } = asRecord(postBuild) ?? {};
  const values = new Map<string, string>();
  let isComplete = true;
  const add = (pairs: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(pairs)) {
      if (isKnown(name, value)) {
        values.set(name, value.replaceAll('\n', ''));
      } else {
        values.delete(name);
        isComplete = false;
      }
    }
  };
  let isRequired = false;
  for (const { kind, name, optional } of recordsOf(substituteFrom)) {
    const source = find(valueText(kind), valueText(name));
    isRequired ||= optional !== true;
    if (source) {
      add(valuesIn(source));
    } else {
      // A source that is not in the input may override all values so far.
      values.clear();
      isComplete = false;
    }
  }
  add(stringMapOf(substitute));
  // A source that Flux requires has values, in the cluster if not in the input.
  return values.size === 0 && (isComplete || !isRequired) ? undefined : { values, isComplete, budget, by };
}

/** Variables that are equal in all. A name with different values has none. */
export function commonVariables([first, ...others]: readonly FluxVariables[]): FluxVariables | undefined {
  if (first === undefined || others.length === 0) return first;
  const all = [first, ...others];
  const values = new Map(
    [...first.values].filter(([name, value]) => others.every((other) => other.values.get(name) === value)),
  );
  const isSame = all.every(({ values: own }) => own.size === values.size);
  return values.size === 0
    ? undefined
    : { values, isComplete: isSame && all.every(({ isComplete }) => isComplete), budget: first.budget, by: first.by };
}

/** Fills the variables in, as Flux does after the build. Names without a value stay placeholders. */
export function substitutionEdit(variables: FluxVariables): ObjectEdit {
  const edit: ObjectEdit = (object) => (isDisabled(object) ? object : filledRecord(object, variables));
  return Object.assign(edit, {
    emptied: (object: PlainRecord) => (isDisabled(object) ? [] : emptiedIn(object, [], variables)),
  });
}

/** The value of a Secret that is encrypted, or that Flux fills in itself, is not known. */
function isKnown(name: string, value: string): boolean {
  return NAME.test(name) && !value.includes('${');
}

function valuesIn({ kind, data, stringData }: PlainRecord): Record<string, string> {
  if (kind !== 'Secret') return stringMapOf(data);
  const decoded = Object.entries(stringMapOf(data)).map(([name, value]) => [
    name,
    Buffer.from(value, 'base64').toString('utf8'),
  ]);
  return { ...(Object.fromEntries(decoded) as Record<string, string>), ...stringMapOf(stringData) };
}

function isDisabled({ metadata }: PlainRecord): boolean {
  const { labels, annotations } = asRecord(metadata) ?? {};
  return [labels, annotations].some((pairs) => asRecord(pairs)?.[DISABLED] === 'disabled');
}

function filledRecord(record: PlainRecord, variables: FluxVariables): PlainRecord {
  const entries = Object.entries(record).map(
    ([key, value]) => [filledText(key, variables), filled(value, variables)] as const,
  );
  // A field with an empty value is not set, as in a file.
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

function filled(value: unknown, variables: FluxVariables): unknown {
  if (typeof value === 'string') return typed(value, filledText(value, variables));
  if (Array.isArray(value)) return value.map((item) => filled(item, variables));
  const record = asRecord(value);
  return record ? filledRecord(record, variables) : value;
}

function filledText(text: string, { values, isComplete, budget }: FluxVariables): string {
  if (!text.includes('${')) return text;
  let result = text.replaceAll('$${', `${ESCAPED}{`);
  for (let depth = 0; depth < MAX_NESTING; depth++) {
    const next = result.replace(PLACEHOLDER, (placeholder, name: string, fallback: string | undefined) => {
      const value = values.get(name);
      if (value) return budget.take(value.length) ? value : placeholder;
      if (fallback !== undefined && (value === '' || isComplete)) return fallback;
      return value ?? placeholder;
    });
    if (next === result) break;
    result = next;
  }
  return result.replaceAll(ESCAPED, '$');
}

/** The variables without a value and without a default in the texts of a value. Each is listed once a text. */
function emptiedIn(value: unknown, path: FieldPath, variables: FluxVariables): EmptiedVariable[] {
  if (typeof value === 'string') return emptiedInText(value, path, variables);
  if (typeof value !== 'object' || value === null) return [];
  const steps: ReadonlyArray<readonly [string | number, unknown]> = Array.isArray(value)
    ? [...value.entries()]
    : Object.entries(value);
  return steps.flatMap(([step, inner]) => [
    ...(typeof step === 'string' ? emptiedInText(step, [...path, step], variables) : []),
    ...emptiedIn(inner, [...path, step], variables),
  ]);
}

function emptiedInText(written: string, path: FieldPath, { values, isComplete, by }: FluxVariables): EmptiedVariable[] {
  if (!written.includes('${')) return [];
  const unescaped = written.replaceAll('$${', ESCAPED);
  const uses = new Map(
    [...unescaped.matchAll(USED)].map(([text, name, rest]) => [`${name}${rest.slice(0, 1)}`, { text, name, rest }]),
  );
  return [...uses.values()].slice(0, MOST_VARIABLES).flatMap(({ text, name, rest }): EmptiedVariable[] => {
    const isRefused = ARRAY.test(rest);
    const isAssigned = isRefused || isSetIn(unescaped, name);
    const variable = { path, text, written, isAssigned, isRefused, by };
    if (isRefused) return [variable];
    // A default replaces what the script sets. The cluster may have a value that the input does not have.
    if (values.has(name) || (!isAssigned && (!isComplete || !FUNCTION.test(rest)))) return [];
    const nearest = isAssigned ? undefined : nearestName(name, [...values.keys()]);
    return [nearest === undefined ? variable : { ...variable, nearest }];
  });
}

function isSetIn(script: string, name: string): boolean {
  return new RegExp(`(?:^|[\\s;&|(])(?:${name}=|(?:for|read|read -r)\\s+${name}\\b)`, 'm').test(script);
}

/**
 * Flux fills in the text of YAML without quotes, so that a number or a boolean becomes one. Only texts that need quotes
 * or several lines stay texts.
 */
function typed(before: string, after: string): unknown {
  if (before === after || after.length > LONGEST_SCALAR || before.includes('\n') || scalar(before) !== before)
    return after;
  const value = scalar(after);
  return value === undefined ? after : value;
}

/** The value of a text without quotes, null if it is empty. Undefined if it cannot be one. */
function scalar(text: string): unknown {
  const [document, ...others] = parseDocuments(`value: ${text}\n`);
  const record = asRecord(document);
  if (others.length > 0 || !record) return undefined;
  const keys = Object.keys(record);
  return keys.length === 0 ? null : keys.length === 1 ? record.value : undefined;
}
