/** The part of a file between two lines that begin with `---`: no more than one document. */
export interface DocumentPart {
  /** Offset in the file, that of the line that begins it. */
  readonly start: number;
  readonly end: number;
  /** Offset behind that line; where the document itself begins on it, that of the line. */
  readonly contentStart: number;
}

const MARKER = '---';
const NOTHING_BEHIND = /^---(?: *| +#.*)$/;

/** The whole file is one part where the parts of it depend on each other, or end in other ways. */
export function documentParts(text: string): DocumentPart[] {
  if (/(?:^|\n)(?:%|\.\.\.)/.test(text)) return [{ start: 0, end: text.length, contentStart: 0 }];
  const starts = markers(text);
  if (starts[0] !== 0) starts.unshift(0);
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? text.length, contentStart: contentStart(text, start) }));
}

function markers(text: string): number[] {
  const found: number[] = [];
  for (let at = text.startsWith(MARKER) ? 0 : next(text, 0); at >= 0; at = next(text, at)) {
    if (/^\s?$/.test(text.charAt(at + MARKER.length))) found.push(at);
  }
  return found;
}

function next(text: string, after: number): number {
  const found = text.indexOf(`\n${MARKER}`, after);
  return found < 0 ? found : found + 1;
}

function contentStart(text: string, start: number): number {
  const lineEnd = text.indexOf('\n', start);
  const end = lineEnd < 0 ? text.length : lineEnd;
  return NOTHING_BEHIND.test(text.slice(start, end)) ? Math.min(end + 1, text.length) : start;
}
