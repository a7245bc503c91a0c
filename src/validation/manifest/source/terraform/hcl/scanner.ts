/** Thrown for a text that is not HCL, or nests deeper than people write. */
export class HclError extends Error {}

/** More levels of brackets, or of templates in texts, are no real configuration. */
export const MAX_DEPTH = 60;

const OPENING = '([{';
const CLOSING = ')]}';
const HEREDOC = /<<(-?)([A-Za-z_][\w-]*)[ \t]*\r?\n/y;

/** A here-document: its lines without the line of the marker. */
export interface HereDocument {
  /** The offset of the first line. */
  readonly start: number;
  /** The offset after the last line. */
  readonly contentEnd: number;
  /** The offset after the marker. */
  readonly end: number;
  readonly isIndented: boolean;
}

/** Finds the ends of texts, comments and brackets. All methods take and return offsets. */
export class Scanner {
  public constructor(public readonly text: string) {}

  /** The next offset that is no blank and no comment; line breaks count as blanks if asked. */
  public skipBlanks(offset: number, lineBreaks: boolean): number {
    const { text } = this;
    let at = offset;
    for (;;) {
      const char = text[at];
      if (char === ' ' || char === '\t' || char === '\r' || (lineBreaks && char === '\n') || char === '\ufeff') at++;
      else if (char === '#' || text.startsWith('//', at)) at = this.endOfLine(at);
      else if (text.startsWith('/*', at)) {
        const end = text.indexOf('*/', at + 2);
        if (end < 0) throw new HclError('a comment without end');
        at = end + 2;
      } else return at;
    }
  }

  public endOfLine(offset: number): number {
    const end = this.text.indexOf('\n', offset);
    return end < 0 ? this.text.length : end;
  }

  /** The offset after a text in quotes, whose templates may have texts in quotes. */
  public endOfQuoted(offset: number, depth = 0): number {
    const { text } = this;
    if (depth > MAX_DEPTH) throw new HclError('too many templates in a text');
    for (let at = offset + 1; at < text.length; at++) {
      const char = text[at];
      if (char === '\\') at++;
      else if (char === '"') return at + 1;
      else if (char === '\n') break;
      else if (this.beginsTemplate(at)) at = this.endOfBrackets(at + 1, depth + 1) - 1;
    }
    throw new HclError('a text without end');
  }

  /** Whether `${` or `%{` begins here. `$${` is a literal. */
  public beginsTemplate(offset: number): boolean {
    const { text } = this;
    const char = text[offset];
    return (char === '$' || char === '%') && text[offset + 1] === '{' && text[offset - 1] !== char;
  }

  /** The offset after the bracket that closes the one at the offset. */
  public endOfBrackets(offset: number, depth = 0): number {
    const { text } = this;
    const stack: string[] = [];
    let at = offset;
    while (at < text.length) {
      at = this.skipBlanks(at, true);
      const char = text[at];
      if (char === undefined) break;
      const opening = OPENING.indexOf(char);
      if (opening >= 0) stack.push(CLOSING[opening]);
      if (stack.length + depth > MAX_DEPTH) throw new HclError('too many brackets');
      if (CLOSING.includes(char) && stack.pop() !== char) throw new HclError('a bracket that was not opened');
      if (stack.length === 0) return at + 1;
      at = char === '"' ? this.endOfQuoted(at, depth) : (this.hereDocumentAt(at)?.end ?? at + 1);
    }
    throw new HclError('a bracket without end');
  }

  public hereDocumentAt(offset: number): HereDocument | undefined {
    const { text } = this;
    if (!text.startsWith('<<', offset)) return undefined;
    HEREDOC.lastIndex = offset;
    const match = HEREDOC.exec(text);
    if (!match) return undefined;
    const start = offset + match[0].length;
    for (let line = start; line < text.length; ) {
      const lineEnd = this.endOfLine(line);
      if (text.slice(line, lineEnd).trim() === match[2])
        return { start, contentEnd: line, end: lineEnd, isIndented: match[1] === '-' };
      line = lineEnd + 1;
    }
    throw new HclError('a here-document without end');
  }
}
