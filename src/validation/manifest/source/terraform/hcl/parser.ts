import { HclError, HereDocument, MAX_DEPTH, Scanner } from './scanner';
import { AccessStep, Attribute, Block, Body, HclExpression, ObjectItem } from './syntax';

const NAME = /[A-Za-z_][\w-]*/y;
const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const KEYWORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\' };

/**
 * Reads the part of HCL that has literal values. `for`, and operators other than `==`, `!=` and `?` are
 * skipped. Nothing is evaluated, and no function is called.
 *
 * @see https://github.com/hashicorp/hcl/blob/main/hclsyntax/spec.md
 * @throws HclError if the text is not HCL
 */
export function parseHcl(text: string): Body {
  return new Parser(new Scanner(text)).body(0, 0).body;
}

/** An expression alone, as in a template. Undefined if the text is none. */
export function parseExpression(text: string): HclExpression | undefined {
  try {
    return new Parser(new Scanner(text)).whole();
  } catch (error) {
    if (error instanceof HclError) return undefined;
    throw error;
  }
}

/** Where an expression ends: at the end of a line, or only at a comma or a bracket. */
type Lines = 'one' | 'many';

class Parser {
  public constructor(private readonly scanner: Scanner) {}

  /** Reads attributes and blocks up to a closing brace, or to the end of the text. */
  public body(offset: number, depth: number): { readonly body: Body; readonly end: number } {
    if (depth > MAX_DEPTH) throw new HclError('too many blocks');
    const attributes: Attribute[] = [];
    const blocks: Block[] = [];
    const { text } = this.scanner;
    let at = this.scanner.skipBlanks(offset, true);
    while (at < text.length && text[at] !== '}') {
      const name = this.match(NAME, at);
      if (name === undefined) throw new HclError(`no name at offset ${at}`);
      const next = this.scanner.skipBlanks(at + name.length, false);
      if (text[next] === '=' && text[next + 1] !== '=') {
        const value = this.expression(this.scanner.skipBlanks(next + 1, false), 'one', depth + 1);
        attributes.push({ name, value });
        at = this.scanner.skipBlanks(value.end, true);
      } else {
        const block = this.block(name, at, next, depth);
        blocks.push(block);
        at = this.scanner.skipBlanks(block.end, true);
      }
    }
    return { body: { attributes, blocks }, end: at };
  }

  /** The expression that is the whole text. */
  public whole(): HclExpression | undefined {
    const value = this.expression(this.scanner.skipBlanks(0, true), 'many', 0);
    return this.scanner.skipBlanks(value.end, true) === this.scanner.text.length ? value : undefined;
  }

  private block(type: string, start: number, offset: number, depth: number): Block {
    const { text } = this.scanner;
    const labels: string[] = [];
    let at = offset;
    while (text[at] !== '{') {
      const end = text[at] === '"' ? this.scanner.endOfQuoted(at) : at + (this.match(NAME, at)?.length ?? 0);
      if (end === at) throw new HclError(`neither a block nor an attribute at offset ${at}`);
      labels.push(text.slice(at, end).replace(/^"|"$/g, ''));
      at = this.scanner.skipBlanks(end, false);
    }
    const { body, end } = this.body(at + 1, depth + 1);
    if (text[end] !== '}') throw new HclError('a block without end');
    return { type, labels, body, start, end: end + 1 };
  }

  private expression(offset: number, lines: Lines, depth: number): HclExpression {
    if (depth > MAX_DEPTH) throw new HclError('too many levels');
    const term = this.term(offset, depth);
    if (term && this.endsAt(term.end, lines)) return term;
    const decided = term && this.comparisonOrCondition(term, lines, depth);
    if (decided) return decided;
    return { kind: 'other', start: offset, end: this.endOfOther(term?.end ?? offset, lines, offset) };
  }

  /** `a == b`, `a ? b : c`, or both; undefined if the expression goes on in another way. */
  private comparisonOrCondition(first: HclExpression, lines: Lines, depth: number): HclExpression | undefined {
    const test = this.comparison(first, lines, depth);
    const { text } = this.scanner;
    const mark = this.scanner.skipBlanks(test.end, lines === 'many');
    if (text[mark] !== '?') return test !== first && this.endsAt(test.end, lines) ? test : undefined;
    const yes = this.expression(this.scanner.skipBlanks(mark + 1, lines === 'many'), lines, depth + 1);
    const colon = this.scanner.skipBlanks(yes.end, lines === 'many');
    if (text[colon] !== ':') return undefined;
    const no = this.expression(this.scanner.skipBlanks(colon + 1, lines === 'many'), lines, depth + 1);
    return { kind: 'condition', test, yes, no, start: first.start, end: no.end };
  }

  private comparison(left: HclExpression, lines: Lines, depth: number): HclExpression {
    const { text } = this.scanner;
    const at = this.scanner.skipBlanks(left.end, lines === 'many');
    const operator = text.slice(at, at + 2);
    if (operator !== '==' && operator !== '!=') return left;
    const right = this.term(this.scanner.skipBlanks(at + 2, lines === 'many'), depth + 1);
    return right
      ? { kind: 'comparison', isEqual: operator === '==', left, right, start: left.start, end: right.end }
      : left;
  }

  /** Whether an expression that ends here is complete: no operator or index follows. */
  private endsAt(offset: number, lines: Lines): boolean {
    const { text } = this.scanner;
    const next = text[this.scanner.skipBlanks(offset, lines === 'many')];
    return next === undefined || ',)]}\n'.includes(next) || next === ':';
  }

  /** The end of an expression that is not followed, from the end of its first term. */
  private endOfOther(offset: number, lines: Lines, start: number): number {
    const { text } = this.scanner;
    let at = offset;
    let end = offset;
    while (at < text.length) {
      at = this.scanner.skipBlanks(at, lines === 'many');
      const char = text[at];
      if (char === undefined || ',)]}'.includes(char) || (lines === 'one' && char === '\n')) break;
      if ('([{'.includes(char)) at = this.scanner.endOfBrackets(at);
      else if (char === '"') at = this.scanner.endOfQuoted(at);
      else at = this.scanner.hereDocumentAt(at)?.end ?? at + 1;
      end = at;
    }
    if (end === start) throw new HclError(`no value at offset ${start}`);
    return end;
  }

  private term(start: number, depth: number): HclExpression | undefined {
    const { text } = this.scanner;
    const char = text[start];
    if (char === '"') return this.quoted(start, depth);
    if (char === '[') return this.list(start, depth);
    if (char === '{') return this.object(start, depth);
    const hereDocument = this.scanner.hereDocumentAt(start);
    if (hereDocument) return this.hereDocument(start, hereDocument, depth);
    const number = this.match(NUMBER, start);
    if (number !== undefined) return { kind: 'literal', value: Number(number), start, end: start + number.length };
    const name = this.match(NAME, start);
    if (name === undefined) return undefined;
    const end = start + name.length;
    if (Object.hasOwn(KEYWORDS, name)) return { kind: 'literal', value: KEYWORDS[name], start, end };
    return this.accessed(
      text[end] === '(' ? this.call(name, start, end, depth) : this.reference(start, end, [name]),
      depth,
    );
  }

  private reference(start: number, offset: number, steps: readonly string[]): HclExpression {
    const all = [...steps];
    let end = offset;
    while (this.scanner.text[end] === '.') {
      const step = this.match(NAME, end + 1);
      if (step === undefined) break;
      all.push(step);
      end += 1 + step.length;
    }
    return { kind: 'reference', steps: all, start, end };
  }

  /** A term with the indexes, members and splats behind it. */
  private accessed(target: HclExpression, depth: number): HclExpression {
    const { text } = this.scanner;
    const steps: AccessStep[] = [];
    let end = target.end;
    for (;;) {
      const splat = text.startsWith('[*]', end) ? 3 : text.startsWith('.*', end) ? 2 : 0;
      const name = text[end] === '.' ? this.match(NAME, end + 1) : undefined;
      if (splat > 0) {
        steps.push('*');
        end += splat;
      } else if (name !== undefined) {
        steps.push({ kind: 'literal', value: name, start: end + 1, end: end + 1 + name.length });
        end += 1 + name.length;
        // An index after `.*` selects an item of the result.
      } else if (text[end] === '[' && !steps.includes('*')) {
        const index = this.items(end + 1, ']', depth + 1);
        if (index?.items.length !== 1) break;
        steps.push(index.items[0]);
        end = index.end;
      } else break;
    }
    return steps.length === 0 ? target : { kind: 'access', target, steps, start: target.start, end };
  }

  private call(name: string, start: number, open: number, depth: number): HclExpression {
    const args = this.items(open + 1, ')', depth);
    return args ? { kind: 'call', name, args: args.items, start, end: args.end } : this.skipped(start, open);
  }

  private list(start: number, depth: number): HclExpression {
    const list = this.isFor(start) ? undefined : this.items(start + 1, ']', depth);
    return list ? { kind: 'list', items: list.items, start, end: list.end } : this.skipped(start, start);
  }

  /** Expressions between commas; undefined if they are written in another way, as in `f(list...)`. */
  private items(offset: number, close: string, depth: number): { items: HclExpression[]; end: number } | undefined {
    const { text } = this.scanner;
    const items: HclExpression[] = [];
    let at = this.scanner.skipBlanks(offset, true);
    while (text[at] !== close) {
      const item = this.expression(at, 'many', depth + 1);
      items.push(item);
      at = this.scanner.skipBlanks(item.end, true);
      if (text[at] === ',') at = this.scanner.skipBlanks(at + 1, true);
      else if (text[at] !== close) return undefined;
    }
    return { items, end: at + 1 };
  }

  private object(start: number, depth: number): HclExpression {
    if (this.isFor(start)) return this.skipped(start, start);
    const { text } = this.scanner;
    const items: ObjectItem[] = [];
    let at = this.scanner.skipBlanks(start + 1, true);
    while (text[at] !== '}') {
      const key = this.key(at, depth);
      const sign = this.scanner.skipBlanks(key.end, true);
      if (text[sign] !== '=' && text[sign] !== ':') throw new HclError(`no = at offset ${sign}`);
      const value = this.expression(this.scanner.skipBlanks(sign + 1, true), 'one', depth + 1);
      items.push({ key, value });
      at = this.scanner.skipBlanks(value.end, true);
      if (text[at] === ',') at = this.scanner.skipBlanks(at + 1, true);
    }
    return { kind: 'object', items, start, end: at + 1 };
  }

  /** A name is a literal key; anything else is an expression. */
  private key(start: number, depth: number): HclExpression {
    const name = this.match(NAME, start);
    const end = start + (name?.length ?? 0);
    const next = this.scanner.text[this.scanner.skipBlanks(end, false)];
    if (name !== undefined && (next === '=' || next === ':')) return { kind: 'literal', value: name, start, end };
    if (this.scanner.text[start] === '"') return this.quoted(start, depth);
    if (this.scanner.text[start] === '(') return this.skipped(start, start);
    if (name === undefined) throw new HclError(`no key at offset ${start}`);
    return this.reference(start, end, [name]);
  }

  private isFor(open: number): boolean {
    const first = this.scanner.skipBlanks(open + 1, true);
    return /^for\b/.test(this.scanner.text.slice(first, first + 4));
  }

  private skipped(start: number, open: number): HclExpression {
    return { kind: 'other', start, end: this.scanner.endOfBrackets(open) };
  }

  private quoted(start: number, depth: number): HclExpression {
    const end = this.scanner.endOfQuoted(start);
    const parts = this.parts(start + 1, end - 1, true, depth);
    return template(parts, start, end);
  }

  private hereDocument(start: number, { isIndented, ...found }: HereDocument, depth: number): HclExpression {
    const parts = this.parts(found.start, found.contentEnd, false, depth);
    return template(isIndented ? withoutIndent(parts) : parts, start, found.end);
  }

  private parts(start: number, end: number, hasEscapes: boolean, depth: number): Array<string | HclExpression> {
    const { text } = this.scanner;
    const parts: Array<string | HclExpression> = [];
    let literal = '';
    for (let at = start; at < end; at++) {
      const char = text[at];
      if (hasEscapes && char === '\\') {
        at++;
        const code = text[at] === 'u' ? text.slice(at + 1, at + 5) : undefined;
        literal += code === undefined ? (ESCAPES[text[at]] ?? text[at]) : String.fromCharCode(parseInt(code, 16) || 63);
        if (code !== undefined) at += 4;
      } else if ((char === '$' || char === '%') && text[at + 1] === char && text[at + 2] === '{') {
        literal += `${char}{`;
        at += 2;
      } else if (this.scanner.beginsTemplate(at)) {
        parts.push(literal, this.inTemplate(at, depth));
        literal = '';
        at = this.scanner.endOfBrackets(at + 1) - 1;
      } else literal += char;
    }
    return [...parts, literal].filter((part) => part !== '');
  }

  /** The expression in `${…}`. Directives, as `%{ if … }`, are not followed. */
  private inTemplate(start: number, depth: number): HclExpression {
    const { text } = this.scanner;
    const end = this.scanner.endOfBrackets(start + 1);
    const inner = this.scanner.skipBlanks(start + 2, true);
    const isPlain = text[start] === '$' && text[inner] !== '~';
    const value = isPlain ? this.expression(inner, 'many', depth + 1) : undefined;
    const isWhole = value !== undefined && this.scanner.skipBlanks(value.end, true) === end - 1;
    return isWhole ? value : { kind: 'other', start: inner, end: end - 1 };
  }

  private match(pattern: RegExp, offset: number): string | undefined {
    pattern.lastIndex = offset;
    return pattern.exec(this.scanner.text)?.[0];
  }
}

function template(parts: ReadonlyArray<string | HclExpression>, start: number, end: number): HclExpression {
  const [only = '', ...others] = parts;
  if (typeof only === 'string' && others.length === 0) return { kind: 'literal', value: only, start, end };
  return { kind: 'template', parts, start, end };
}

/** `<<-` removes the indentation that all lines have in common. */
function withoutIndent(parts: ReadonlyArray<string | HclExpression>): Array<string | HclExpression> {
  const whole = parts.map((part) => (typeof part === 'string' ? part : 'x')).join('');
  const indents = whole.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.search(/\S/)]));
  const indent = Math.min(...indents);
  if (indents.length === 0 || indent === 0 || !Number.isFinite(indent)) return [...parts];
  const atLineStart = new RegExp(`\\n[ \\t]{1,${indent}}`, 'g');
  const first = new RegExp(`^[ \\t]{1,${indent}}`);
  return parts.map((part, index) => {
    if (typeof part !== 'string') return part;
    const rest = part.replace(atLineStart, '\n');
    return index === 0 ? rest.replace(first, '') : rest;
  });
}
