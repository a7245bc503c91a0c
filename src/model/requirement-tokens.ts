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

export interface Token {
  readonly kind: 'word' | 'symbol' | 'end';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /\s*(?:(?<word>[A-Za-z0-9_][A-Za-z0-9_./-]*)|(?<quoted>"[^"]*"|'[^']*')|(?<symbol><=|>=|!=|==|&&|\|\||[<>=[\](),!])|(?<other>[^\s]))/y;

/** The words and symbols of a text. The last token is its end. */
export function requirementTokens(text: string): Token[] {
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
