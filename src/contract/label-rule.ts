/** Syntax of label keys and values, and of all that Kubernetes calls a qualified name. */

export const LABEL_KEY_REMEDY = 'write <name> or <dns domain>/<name>, with letters, digits, "-", "_" and "."';
export const LABEL_VALUE_REMEDY = 'use at most 63 letters, digits, "-", "_" and ".", with a letter or digit at both ends';

const LONGEST_DOMAIN = 253;
const LONGEST_NAME = 63;
export const LONGEST_LABEL_VALUE = 63;
const NAME = /^(?:[A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const DOMAIN_PART = /^[a-z0-9](?:[-a-z0-9]*[a-z0-9])?$/;

/** Whether the text is `name` or `dns.domain/name`, as Kubernetes wants label and taint keys. */
export function isQualifiedName(text: string): boolean {
  const slash = text.indexOf('/');
  const [domain, name] = slash < 0 ? [undefined, text] : [text.slice(0, slash), text.slice(slash + 1)];
  if (name.length > LONGEST_NAME || !NAME.test(name)) return false;
  return domain === undefined || (domain.length <= LONGEST_DOMAIN && domain.split('.').every((part) => DOMAIN_PART.test(part)));
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= LONGEST_LABEL_VALUE && NAME.test(text));
}
