import { nearestName } from './edit-distance';
import { LABEL_SHORT_NAMES, labelKeyOf, labelShortName, labelValueKind } from './label-short-names';
import { Operator, RequirementSpec } from './requirement';

/** A mistake in requirements that are written as text. */
export class RequirementTextError extends Error {
  /**
   * @param text the whole text
   * @param start index of the first wrong character; the length of the text if something is missing at its end
   */
  constructor(
    message: string,
    readonly text: string,
    readonly start: number,
    readonly end: number,
  ) {
    super(message);
  }
}

interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /\s*(?:(?<word>[A-Za-z0-9_][A-Za-z0-9_./-]*)|(?<quoted>"[^"]*"|'[^']*')|(?<symbol><=|>=|!=|==|&&|\|\||[<>=[\](),!])|(?<other>[^\s]))/y;

/** The words and symbols of a text. The last token is its end. */
function requirementTokens(text: string): Token[] {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const { word, quoted, symbol, other } = match.groups!;
    const found = word ?? quoted ?? symbol ?? other;
    const end = match.index + match[0].length;
    const start = end - found.length;
    if (other !== undefined) throw new RequirementTextError(unexpected(other), text, start, end);
    const content = quoted === undefined ? found : quoted.slice(1, -1);
    tokens.push({ kind: symbol === undefined ? 'word' : 'symbol', text: content, start, end });
  }
  return [...tokens, { kind: 'end', text: '', start: text.length, end: text.length }];
}

function unexpected(character: string): string {
  if (character === '"' || character === "'") return 'the quote does not end; add a closing quote, or omit both';
  return `unexpected character ${JSON.stringify(character)}; write for example family In [m7g,c7g] and cpu <= 8`;
}

const SYMBOLS: ReadonlyMap<string, Operator> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['!=', 'NotIn'],
  ['<', 'Lt'],
  ['<=', 'Lte'],
  ['>', 'Gt'],
  ['>=', 'Gte'],
]);
const WORDS: readonly Operator[] = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt', 'Gte', 'Lte'];
const BOUND_SYMBOLS: Readonly<Partial<Record<Operator, string>>> = { Gt: '>', Gte: '>=', Lt: '<', Lte: '<=' };
const OPERATORS = 'In, NotIn, Exists, DoesNotExist, =, !=, <, <=, > or >=';
const LABEL_VALUE = /^[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;
/** Karpenter reads bounds as 64-bit integers. */
const MAX_DIGITS = 18;
const MIB_PER_UNIT: ReadonlyMap<string, bigint> = new Map([
  ['Mi', 1n],
  ['Gi', 2n ** 10n],
  ['Ti', 2n ** 20n],
]);

/**
 * Requirements from a text such as `family In [m7g,c7g] and cpu <= 8`. Labels have short names, and memory may have a
 * unit: `memory >= 16Gi`.
 *
 * @throws RequirementTextError with the place of the mistake
 */
export function parseRequirements(text: string): RequirementSpec[] {
  return new Parser(text).requirements();
}

/** The text that `parseRequirements` reads as these requirements. `minValues` are not part of it. */
export function requirementsText(requirements: readonly RequirementSpec[]): string {
  return requirements.map(requirementText).join(' and ');
}

/** One requirement as text: `cpu <= 8`. */
export function requirementText({ key, operator, values = [] }: RequirementSpec): string {
  const name = labelShortName(key);
  if (operator === 'Exists' || operator === 'DoesNotExist') return `${name} ${operator}`;
  if (operator !== 'In' && operator !== 'NotIn') return `${name} ${BOUND_SYMBOLS[operator]} ${values[0]}`;
  if (values.length === 1) return `${name} ${operator === 'In' ? '=' : '!='} ${values[0]}`;
  return `${name} ${operator} [${values.join(',')}]`;
}

class Parser {
  private readonly tokens: readonly Token[];
  private position = 0;

  constructor(private readonly text: string) {
    this.tokens = requirementTokens(text);
  }

  requirements(): RequirementSpec[] {
    const requirements = [this.requirement()];
    for (let token = this.next(); token.kind !== 'end'; token = this.next()) {
      if (token.text !== '&&' && token.text.toLowerCase() !== 'and') this.failAfterRequirement(token);
      requirements.push(this.requirement());
    }
    return requirements;
  }

  private requirement(): RequirementSpec {
    const key = this.key();
    const { operator, token } = this.operator(key);
    if (operator === 'Exists' || operator === 'DoesNotExist') return { key, operator };
    if (operator === 'In' || operator === 'NotIn') {
      const isSymbol = token.kind === 'symbol';
      return { key, operator, values: [...new Set(isSymbol ? [this.value(key)] : this.values(key, operator))] };
    }
    if (labelValueKind(key) === 'text') {
      this.fail(
        token,
        `${labelShortName(key)} has no numbers, and ${token.text} compares numbers; write ${labelShortName(key)} = … or In […]`,
      );
    }
    return { key, operator, values: [this.value(key)] };
  }

  private key(): string {
    const token = this.next();
    if (token.kind !== 'word')
      this.fail(token, 'a label is missing here; write for example family In [m7g,c7g] and cpu <= 8');
    const key = labelKeyOf(token.text) ?? labelKeyOf(token.text.toLowerCase());
    if (key !== undefined) return key;
    if (token.text.toLowerCase() === 'price')
      this.fail(token, 'the price is no label of an instance type; use --sort price');
    const nearest = nearestName(token.text.toLowerCase(), LABEL_SHORT_NAMES);
    return this.fail(
      token,
      `no instance type has the label ${JSON.stringify(token.text)}; ${nearest === undefined ? `write one of ${LABEL_SHORT_NAMES.join(', ')}` : `did you mean ${nearest}?`}`,
    );
  }

  private operator(key: string): { readonly operator: Operator; readonly token: Token } {
    const token = this.next();
    const operator = SYMBOLS.get(token.text) ?? WORDS.find((word) => word.toLowerCase() === token.text.toLowerCase());
    if (operator !== undefined) return { operator, token };
    if (token.kind === 'end')
      return this.fail(token, `an operator is missing after ${labelShortName(key)}; write ${OPERATORS}`);
    const nearest = nearestName(token.text, WORDS);
    return this.fail(
      token,
      `unknown operator ${JSON.stringify(token.text)}; ${nearest === undefined ? `write ${OPERATORS}` : `did you mean ${nearest}?`}`,
    );
  }

  /** A list in brackets. */
  private values(key: string, operator: Operator): string[] {
    const open = this.next();
    const example = `${labelShortName(key)} ${operator} [a,b]`;
    if (open.text !== '[' && open.text !== '(')
      this.fail(open, `${operator} needs a list in brackets; write ${example}`);
    const close = open.text === '[' ? ']' : ')';
    if (this.tokens[this.position].text === close)
      this.fail(this.next(), `the list is empty; write at least one value, as in ${example}`);
    const values = [this.value(key)];
    for (let token = this.next(); token.text !== close; token = this.next()) {
      if (token.text !== ',')
        this.fail(
          token,
          `${token.kind === 'end' ? 'the list does not end' : `unexpected ${JSON.stringify(token.text)} in the list`}; write "," or "${close}" here`,
        );
      values.push(this.value(key));
    }
    return values;
  }

  private value(key: string): string {
    const token = this.next();
    if (token.kind !== 'word') this.fail(token, `a value of ${labelShortName(key)} is missing here`);
    const kind = labelValueKind(key);
    if (kind !== 'text') return this.number(token, key, kind === 'MiB');
    if (LABEL_VALUE.test(token.text)) return token.text;
    return this.fail(
      token,
      `${JSON.stringify(token.text)} cannot be the value of a label; use at most 63 letters, digits, "-", "_" and "."`,
    );
  }

  private number(token: Token, key: string, isMemory: boolean): string {
    const [, digits, unit] = /^(\d+)([KMGT]i)?B?$/.exec(token.text) ?? [];
    const factor = unit === undefined ? 1n : isMemory ? MIB_PER_UNIT.get(unit) : undefined;
    const number = digits === undefined || factor === undefined ? undefined : String(BigInt(digits) * factor);
    if (number !== undefined && number.length <= MAX_DIGITS) return number;
    const units = isMemory ? 'a whole number of MiB, such as 16384, or with a unit, such as 16Gi' : 'a whole number';
    return this.fail(token, `${JSON.stringify(token.text)} is not a value of ${labelShortName(key)}; write ${units}`);
  }

  private failAfterRequirement(token: Token): never {
    if (token.text === '||' || token.text.toLowerCase() === 'or') {
      this.fail(
        token,
        'all requirements have to be met, so "or" is not possible; for several values of one label, write In [a,b]',
      );
    }
    if (token.text === ',') this.fail(token, 'write "and" between requirements, and brackets around several values');
    this.fail(token, `unexpected ${JSON.stringify(token.text)}; write "and" before the next requirement`);
  }

  private next(): Token {
    const token = this.tokens[this.position];
    this.position = Math.min(this.position + 1, this.tokens.length - 1);
    return token;
  }

  private fail(token: Token, message: string): never {
    throw new RequirementTextError(message, this.text, token.start, token.end);
  }
}
