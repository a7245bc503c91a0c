import { PlainRecord } from './records';
import { asRecord } from '../../contract';

/** Merges values over defaults as Helm does: maps key by key, null deletes, and anything else replaces. */
export function mergedValues(defaults: PlainRecord, given: PlainRecord): PlainRecord {
  const result: Record<string, unknown> = { ...defaults };
  for (const [key, value] of Object.entries(given)) {
    const [defaultMap, givenMap] = [asRecord(result[key]), asRecord(value)];
    if (value === null) delete result[key];
    else result[key] = defaultMap && givenMap ? mergedValues(defaultMap, givenMap) : value;
  }
  return result;
}

const TYPED: ReadonlyMap<string, boolean | null> = new Map<string, boolean | null>([
  ['true', true],
  ['false', false],
  ['null', null],
]);
/** One step of a path such as `a.b\.c[0]`: a key, or an index of a list. */
const STEP = /\[(\d{1,4})\]|((?:\\.|[^.\\[\]])+)/g;
const MOST_STEPS = 100;

/**
 * Sets a value as `helm --set` does: `a.b[0]=1`, where `\.` is a dot in a key. A text in braces is a list.
 *
 * @param isText whether the value stays a text, as with `--set-string`
 */
export function withHelmParameter(
  values: PlainRecord,
  name: string,
  value: string | readonly string[],
  isText = false,
): PlainRecord {
  const steps = helmParameterPath(name);
  if (steps.length === 0 || steps.length > MOST_STEPS) return values;
  return changed(values, steps, typedValue(value, isText)) as PlainRecord;
}

/** The keys and indexes of a name such as `a.b\\.c[0]`. */
export function helmParameterPath(name: string): Array<string | number> {
  return [...name.matchAll(STEP)].map(([, index, key]) =>
    index === undefined ? key.replace(/\\(.)/g, '$1') : Number(index),
  );
}

function typedValue(value: string | readonly string[], isText: boolean): unknown {
  if (typeof value !== 'string') return value;
  const list = /^\{(?!Token)([^{}]*)\}$/.exec(value)?.[1];
  if (list !== undefined) return list === '' ? [] : list.split(',').map((item) => typedValue(item.trim(), isText));
  const text = value.replace(/\\([,.])/g, '$1');
  if (isText) return text;
  if (TYPED.has(text)) return TYPED.get(text);
  return /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
}

function changed(value: unknown, [step, ...rest]: ReadonlyArray<string | number>, set: unknown): unknown {
  if (step === undefined) return set;
  if (typeof step === 'number') {
    const list = Array.isArray(value) ? [...value] : [];
    while (list.length < step) list.push(undefined);
    list[step] = changed(list[step], rest, set);
    return list;
  }
  const map: Record<string, unknown> = Object.assign(Object.create(null), asRecord(value));
  map[step] = changed(map[step], rest, set);
  return map;
}
