/** More than any row of a price list has. A longer one means that the file is no CSV. */
const MAX_ROW_LENGTH = 64 * 1024;

/** Splits CSV (RFC 4180) into rows while it arrives, so that only one row is in memory. */
export class CsvRows {
  private fields: string[] = [];
  private field = '';
  private length = 0;
  private isQuoted = false;
  private wasQuote = false;

  /** @param onRow receives each complete row */
  public constructor(private readonly onRow: (fields: readonly string[]) => void) {}

  /**
   * @param text the next part of the file
   * @throws Error if a row is too long
   */
  public push(text: string): void {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const character = text[at];
      if (this.isQuoted) {
        if (this.wasQuote && character !== '"') this.isQuoted = false;
        else {
          // Of two quotes in a field, the second one is kept.
          if (character === '"' && !this.wasQuote) {
            this.field += text.slice(start, at);
            start = at + 1;
          }
          this.wasQuote = character === '"' && !this.wasQuote;
          continue;
        }
      }
      if (character === '"') {
        this.isQuoted = true;
        this.wasQuote = false;
        start = at + 1;
      } else if (character === ',' || character === '\n') {
        this.endField(text.slice(start, at));
        start = at + 1;
        if (character === '\n') this.endRow();
      }
    }
    this.field += text.slice(start);
    this.requireLength();
  }

  /** Whether the text so far ends with a complete row. */
  public get isComplete(): boolean {
    return this.fields.length === 0 && this.field === '';
  }

  private endField(rest: string): void {
    this.fields.push(this.field + rest);
    this.length += this.field.length + rest.length;
    this.field = '';
    this.wasQuote = false;
    this.requireLength();
  }

  private endRow(): void {
    const last = this.fields.length - 1;
    this.fields[last] = this.fields[last].replace(/\r$/, '');
    this.onRow(this.fields);
    this.fields = [];
    this.length = 0;
  }

  private requireLength(): void {
    if (this.length + this.field.length > MAX_ROW_LENGTH) throw new Error('has a row of more than 64 KiB');
  }
}
