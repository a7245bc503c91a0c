/** Reads TOML as far as its syntax and its keys go. */

export interface TomlKey {
  /** The parts of the key, with those of its table. */
  readonly path: readonly string[];
  /** Whether it is the header of a table. */
  readonly isTable: boolean;
}

export interface TomlProblem {
  /** `value`: the text after `=` is no value. `again`: a key or table is there twice. */
  readonly kind: 'syntax' | 'value' | 'again';
  /** The line, or the key that is there twice. */
  readonly written: string;
}

export interface TomlText {
  /** The keys up to the problem. */
  readonly keys: readonly TomlKey[];
  /** The first problem, at which Karpenter's parser ends. */
  readonly problem?: TomlProblem;
}

/** Deeper arrays and tables are not read. */
const MAX_DEPTH = 32;
const SCALAR =
  /(?:true|false|[+-]?(?:inf|nan)|0x[\da-fA-F_]+|0o[0-7_]+|0b[01_]+|\d{4}-\d\d-\d\d(?:[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|z|[+-]\d\d:\d\d)?)?|\d\d:\d\d:\d\d(?:\.\d+)?|[+-]?\d(?:_?\d)*(?:\.\d(?:_?\d)*)?(?:[eE][+-]?\d(?:_?\d)*)?)(?=[\s,\]}#]|$)/y;
const BARE_KEY = /[A-Za-z0-9_-]+/y;
const BASIC = /"(?:[^"\\\n]|\\.)*"/y;
const LITERAL = /'[^'\n]*'/y;
const MULTI_LINE = /"""(?:[^\\]|\\[^])*?"""(?!")|'''[^]*?'''(?!')/y;
const SPACE = /[ \t]*/y;
const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y;
const END_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y;

/** @see https://toml.io/en/v1.0.0 */
export function readToml(text: string): TomlText {
  return new TomlReader(text).read();
}

class TomlError extends Error {
  public constructor(readonly problem: TomlProblem | undefined) {
    super();
  }
}

class TomlReader {
  private readonly keys: TomlKey[] = [];
  private readonly defined = new Set<string>();
  private offset = 0;
  private table: readonly string[] = [];
  /** Distinguishes the tables of an array, which have the same keys. */
  private scope = 0;

  public constructor(private readonly text: string) {}

  public read(): TomlText {
    try {
      for (this.skip(BLANK); this.offset < this.text.length; this.skip(BLANK)) this.readLine();
    } catch (error) {
      if (!(error instanceof TomlError)) throw error;
      return { keys: this.keys, ...(error.problem === undefined ? {} : { problem: error.problem }) };
    }
    return { keys: this.keys };
  }

  private readLine(): void {
    const isArray = this.text.startsWith('[[', this.offset);
    if (isArray || this.text[this.offset] === '[') {
      this.offset += isArray ? 2 : 1;
      this.table = this.readKey();
      this.expect(isArray ? ']]' : ']');
      this.keys.push({ path: this.table, isTable: true });
      if (isArray) this.scope++;
      else this.define(`[${this.table.join('.')}]`, JSON.stringify(['table', this.scope, ...this.table]));
    } else {
      const path = [...this.table, ...this.readKey()];
      this.expect('=');
      this.skip(SPACE);
      this.keys.push({ path, isTable: false });
      this.readValue(0);
      this.define(path.join('.'), JSON.stringify(['key', this.scope, ...path]));
    }
    if (this.match(END_OF_LINE) === undefined) this.fail('syntax');
  }

  private readKey(): string[] {
    const parts: string[] = [];
    do {
      this.skip(SPACE);
      const quoted = this.match(BASIC) ?? this.match(LITERAL);
      const part = quoted === undefined ? this.match(BARE_KEY) : quoted.slice(1, -1);
      if (part === undefined) this.fail('syntax');
      parts.push(part!);
      this.skip(SPACE);
    } while (this.accept('.'));
    return parts;
  }

  private readValue(depth: number): void {
    if (depth > MAX_DEPTH) throw new TomlError(undefined);
    if (this.accept('[')) this.readItems(depth);
    else if (this.accept('{')) this.readFields(depth);
    else if ([MULTI_LINE, BASIC, LITERAL, SCALAR].every((kind) => this.match(kind) === undefined)) this.fail('value');
  }

  private readItems(depth: number): void {
    this.skip(BLANK);
    while (!this.accept(']')) {
      this.readValue(depth + 1);
      this.skip(BLANK);
      if (!this.accept(',') && this.text[this.offset] !== ']') this.fail('value');
      this.skip(BLANK);
    }
  }

  private readFields(depth: number): void {
    this.skip(SPACE);
    while (!this.accept('}')) {
      this.readKey();
      this.expect('=');
      this.skip(SPACE);
      this.readValue(depth + 1);
      this.skip(SPACE);
      if (!this.accept(',') && this.text[this.offset] !== '}') this.fail('value');
      this.skip(SPACE);
    }
  }

  private define(written: string, key: string): void {
    if (this.defined.has(key)) throw new TomlError({ kind: 'again', written });
    this.defined.add(key);
  }

  private expect(text: string): void {
    if (!this.accept(text)) this.fail('syntax');
  }

  private accept(text: string): boolean {
    const isThere = this.text.startsWith(text, this.offset);
    if (isThere) this.offset += text.length;
    return isThere;
  }

  private skip(pattern: RegExp): void {
    this.match(pattern);
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.offset;
    const [found] = pattern.exec(this.text) ?? [];
    if (found !== undefined) this.offset += found.length;
    return found;
  }

  private fail(kind: TomlProblem['kind']): void {
    const start = this.text.lastIndexOf('\n', Math.max(this.offset - 1, 0)) + 1;
    const [written] = this.text.slice(this.offset === 0 ? 0 : start).split('\n', 1);
    throw new TomlError({ kind, written: written.trim() });
  }
}
