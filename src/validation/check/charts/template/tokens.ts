import { TemplateSyntaxError } from './syntax';

export interface Token {
  readonly kind: 'string' | 'number' | 'chain' | 'variable' | 'name' | 'mark';
  readonly text: string;
  /** Whether a space precedes it. A chain without one is of the value before it. */
  readonly isApart: boolean;
}

/** The contents of the actions of a template, without comments. */
export function actionsIn(text: string): string[] {
  const actions: string[] = [];
  for (let start = text.indexOf('{{'); start >= 0; start = text.indexOf('{{', start)) {
    const end = endOfAction(text, start + 2);
    const content = text
      .slice(start + 2, end)
      .replace(/^-(?=\s)/, '')
      .replace(/\s-$/, '')
      .trim();
    if (!content.startsWith('/*') && content !== '') actions.push(content);
    start = end + 2;
  }
  return actions;
}

function endOfAction(text: string, from: number): number {
  const comment = /^-?\s*\/\*/.exec(text.slice(from, from + 200));
  let at = comment ? text.indexOf('*/', from) : from;
  while (at >= 0 && at < text.length) {
    if (text.startsWith('}}', at)) return at;
    const quote = text[at];
    if (!comment && (quote === '"' || quote === '`')) at = endOfText(text, at, quote);
    else at++;
  }
  throw new TemplateSyntaxError('an action has no end');
}

function endOfText(text: string, start: number, quote: string): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\' && quote === '"') at++;
    else if (text[at] === quote) return at + 1;
  }
  throw new TemplateSyntaxError('a text has no end');
}

const TOKEN =
  /(\s*)(?:("(?:\\.|[^"\\])*"|`[^`]*`)|('(?:\\.|[^'\\])*'|[+-]?\d[\w.]*)|(\$\w*)|((?:\.[A-Za-z_]\w*)+|\.)|([A-Za-z_]\w*)|(:=|[|()=,]))/y;
const KINDS = ['string', 'number', 'variable', 'chain', 'name', 'mark'] as const;

/** @throws TemplateSyntaxError if the action is not understood */
export function tokensOf(action: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (action.slice(at).trim() !== '') {
    TOKEN.lastIndex = at;
    const match = TOKEN.exec(action);
    if (match === null) throw new TemplateSyntaxError(`"${action.slice(at)}" is not understood`);
    const index = match.slice(2).findIndex((part) => part !== undefined);
    tokens.push({ kind: KINDS[index], text: match[index + 2], isApart: match[1] !== '' || at === 0 });
    at = TOKEN.lastIndex;
  }
  return tokens;
}
