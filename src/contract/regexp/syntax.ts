/** The syntax tree of a regular expression. */
export type Expression =
  | { readonly kind: 'set'; readonly ranges: CodeRanges; readonly negated: boolean }
  | { readonly kind: 'begin' | 'end' }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly Expression[] }
  | {
      readonly kind: 'repeat';
      readonly part: Expression;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** Ranges of code points, first and last included. */
export type CodeRanges = ReadonlyArray<readonly [first: number, last: number]>;

/** The pattern is invalid, or uses syntax outside the supported subset. */
export class UnsupportedPattern extends Error {}

const DIGIT: CodeRanges = [[48, 57]];
const WORD: CodeRanges = [
  [48, 57],
  [65, 90],
  [95, 95],
  [97, 122],
];
/** White space in RE2: ASCII only, without the vertical tab. */
const SPACE: CodeRanges = [
  [9, 10],
  [12, 13],
  [32, 32],
];
const NEWLINE: CodeRanges = [[10, 10]];
const CLASSES: Readonly<Record<string, CodeRanges>> = { d: DIGIT, w: WORD, s: SPACE };
const CONTROLS: Readonly<Record<string, number>> = { a: 7, t: 9, n: 10, v: 11, f: 12, r: 13 };
const MAX_REPEATS = 1_000;

/** Parses the common subset of RE2's syntax. @throws UnsupportedPattern */
export function parsePattern(pattern: string): Expression {
  const parser = new Parser([...pattern]);
  return parser.parse();
}

class Parser {
  private position = 0;

  public constructor(private readonly text: readonly string[]) {}

  public parse(): Expression {
    const expression = this.choice();
    if (this.position < this.text.length) throw this.unsupported();
    return expression;
  }

  private choice(): Expression {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
  }

  private sequence(): Expression {
    const parts: Expression[] = [];
    while (this.position < this.text.length && !'|)'.includes(this.text[this.position])) parts.push(this.repeated());
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
    const braces = /^\{(\d{1,4})(,(\d{0,4}))?\}/.exec(this.text.slice(this.position, this.position + 12).join(''));
    if (!braces) return undefined;
    this.position += braces[0].length;
    const min = Number(braces[1]);
    const max = braces[2] === undefined ? min : braces[3] === '' ? Infinity : Number(braces[3]);
    if (min > MAX_REPEATS || (max > MAX_REPEATS && max !== Infinity) || max < min) throw this.unsupported();
    return [min, max];
  }

  private atom(): Expression {
    const character = this.text[this.position++];
    switch (character) {
      case '^':
        return { kind: 'begin' };
      case '$':
        return { kind: 'end' };
      case '.':
        return { kind: 'set', ranges: NEWLINE, negated: true };
      case '(':
        return this.group();
      case '[':
        return this.set();
      case '\\':
        return this.escape();
      case '*':
      case '+':
      case '?':
        throw this.unsupported();
      default:
        return literal(character);
    }
  }

  private group(): Expression {
    if (this.take('?') && !this.take(':')) throw this.unsupported();
    const inner = this.choice();
    if (!this.take(')')) throw this.unsupported();
    // The extra sequence makes a following repetition apply to the whole group.
    return { kind: 'sequence', parts: [inner] };
  }

  private escape(): Expression {
    const code = this.text[this.position++];
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
    for (let first = true; first || this.text[this.position] !== ']'; first = false) {
      if (this.position >= this.text.length) throw this.unsupported();
      ranges.push(...this.setItem());
    }
    this.position++;
    return { kind: 'set', ranges, negated };
  }

  private setItem(): CodeRanges {
    const character = this.text[this.position++];
    if (character === '[' && this.text[this.position] === ':') throw this.unsupported();
    if (character === '\\' && Object.hasOwn(CLASSES, this.text[this.position] ?? ''))
      return CLASSES[this.text[this.position++]];
    const first = character === '\\' ? this.escaped(this.text[this.position++]) : character.codePointAt(0)!;
    if (
      this.text[this.position] !== '-' ||
      this.text[this.position + 1] === ']' ||
      this.position + 1 >= this.text.length
    )
      return [[first, first]];
    this.position++;
    const end = this.text[this.position++];
    const last = end === '\\' ? this.escaped(this.text[this.position++]) : end.codePointAt(0)!;
    if (last < first) throw this.unsupported();
    return [[first, last]];
  }

  private take(character: string): boolean {
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  private unsupported(): UnsupportedPattern {
    return new UnsupportedPattern(`unsupported syntax at ${this.position}: ${this.text.join('')}`);
  }
}

function literal(character: string): Expression {
  const code = character.codePointAt(0)!;
  return { kind: 'set', ranges: [[code, code]], negated: false };
}
