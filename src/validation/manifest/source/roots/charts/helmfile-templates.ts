import { join, normalize } from 'path';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { mergedValues } from '../../../helm-values';
import { SourceFile } from '../../../model';
import { PlainRecord } from '../../../records';
import { parseDocuments } from '../kustomization';

/** Stands around an expression whose value is not known, so that the text stays YAML. */
const UNKNOWN = '\u2042';
const EXPRESSION = /\{\{-?\s{0,9}([^{}\n]{0,500}?)\s{0,9}-?\}\}/g;
/** With these, only helmfile knows which lines the file has. */
const CONTROL = /\{\{-?\s{0,9}(?:if|else|end|range|with|define|block|template|include)\b/;
const ESCAPED = /\{\{-?\s{0,9}`([^`]*)`\s{0,9}-?\}\}/g;
const VALUE =
  /^\.(?:Values|StateValues|Environment\.Values)((?:\.[\w-]+)+)(?:\s*\|\s*default\s+(?:"([^"]*)"|([\w./:-]+)))?(\s*\|\s*quote)?$/;

/** The text of a helmfile with the name and the values of an environment. Other expressions are marked as unknown. */
export function filledHelmfile(text: string, environment: string, values: PlainRecord): string {
  if (CONTROL.test(text)) return text;
  return text.replace(ESCAPED, '$1').replace(EXPRESSION, (_, expression: string) => {
    if (expression === '.Environment.Name') return environment;
    const [, path, quoted, plain, isQuoted] = VALUE.exec(expression) ?? [];
    const found = path && valueAt(values, path.slice(1).split('.'));
    // A default counts only if the value is known to be missing.
    const fallback = Object.keys(values).length > 0 ? (quoted ?? plain) : undefined;
    const value = found === undefined || typeof found === 'object' ? fallback : valueText(found);
    if (value === undefined) return `${UNKNOWN}${expression.replace(/[^\w.-]/g, '_')}${UNKNOWN}`;
    return isQuoted === undefined ? value : JSON.stringify(value);
  });
}

export function hasTemplates(value: unknown): boolean {
  const text = JSON.stringify(value) ?? '';
  return text.includes(UNKNOWN) || text.includes('{{');
}

/** A text with the name of the release, which helmfile fills in late. */
export function withReleaseName(text: string, name: string | undefined): string {
  return name === undefined ? text : text.replaceAll(`${UNKNOWN}.Release.Name${UNKNOWN}`, name);
}

/** The text with its unknown expressions as the helmfile has them. */
export function templateText(text: string): string {
  return text.replace(new RegExp(`${UNKNOWN}([^${UNKNOWN}]*)${UNKNOWN}`, 'g'), '{{ $1 }}');
}

/** The values of an environment. Empty if a file is not in the input, because it may override all others. */
export function environmentValuesOf(
  entries: unknown,
  folder: string,
  files: ReadonlyMap<string, SourceFile>,
): PlainRecord {
  let values: PlainRecord = {};
  for (const entry of Array.isArray(entries) ? entries : []) {
    const file = typeof entry === 'string' ? files.get(normalize(join(folder, entry))) : undefined;
    const isRead = file !== undefined && file.unreadable === undefined && !file.path.endsWith('.gotmpl');
    const record = isRead ? asRecord(parseDocuments(file.text)[0] ?? {}) : asRecord(entry);
    if (record === undefined) return {};
    values = mergedValues(values, record);
  }
  return values;
}

function valueAt(values: PlainRecord, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => asRecord(inner)?.[key], values);
}
