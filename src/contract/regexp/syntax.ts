import { asciiClass, CodeRanges, CONTROLS, NEWLINE, PERL_CLASSES, unicodeClass } from './character-classes';

/** The syntax tree of a regular expression. */
export type RegexpSyntax =
  | CharacterSet
  | { readonly kind: Anchor }
  | { readonly kind: 'sequence' | 'choice'; readonly parts: readonly RegexpSyntax[] }
  | {
      readonly kind: 'repeat';
      readonly part: RegexpSyntax;
      readonly min: number;
      readonly max: number;
      readonly lazy: boolean;
    };

/** What must hold between two characters. */
export type Anchor = 'begin' | 'end' | 'line-begin' | 'line-end' | 'word-edge' | 'no-word-edge';

export interface CharacterSet {
  readonly kind: 'set';
  readonly ranges: CodeRanges;
  readonly negated: boolean;
  /** Upper and lower case are equal. */
  readonly folded: boolean;
}

/** The pattern is invalid. */
export class InvalidPattern extends Error {}

const MAX_REPEATS = 1_000;
/** Longer names of groups are not known to be in use. */
const MAX_NAME = 100;

const ANCHORS: Readonly<Record<string, Anchor>> = { A: 'begin', z: 'end', b: 'word-edge', B: 'no-word-edge' };

/** Flags: `i` ignores case, `m` makes ^ and $ match at lines, `s` lets . match a line break, `U` is ungreedy. */
interface Flags {
  readonly i: boolean;
  readonly m: boolean;
  readonly s: boolean;
  readonly U: boolean;
}

/**
 * Parses a pattern with the syntax of Go's regexp package.
 *
 * @throws InvalidPattern
 * @see https://pkg.go.dev/regexp/syntax
 */
export function parsePattern(pattern: string): RegexpSyntax {
  const parser = new Parser([...pattern]);
  return parser.parse();
}

class Parser {
  private position = 0;
  private flags: Flags = { i: false, m: false, s: false, U: false };

  public constructor(private readonly text: readonly string[]) {}

  public parse(): RegexpSyntax {
    const expression = this.choice();
    if (this.position < this.text.length) throw this.invalid();
    return expression;
  }

  private choice(): RegexpSyntax {
    const parts = [this.sequence()];
    while (this.take('|')) parts.push(this.sequence());
    return parts.length === 1 ? parts[0] : { kind: 'choice', parts };
  }

  private sequence(): RegexpSyntax {
    const parts: RegexpSyntax[] = [];
    let isRepeated = false;
    while (this.position < this.text.length && !'|)'.includes(this.text[this.position])) {
      const count = this.count();
      if (count) {
        const part = parts.pop();
        // Go refuses a repetition of nothing, and of a repetition, as in a**.
        if (!part || isRepeated) throw this.invalid();
        parts.push({ kind: 'repeat', part, min: count[0], max: count[1], lazy: this.take('?') !== this.flags.U });
      } else {
        parts.push(...this.atoms());
      }
      isRepeated = count !== undefined;
    }
    return parts.length === 1 ? parts[0] : { kind: 'sequence', parts };
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
    if (min > MAX_REPEATS || (max > MAX_REPEATS && max !== Infinity) || max < min) throw this.invalid();
    return [min, max];
  }

  /** One atom; none for flags; a character each for quoted text, because a repetition applies to its last one. */
  private atoms(): readonly RegexpSyntax[] {
    if (this.takeMatch(/^\\Q/)) return this.quoted();
    if (this.takeMatch(/^\(\?(?=[imsU-]+\))/)) {
      this.groupFlags();
      return [];
    }
    return [this.atom()];
  }

  private atom(): RegexpSyntax {
    const character = this.text[this.position++];
    switch (character) {
      case '^':
        return { kind: this.flags.m ? 'line-begin' : 'begin' };
      case '$':
        return { kind: this.flags.m ? 'line-end' : 'end' };
      case '.':
        return this.setOf(this.flags.s ? [] : NEWLINE, true);
      case '(':
        return this.group();
      case '[':
        return this.set();
      case '\\':
        return this.escape();
      default:
        return this.literal(character.codePointAt(0)!);
    }
  }

  private group(): RegexpSyntax {
    const outer = this.flags;
    if (this.take('?') && !this.takeMatch(/^P?<\w+>/)) this.groupFlags();
    const inner = this.choice();
    if (!this.take(')')) throw this.invalid();
    this.flags = outer;
    // The extra sequence makes a following repetition apply to the whole group.
    return { kind: 'sequence', parts: [inner] };
  }

  /** Reads `i-s:` of a group with flags, or `i-s)` of flags that hold until the outer group ends. */
  private groupFlags(): void {
    const read = this.takeMatch(/^[imsU]*(-[imsU]+)?[:)]/);
    if (read === undefined || read === ')') throw this.invalid();
    const [on, off = ''] = read.slice(0, -1).split('-');
    const set = (text: string, value: boolean) => Object.fromEntries([...text].map((flag) => [flag, value]));
    this.flags = { ...this.flags, ...set(on, true), ...set(off, false) };
  }

  private escape(): RegexpSyntax {
    const code = this.text[this.position];
    if (code !== undefined && Object.hasOwn(ANCHORS, code)) {
      this.position++;
      return { kind: ANCHORS[code] };
    }
    const ranges = this.escapedClass();
    return ranges ? this.setOf(ranges, false) : this.literal(this.escapedCode());
  }

  /** The text between \Q and \E, or the end of the pattern. */
  private quoted(): RegexpSyntax[] {
    const parts: RegexpSyntax[] = [];
    while (this.position < this.text.length && !this.takeMatch(/^\\E/))
      parts.push(this.literal(this.text[this.position++].codePointAt(0)!));
    return parts;
  }

  /** Reads a class after a backslash: \d, \W, \pL, \P{Greek}. Undefined if there is none. */
  private escapedClass(): CodeRanges | undefined {
    const code = this.text[this.position];
    if (code !== undefined && Object.hasOwn(PERL_CLASSES, code)) {
      this.position++;
      return PERL_CLASSES[code];
    }
    const named = this.takeMatch(/^[pP](\{\^?\w+\}|\w)/);
    if (named === undefined) return undefined;
    const ranges = unicodeClass(named.slice(1).replace(/[{}^]/g, ''), (named[0] === 'P') !== named.includes('^'));
    if (!ranges) throw this.invalid();
    return ranges;
  }

  /** Reads a character after a backslash. */
  private escapedCode(): number {
    const hexadecimal = this.takeMatch(/^x(\{[0-9A-Fa-f]{1,8}\}|[0-9A-Fa-f]{2})/);
    if (hexadecimal !== undefined) return this.valid(parseInt(hexadecimal.replace(/[x{}]/g, ''), 16));
    const octal = this.takeMatch(/^(0[0-7]{0,2}|[1-7][0-7]{1,2})/);
    if (octal !== undefined) return parseInt(octal, 8);
    const code = this.text[this.position++];
    if (code !== undefined && Object.hasOwn(CONTROLS, code)) return CONTROLS[code];
    if (code === undefined || /[A-Za-z0-9]/.test(code) || code > '\x7f') throw this.invalid();
    return code.codePointAt(0)!;
  }

  private valid(code: number): number {
    if (code > 0x10ffff) throw this.invalid();
    return code;
  }

  private set(): RegexpSyntax {
    const negated = this.take('^');
    const ranges: Array<readonly [number, number]> = [];
    for (let first = true; first || this.text[this.position] !== ']'; first = false) {
      if (this.position >= this.text.length) throw this.invalid();
      // Not spread: a class of Unicode has more ranges than a call may have arguments.
      for (const range of this.setItem()) ranges.push(range);
    }
    this.position++;
    return this.setOf(ranges, negated);
  }

  private setItem(): CodeRanges {
    const named = this.takeMatch(/^\[:\^?\w+:\]/);
    if (named !== undefined) {
      const ranges = asciiClass(named.replace(/[[\]:^]/g, ''), named.includes('^'));
      if (!ranges) throw this.invalid();
      return ranges;
    }
    if (this.text[this.position] === '\\') {
      this.position++;
      const ranges = this.escapedClass();
      if (ranges) return ranges;
      this.position--;
    }
    const first = this.setCode();
    if (
      this.text[this.position] !== '-' ||
      this.text[this.position + 1] === ']' ||
      this.position + 1 >= this.text.length
    )
      return [[first, first]];
    this.position++;
    const last = this.setCode();
    if (last < first) throw this.invalid();
    return [[first, last]];
  }

  private setCode(): number {
    const character = this.text[this.position++];
    return character === '\\' ? this.escapedCode() : character.codePointAt(0)!;
  }

  private literal(code: number): RegexpSyntax {
    return this.setOf([[code, code]], false);
  }

  private setOf(ranges: CodeRanges, negated: boolean): RegexpSyntax {
    return { kind: 'set', ranges, negated, folded: this.flags.i };
  }

  private take(character: string): boolean {
    if (this.text[this.position] !== character) return false;
    this.position++;
    return true;
  }

  /** Reads what matches here. Texts to match are short: names of groups and classes, flags, numbers. */
  private takeMatch(expected: RegExp): string | undefined {
    const found = expected.exec(this.text.slice(this.position, this.position + MAX_NAME).join(''))?.[0];
    if (found !== undefined) this.position += found.length;
    return found;
  }

  private invalid(): InvalidPattern {
    return new InvalidPattern(`invalid pattern at ${this.position}: ${this.text.join('')}`);
  }
}
