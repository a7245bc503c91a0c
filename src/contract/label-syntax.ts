/** Syntax of label keys, label values and qualified names in Kubernetes. */

export const LABEL_KEY_REMEDY = 'write <name> or <dns domain>/<name>, with letters, digits, "-", "_" and "."';
export const LABEL_VALUE_REMEDY =
  'use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';

const MAX_DOMAIN_LENGTH = 253;
const MAX_NAME_LENGTH = 63;
export const LONGEST_LABEL_VALUE = 63;
const NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const DOMAIN_PART = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Whether the text is `name` or `dns.domain/name`, as Kubernetes requires for keys of labels and taints. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const [domain, name] = slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
  if (name.length > MAX_NAME_LENGTH || !NAME.test(name)) return false;
  return (
    domain === undefined ||
    (domain.length <= MAX_DOMAIN_LENGTH && domain.split('.').every((part) => DOMAIN_PART.test(part)))
  );
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= LONGEST_LABEL_VALUE && NAME.test(text));
}

/**
 * The values that somebody has written into one text, such as `a,b`, `a, b` or `["a","b"]`. Undefined for a single
 * value, and for a text that is no list of label values. Spaces divide only names with digits, such as those of zones:
 * `team a` is one value.
 */
export function joinedValues(text: string): string[] | undefined {
  const trimmed = text.trim();
  const inner = trimmed.startsWith('[') && trimmed.endsWith(']') ? trimmed.slice(1, -1) : trimmed;
  const words = inner.split(/\s+/);
  const isOfNames = words.length > 1 && words.every((word) => /[a-z]/.test(word) && /\d/.test(word));
  const parts = (/[,;]/.test(inner) || !isOfNames ? inner.split(/[,;\n]/) : words)
    .map((part) => withoutQuotes(part.trim()))
    .filter((part) => part !== '');
  const isList = parts.length > 0 && parts.every(isLabelValue) && (parts.length > 1 || parts[0] !== text);
  return isList ? [...new Set(parts)] : undefined;
}

function withoutQuotes(text: string): string {
  const isQuoted = text.length > 1 && /^["']/.test(text) && text.endsWith(text[0]);
  return isQuoted ? text.slice(1, -1) : text;
}

/** The values of a list, each by itself. Undefined if no text has several of them. */
export function separatedValues(values: readonly unknown[]): unknown[] | undefined {
  const separated = values.map((value) => (typeof value === 'string' ? joinedValues(value) : undefined));
  if (separated.every((parts) => parts === undefined)) return undefined;
  return [...new Set(values.flatMap((value, index) => separated[index] ?? [value]))];
}

/** What is wrong with a value that is none, as `must be …`. @param several what `joinedValues` returns for it */
export function labelValueProblemText(several: readonly string[] | undefined): string {
  return several !== undefined && several.length > 1 ? 'must be one label value, not several' : 'must be a label value';
}
