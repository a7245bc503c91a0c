import { valueText } from '../../model';
/**
 * Values that are known only at deployment are tokens in texts, in the form that CDK uses, so that the manifest reader
 * recognises them. Equal tokens mean equal values. The placeholders of manifests are tokens, too.
 */

/** A name without brackets, so that the search of many unclosed tokens takes linear time. */
const TOKEN = /\$\{Token\[([^[\]]*)\]\}|(\$\{(?!Token\[|aws:)[^{}]*\})/g;
const GENERATED = 'name of ';

/** A token for a value that is known only at deployment. */
export function unknownToken(name: string): string {
  return `\${Token[${name.replace(/[[\]"\\{}\n]/g, (char) => PLAIN[char] ?? ' ')}]}`;
}

/** A value as text; an object or list where text is expected becomes a token. */
export function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? unknownToken(JSON.stringify(value)) : valueText(value);
}

/** A token for the name that CloudFormation generates for a resource: it differs from all other names. */
export function generatedName(resourceId: string): string {
  return unknownToken(GENERATED + resourceId);
}

const PLAIN: Readonly<Record<string, string>> = { '[': '(', ']': ')', '{': '(', '}': ')', '"': "'" };

/** One part of a text: known characters, or a token. */
export type TextPart =
  | { readonly literal: string; readonly token?: undefined }
  | { readonly token: string; readonly generated: boolean; readonly isPlaceholder: boolean };

export function textParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) parts.push({ literal: text.slice(end, match.index) });
    const token = match[1] ?? match[2];
    parts.push({ token, generated: token.startsWith(GENERATED), isPlaceholder: match[1] === undefined });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ literal: text.slice(end) });
  return parts;
}

/** Whether part of the text is known only at deployment. Generated names do not count, because they can be compared. */
export function hasUnknown(text: string): boolean {
  return textParts(text).some((part) => part.token !== undefined && !part.generated);
}

export function hasToken(text: string): boolean {
  return textParts(text).some(({ token }) => token !== undefined);
}

/** The text for messages, with tokens as placeholders: `karpenter-<AWS::Region>`. */
export function readable(text: string): string {
  return textParts(text)
    .map((part) => (part.token === undefined ? part.literal : part.isPlaceholder ? part.token : `<${part.token}>`))
    .join('');
}
