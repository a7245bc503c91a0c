/** One token of JSON: a text, punctuation, or a number or word. */
const TOKEN = /\s*(?:("[^"\\\n]*(?:\\.[^"\\\n]*)*")|([{}[\],:])|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))/y;

interface Token {
  readonly text: string;
  readonly offset: number;
}

/** Where the items of a list are written in the JSON of a file: `krr.json:34`, or `krr.json: scans[2]` in one line. */
export class JsonPlaces {
  private readonly lines: readonly number[];

  /** @param key of the list. @default - the whole file is the list */
  public constructor(
    private readonly file: string,
    text: string,
    private readonly key?: string,
  ) {
    this.lines = text.trim().includes('\n') ? linesOf(text, offsetsOfItems(text, key)) : [];
  }

  public of(index: number): string {
    const { file, key = '', lines } = this;
    const line = lines[index];
    const isShared = line === undefined || lines[index - 1] === line || lines[index + 1] === line;
    return isShared ? `${file}: ${key}[${index}]` : `${file}:${line}`;
  }
}

/** The line of the first part of a text that is no token of JSON; the last line if all parts are tokens. */
export function lineOfInvalidJson(text: string): number {
  let end = 0;
  for (const { text: token, offset } of tokensOf(text)) end = offset + token.length;
  const rest = text.slice(end);
  return linesOf(text, [end + rest.length - rest.trimStart().length])[0];
}

/** The offsets of the items of the first list with the key. */
function offsetsOfItems(text: string, key: string | undefined): number[] {
  const offsets: number[] = [];
  let depth = 0;
  let listDepth: number | undefined;
  let before: readonly string[] = [];
  for (const { text: token, offset } of tokensOf(text)) {
    const isList = token === '[' && (key === undefined ? depth === 0 : before.join('') === `${JSON.stringify(key)}:`);
    if (depth === listDepth && token !== ',' && token !== ']') offsets.push(offset);
    if (token === '{' || token === '[') depth++;
    if (token === '}' || token === ']') depth--;
    if (listDepth === undefined && isList) listDepth = depth;
    else if (listDepth !== undefined && depth < listDepth) break;
    before = [...before.slice(-1), token];
  }
  return offsets;
}

function* tokensOf(text: string): Generator<Token> {
  const pattern = new RegExp(TOKEN);
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const token = match[1] ?? match[2] ?? match[3];
    yield { text: token, offset: pattern.lastIndex - token.length };
  }
}

/** @param offsets ascending */
function linesOf(text: string, offsets: readonly number[]): number[] {
  let line = 1;
  let from = 0;
  return offsets.map((offset) => {
    for (let at = text.indexOf('\n', from); at >= 0 && at < offset; at = text.indexOf('\n', from)) {
      line++;
      from = at + 1;
    }
    return line;
  });
}
