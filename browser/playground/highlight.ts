/** A part of a line of YAML, with the style that it has. */
export interface Token {
  readonly text: string;
  readonly style?: 'key' | 'string' | 'value' | 'comment' | 'mark';
}

const STYLES = ['comment', 'mark', 'string', 'key', 'value'] as const;
const TOKENS = new RegExp(
  [
    '((?<=^|\\s)#.*$)',
    '(^(?:---|\\.\\.\\.)(?=\\s|$))',
    '("(?:[^"\\\\]|\\\\.)*"|\'[^\']*\')',
    '((?<![\\w./$-])[\\w./$-]+(?=\\s*:(?:\\s|$)))',
    '((?<=[\\s,[{])(?:true|false|null|~|-?\\d[\\d.]*(?:[eE][+-]?\\d+)?(?:[mkMGTPE]i?|%|[smhd])?)(?=[\\s,\\]}]|$))',
  ].join('|'),
  'g',
);
/** Longer lines have no colors: the time grows with the square of the length. */
const MAX_LENGTH = 500;

/** The tokens of a line. Their texts together are the line. Lines of block scalars look like other lines. */
export function tokensOf(line: string): Token[] {
  if (line.length > MAX_LENGTH) return [{ text: line }];
  const tokens: Token[] = [];
  let end = 0;
  for (const match of line.matchAll(TOKENS)) {
    if (match.index > end) tokens.push({ text: line.slice(end, match.index) });
    tokens.push({ text: match[0], style: STYLES[match.slice(1).findIndex((group) => group !== undefined)] });
    end = match.index + match[0].length;
  }
  if (end < line.length) tokens.push({ text: line.slice(end) });
  return tokens;
}
