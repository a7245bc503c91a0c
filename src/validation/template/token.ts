/**
 * What a template leaves to the deployment stands in texts as a token of the form that CDK uses, so that all that reads
 * manifests knows it for one. Equal tokens mean equal values.
 */

const TOKEN = /\$\{Token\[([^\]]*)\]\}/g;
const GENERATED = 'name of ';

/** A value that nobody can know before the deployment. */
export function unknownToken(what: string): string {
  return `\${Token[${what.replace(/[[\]"\\{}\n]/g, (char) => PLAIN[char] ?? ' ')}]}`;
}

/** A value as a text: what is none, where a text belongs, is as good as unknown. */
export function plainText(value: unknown): string {
  return typeof value === 'object' && value !== null ? unknownToken(JSON.stringify(value)) : String(value);
}

/** The name that CloudFormation makes for a resource that has none: unknown, and no other resource's. */
export function generatedName(resourceId: string): string {
  return unknownToken(GENERATED + resourceId);
}

const PLAIN: Readonly<Record<string, string>> = { '[': '(', ']': ')', '{': '(', '}': ')', '"': "'" };

/** One part of a text: characters that are known, or what a token stands for. */
export type TextPart =
  | { readonly literal: string; readonly token?: undefined }
  | { readonly token: string; readonly generated: boolean };

export function partsOf(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const match of text.matchAll(TOKEN)) {
    if (match.index > end) parts.push({ literal: text.slice(end, match.index) });
    parts.push({ token: match[1], generated: match[1].startsWith(GENERATED) });
    end = match.index + match[0].length;
  }
  if (end < text.length) parts.push({ literal: text.slice(end) });
  return parts;
}

/** Whether something of the text is known only at deployment; names that CloudFormation makes are as good as known. */
export function hasUnknown(text: string): boolean {
  return partsOf(text).some((part) => part.token !== undefined && !part.generated);
}

export function hasToken(text: string): boolean {
  return partsOf(text).some(({ token }) => token !== undefined);
}

/** For people: `karpenter-<AWS::Region>`. */
export function readable(text: string): string {
  return partsOf(text).map((part) => part.token === undefined ? part.literal : `<${part.token}>`).join('');
}
