import { asRecord } from '../../../contract';
import { parseYaml } from '../../../model';

/** Words that need no quotes anywhere in YAML. Some of them, such as `true`, YAML reads as another type. */
const PLAIN_WORD = /^[A-Za-z0-9_/][A-Za-z0-9_./+-]*(?:[@:][A-Za-z0-9_./+-]+)*$/;
/** Words that YAML 1.1, as in many tools, reads as booleans or null. */
const YAML_1_1_WORD = /^(?:y|n|yes|no|on|off|true|false|null|~)$/i;
/** Also numbers of YAML 1.1, such as `1:30` and `0777`. */
const NUMBER_LIKE = /^[\d.+-][\d._:eExXoOa-fA-F+-]*$/;

/** How the values of a document are written. */
export type Notation = 'yaml' | 'json';

/** A value on one line. */
export function inlineText(value: unknown, notation: Notation): string {
  const record = asRecord(value);
  if (Array.isArray(value)) return `[${value.map((item) => inlineText(item, notation)).join(', ')}]`;
  if (!record) return writtenScalar(value, notation);
  const entries = Object.entries(record).map(
    ([key, item]) => `${writtenScalar(key, notation)}: ${inlineText(item, notation)}`,
  );
  return entries.length === 0 ? '{}' : notation === 'json' ? `{ ${entries.join(', ')} }` : `{${entries.join(', ')}}`;
}

/** Lines of an object or list in block style, without indentation; undefined for a value that fits after its key. */
export function blockLines(value: unknown): string[] | undefined {
  const record = asRecord(value);
  if (Array.isArray(value) && value.some(isComposite)) return value.flatMap((item) => itemLines(item));
  if (!record || Object.keys(record).length === 0) return undefined;
  return Object.entries(record).flatMap(([key, item]) => fieldLines(key, item));
}

export function fieldLines(key: string, value: unknown): string[] {
  const lines = blockLines(value);
  const name = writtenScalar(key, 'yaml');
  return lines
    ? [`${name}:`, ...lines.map((line) => (Array.isArray(value) ? line : `  ${line}`))]
    : [`${name}: ${inlineText(value, 'yaml')}`];
}

export function itemLines(item: unknown): string[] {
  const lines = blockLines(item) ?? [inlineText(item, 'yaml')];
  return lines.map((line, index) => `${index === 0 ? '- ' : '  '}${line}`);
}

/** @param quote - the quotes of the text that is replaced; it is used if it can be */
export function writtenScalar(value: unknown, notation: Notation, quote?: string): string {
  if (typeof value !== 'string' || notation === 'json' || quote === '"') return JSON.stringify(value);
  if (quote === "'" && /^[\x20-\x7e]*$/.test(value)) return `'${value.replaceAll("'", "''")}'`;
  return isPlain(value) ? value : JSON.stringify(value);
}

function isPlain(text: string): boolean {
  return PLAIN_WORD.test(text) && !YAML_1_1_WORD.test(text) && !NUMBER_LIKE.test(text) && parseYaml(text) === text;
}

function isComposite(value: unknown): boolean {
  return Array.isArray(value) || asRecord(value) !== undefined;
}
