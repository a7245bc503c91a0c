/**
 * Placeholders make many texts invalid YAML: `{{ name }}` begins a mapping, and `${jsonencode({a = 1})}` ends it. A
 * mask has characters without a meaning in YAML in their place. The text keeps its length, so all positions stay true.
 */

/** The private characters: one that says which placeholder it is, and a filler for the rest of its length. */
const FIRST = 0xe000;
const LAST = 0xf8fe;
const FILLER = '\uf8ff';
const MASKED = /([\ue000-\uf8fe])\uf8ff*/g;
const PRIVATE = /[\ue000-\uf8ff]/;

/** A longer expression is no placeholder, but a brace that is never closed. */
const MOST_CHARACTERS = 2000;

/** After so many placeholders without an end, the rest of a text is not masked. */
const MOST_UNCLOSED = 100;

export interface MaskedText {
  readonly text: string;
  /** A value of the masked text, with the placeholders that were written. */
  restored(value: unknown): unknown;
}

/** Undefined if the text has no placeholder that can be masked. */
export function maskedText(text: string): MaskedText | undefined {
  if (PRIVATE.test(text)) return undefined;
  const originals: string[] = [];
  let masked = '';
  let end = 0;
  let unclosed = 0;
  for (const match of text.matchAll(/\$?\{\{|\$\{|#\{|@[A-Z][A-Z0-9_]+@|%[A-Z][A-Z0-9_]+%/g)) {
    if (match.index < end) continue;
    if (originals.length > LAST - FIRST) break;
    const length = lengthOf(text, match.index, match[0]);
    if (length === undefined) {
      // Each takes MOST_CHARACTERS steps, and a text that people write has few.
      if (++unclosed > MOST_UNCLOSED) break;
      continue;
    }
    const original = text.slice(match.index, match.index + length);
    masked += text.slice(end, match.index) + maskOf(original, originals.length);
    originals.push(original);
    end = match.index + length;
  }
  if (originals.length === 0) return undefined;
  return { text: masked + text.slice(end), restored: (value) => restored(value, originals) };
}

/** Line breaks stay, and the following lines of an expression become blank. */
function maskOf(original: string, index: number): string {
  const [first, ...others] = original.split('\n');
  const head = String.fromCharCode(FIRST + index) + FILLER.repeat(first.length - 1);
  return [head, ...others.map((line) => ' '.repeat(line.length))].join('\n');
}

/** The length of the placeholder that begins at an offset; undefined if it has no end. */
function lengthOf(text: string, offset: number, opening: string): number | undefined {
  if (opening.endsWith('{{')) {
    const near = text.slice(offset, offset + MOST_CHARACTERS);
    const end = near.indexOf('}}');
    const line = near.indexOf('\n');
    return end < 0 || (line >= 0 && line < end) ? undefined : end + 2;
  }
  if (!opening.endsWith('{')) return opening.length;
  let depth = 0;
  let isQuoted = false;
  const most = Math.min(text.length, offset + MOST_CHARACTERS);
  for (let index = offset + opening.length - 1; index < most; index++) {
    const char = text[index];
    if (isQuoted && char === '\\') index++;
    else if (char === '"') isQuoted = !isQuoted;
    else if (!isQuoted && char === '{') depth++;
    else if (!isQuoted && char === '}' && --depth === 0) return index + 1 - offset;
  }
  return undefined;
}

/** Changes lists and objects in place, because their identity is the key of what else is known about them. */
function restored(value: unknown, originals: readonly string[]): unknown {
  if (typeof value === 'string') return restoredText(value, originals);
  if (typeof value !== 'object' || value === null) return value;
  const object = value as Record<string, unknown>;
  for (const [key, item] of Object.entries(object)) {
    const original = restoredText(key, originals);
    if (original !== key) delete object[key];
    object[original] = restored(item, originals);
  }
  return value;
}

function restoredText(text: string, originals: readonly string[]): string {
  return text.replace(MASKED, (_, first: string) => originals[first.charCodeAt(0) - FIRST]);
}
