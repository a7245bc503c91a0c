/** A part of a file that is parsed by itself. */
export interface DocumentPart {
  readonly text: string;
  /** Offset in the file. */
  readonly start: number;
}

/** `---` at the beginning of a line begins a document, even in the middle of a quoted string. */
const DOCUMENT_START = /\n(?=---(?:[ \t\r\n]|$))/g;
/** A directive precedes the `---` of its document. */
const DIRECTIVE = /(?:^|\n)%/;
/** Boundary between two JSON objects, as in `kubectl get … -o json >> file` and in JSON Lines. */
const JSON_START = /\}[ \t]*\r?\n(?=\{)/g;

/** Splits a file into its documents, so that an error in one document does not affect the others. */
export function partsOf(text: string): readonly DocumentPart[] {
  return jsonParts(text) ?? (DIRECTIVE.test(text) ? [{ text, start: 0 }] : split(text, DOCUMENT_START));
}

/** Undefined unless the text is several JSON objects. kubectl reads such files, although they are not valid YAML. */
function jsonParts(text: string): readonly DocumentPart[] | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const parts = split(text, JSON_START);
  return parts.length > 1 && parts.every((part) => isJson(part.text)) ? parts : undefined;
}

function split(text: string, boundary: RegExp): DocumentPart[] {
  const ends = [...Array.from(text.matchAll(boundary), ({ 0: match, index }) => index + match.length), text.length];
  return ends.map((end, i) => ({ text: text.slice(ends[i - 1] ?? 0, end), start: ends[i - 1] ?? 0 }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
