/** Thrown where the text is left to the library; it says no more, so it is made once. */
export const NOT_SIMPLE = new Error('not of the simplest YAML');

const [NEWLINE, SPACE, HASH] = [...'\n #'].map((mark) => mark.charCodeAt(0));

/** A text, and how far it has been read. */
export class SimpleText {
  public at = 0;

  public constructor(private readonly text: string) {}

  /** The character that comes next; NaN at the end. */
  public next(offset = 0): number {
    return this.text.charCodeAt(this.at + offset);
  }

  /** Whether nothing more comes on this line, or a comment. */
  public isLineEnd(): boolean {
    const code = this.next();
    return code === NEWLINE || Number.isNaN(code) || code === HASH && this.next(-1) === SPACE;
  }

  /** Goes over what the pattern, a sticky one, finds here. */
  public match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found[0];
  }

  /** Goes over a character that must be there. */
  public pass(code: number): void {
    if (this.next() !== code) throw NOT_SIMPLE;
    this.at += 1;
  }

  public passSpaces(): void {
    const { text } = this;
    let { at } = this;
    while (text.charCodeAt(at) === SPACE) at += 1;
    this.at = at;
  }

  /** Goes over spaces and line ends, where indentation means nothing. */
  public passBlanks(): void {
    while (this.next() === SPACE || this.next() === NEWLINE) this.at += 1;
  }

  /** Goes over the rest of a line, in which nothing may be but a comment. */
  public passLineEnd(): void {
    this.passSpaces();
    if (!this.isLineEnd()) throw NOT_SIMPLE;
    this.passLine();
  }

  /** From the beginning of a line to the next thing that is no comment. Returns how far that is indented, or -1 where there is nothing. */
  public passToContent(): number {
    for (;;) {
      const start = this.at;
      this.passSpaces();
      const code = this.next();
      if (Number.isNaN(code)) return -1;
      if (code !== HASH && code !== NEWLINE) return this.at - start;
      this.passLine();
    }
  }

  private passLine(): void {
    const end = this.text.indexOf('\n', this.at);
    this.at = end < 0 ? this.text.length : end + 1;
  }
}
