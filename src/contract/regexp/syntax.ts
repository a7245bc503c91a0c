/** A regular expression of RE2's syntax, read. */
export type Expression =
  | { readonly kind: 'set'; readonly ranges: CodeRanges; readonly negated: boolean }
  | { readonly kind: 'begin' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number; readonly lazy: boolean };

/** Code points, as first and last of each range. */
export type CodeRanges = ReadonlyArray<readonly [first: number, last: number]>;

/** The syntax has more than is read here. */
export class UnsupportedPattern extends Error {}

const DIGIT: CodeRanges = [[48, 57]];
const WORD: CodeRanges = [[48, 57], [65, 90], [95, 95], [97, 122]];
/** RE2's idea of white space, which has no vertical tab and nothing beyond ASCII. */
const SPACE: CodeRanges = [[9, 10], [12, 13], [32, 32]];
const NEWLINE: CodeRanges = [[10, 10]];
const CLASSES: Readonly<Record<string, CodeRanges>> = { d: DIGIT, w: WORD, s: SPACE };
const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
const MOST_REPEATS = 1_000;

/** Reads a pattern in the syntax that RE2 and Go share with others. @throws UnsupportedPattern */
export function parsePattern(pattern: string): Expression {
  const parser = new Parser([...pattern]);
  return parser.parse();
}

class Parser {
  private at = 0;

  public constructor(private readonly text: readonly string[]) {}

  public parse(): Expression {
    const expression = this.choice();
    if (this.at < this.text.length) throw this.unsupported();
    return expression;
  }

  private choice(): Expression {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
  }

  private sequence(): Expression {
    const parts: Expression[] = [];
    while (this.at < this.text.length && !'|)'.includes(this.text[this.at])) parts.push(this.repeated());
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
  }

  private repeated(): Expression {
    let part = this.atom();
    for (let count = this.count(); count; count = this.count()) {
      part = { kind: 'repeat', part, min: count[0], max: count[1], lazy: this.take('?') };
    }
    return part;
  }

  private count(): readonly [number, number] | undefined {
    if (this.take('*')) return [0, Infinity];
    if (this.take('+')) return [1, Infinity];
    if (this.take('?')) return [0, 1];
    const braces = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.text.slice(this.at, this.at + 12).join(''));
    if (!braces) return undefined;
    this.at += braces[0].length;
    const min = Number(braces[1]);
    const max = braces[2] === undefined ? min : braces[3] === '' ? Infinity : Number(braces[3]);
    if (min > MOST_REPEATS || (max > MOST_REPEATS && max !== Infinity) || max < min) throw this.unsupported();
    return [min, max];
  }

  private atom(): Expression {
    const character = this.text[this.at++];
    switch (character) {
      case '^': return { kind: 'begin' };
      case '$': return { kind: 'end' };
      case '.': return { kind: 'set', ranges: NEWLINE, negated: true };
      case '(': return this.group();
      case '[': return this.set();
      case '\\': return this.escape();
      case '*': case '+': case '?': throw this.unsupported();
      default: return literal(character);
    }
  }

  private group(): Expression {
    if (this.take('?') && !this.take(':')) throw this.unsupported();
    const inner = this.choice();
    if (!this.take(')')) throw this.unsupported();
    // A group of its own, so that a repetition of it is of the whole.
    return { kind: 'sequence', parts: [inner] };
  }

  private escape(): Expression {
    const code = this.text[this.at++];
    const ranges = code === undefined ? undefined : CLASSES[code.toLowerCase()];
    if (ranges) return { kind: 'set', ranges, negated: code !== code.toLowerCase() };
    return { kind: 'set', ranges: [[this.escaped(code), this.escaped(code)]], negated: false };
  }

  private escaped(code: string | undefined): number {
    if (code !== undefined && Object.hasOwn(CONTROLS, code)) return CONTROLS[code];
    if (code === undefined || /[A-Za-z0-9]/.test(code)) throw this.unsupported();
    return code.codePointAt(0)!;
  }

  private set(): Expression {
    const negated = this.take('^');
    const ranges: Array<readonly [number, number]> = [];
    for (let first = true; first || this.text[this.at] !== ']'; first = false) {
      if (this.at >= this.text.length) throw this.unsupported();
      ranges.push(...this.setItem());
    }
    this.at++;
    return { kind: 'set', ranges, negated };
  }

  private setItem(): CodeRanges {
    const character = this.text[this.at++];
    if (character === '[' && this.text[this.at] === ':') throw this.unsupported();
    if (character === '\\' && Object.hasOwn(CLASSES, this.text[this.at] ?? '')) return CLASSES[this.text[this.at++]];
    const first = character === '\\' ? this.escaped(this.text[this.at++]) : character.codePointAt(0)!;
    if (this.text[this.at] !== '-' || this.text[this.at + 1] === ']' || this.at + 1 >= this.text.length) return [[first, first]];
    this.at++;
    const end = this.text[this.at++];
    const last = end === '\\' ? this.escaped(this.text[this.at++]) : end.codePointAt(0)!;
    if (last < first) throw this.unsupported();
    return [[first, last]];
  }

  private take(character: string): boolean {
    if (this.text[this.at] !== character) return false;
    this.at++;
    return true;
  }

  private unsupported(): UnsupportedPattern {
    return new UnsupportedPattern(`not read: ${this.text.join('')} at ${this.at}`);
  }
}

function literal(character: string): Expression {
  const code = character.codePointAt(0)!;
  return { kind: 'set', ranges: [[code, code]], negated: false };
}
