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
