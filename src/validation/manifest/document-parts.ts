/** A part of a file that is read by itself. */
export interface DocumentPart {
  readonly text: string;
  /** Offset in the file. */
  readonly start: number;
}

/** `---` at the beginning of a line begins a document wherever it stands, be it in the middle of a text in quotes. */
const DOCUMENT_START = /\n(?=---(?:[ \t\r\n]|$))/g;
/** A directive stands before the `---` of the document that it is for. */
const DIRECTIVE = /(?:^|\n)%/;
/** Where one object of JSON ends and the next begins, as in `kubectl get … -o json >> file` and in lines of JSON. */
const JSON_START = /\}[ \t]*\r?\n(?=\{)/g;

/** The documents of a file, one by one, so that what is wrong in one of them is no matter of the others. */
export function partsOf(text: string): readonly DocumentPart[] {
  return jsonParts(text) ?? (DIRECTIVE.test(text) ? [{ text, start: 0 }] : split(text, DOCUMENT_START));
}

/** Undefined for what is not several objects of JSON. kubectl reads these, and by YAML there is no such file. */
function jsonParts(text: string): readonly DocumentPart[] | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  const parts = split(text, JSON_START);
  return parts.length > 1 && parts.every((part) => isJson(part.text)) ? parts : undefined;
}

function split(text: string, marks: RegExp): DocumentPart[] {
  const ends = [...Array.from(text.matchAll(marks), ({ 0: mark, index }) => index + mark.length), text.length];
  return ends.map((end, at) => ({ text: text.slice(ends[at - 1] ?? 0, end), start: ends[at - 1] ?? 0 }));
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
