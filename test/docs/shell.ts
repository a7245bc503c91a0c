/** A command of a page: its words, and what it is connected to. */
export interface Command {
  readonly words: readonly string[];
  /** Whether it reads the output of the command before it. */
  readonly isPiped: boolean;
  /** The file that its output is written to, with `>`. */
  readonly output?: string;
}

/** The simple commands of a line, without comments. Only the syntax that pages use is understood. */
export function commandsOf(line: string): Command[] {
  const commands: Array<{ words: string[]; isPiped: boolean; output?: string }> = [{ words: [], isPiped: false }];
  for (const [token] of line.matchAll(/(?<=^|\s)#.*$|&&|\||>|(?:'[^']*'|"[^"]*"|[^\s'"|&>])+/g)) {
    if (token.startsWith('#')) break;
    const last = commands[commands.length - 1];
    if (token === '&&' || token === '|') commands.push({ words: [], isPiped: token === '|' });
    else if (token === '>') last.output = '';
    else if (last.output === '') last.output = unquoted(token);
    else last.words.push(unquoted(token));
  }
  return commands.filter(({ words }) => words.length > 0);
}

function unquoted(token: string): string {
  return token.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? '');
}
