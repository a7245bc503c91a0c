import { Operand, Pipeline, TemplateNode, TemplateSyntaxError } from './syntax';
import { actionsIn, Token, tokensOf } from './tokens';

/** @throws TemplateSyntaxError if the template is not understood */
export function parseTemplate(text: string): TemplateNode[] {
  const parser = new Parser(actionsIn(text).map(tokensOf));
  const nodes = parser.nodes();
  if (!parser.isAtEnd) throw new TemplateSyntaxError('a block ends that has not begun');
  return nodes;
}

const BLOCKS = ['if', 'with', 'range'] as const;
type Block = (typeof BLOCKS)[number];

class Parser {
  private index = 0;

  public constructor(private readonly actions: ReadonlyArray<readonly Token[]>) {}

  public get isAtEnd(): boolean {
    return this.index >= this.actions.length;
  }

  /** The nodes up to an `else` or `end`. */
  public nodes(): TemplateNode[] {
    const nodes: TemplateNode[] = [];
    while (!this.isAtEnd && !['else', 'end'].includes(this.word())) nodes.push(...this.node());
    return nodes;
  }

  private node(): TemplateNode[] {
    const word = this.word();
    const tokens = this.actions[this.index++];
    if (word === 'break' || word === 'continue') return [];
    if (isBlock(word)) return [this.block(word, tokens.slice(1))];
    if (word === 'define' || word === 'block') {
      const name = textOf(tokens[1]);
      const body = this.nodes();
      this.end();
      const definition: TemplateNode = { kind: 'define', name, body };
      if (word === 'define') return [definition];
      return [definition, { kind: 'template', name, pipeline: pipelineOf(tokens.slice(2)) }];
    }
    if (word === 'template') {
      const rest = tokens.slice(2);
      const pipeline = rest.length === 0 ? {} : { pipeline: pipelineOf(rest) };
      return [{ kind: 'template', name: textOf(tokens[1]), ...pipeline }];
    }
    return [{ kind: 'action', pipeline: pipelineOf(tokens) }];
  }

  private block(kind: Block, tokens: readonly Token[]): TemplateNode {
    const pipeline = pipelineOf(tokens);
    const body = this.nodes();
    if (this.word() !== 'else') {
      this.end();
      return { kind, pipeline, body, otherwise: [] };
    }
    const [, next, ...rest] = this.actions[this.index++];
    if (next !== undefined && isBlock(next.text))
      return { kind, pipeline, body, otherwise: [this.block(next.text, rest)] };
    const otherwise = this.nodes();
    this.end();
    return { kind, pipeline, body, otherwise };
  }

  private end(): void {
    if (this.word() !== 'end') throw new TemplateSyntaxError('a block has no end');
    this.index++;
  }

  private word(): string {
    const first = this.actions[this.index]?.[0];
    return first?.kind === 'name' ? first.text : '';
  }
}

function isBlock(word: string): word is Block {
  return (BLOCKS as readonly string[]).includes(word);
}

function textOf(token: Token | undefined): string {
  if (token?.kind !== 'string') throw new TemplateSyntaxError('a name is no text');
  return token.text.slice(1, -1);
}

function pipelineOf(tokens: readonly Token[]): Pipeline {
  const assignment = tokens.findIndex(({ kind, text }) => kind === 'mark' && (text === ':=' || text === '='));
  const variables = tokens.slice(0, Math.max(0, assignment)).filter(({ kind }) => kind === 'variable');
  const [commands, next] = commandsOf(tokens, assignment + 1);
  if (next !== tokens.length) throw new TemplateSyntaxError('a parenthesis is closed that is not open');
  return {
    commands,
    variables: variables.map(({ text }) => text),
    isDeclaration: assignment >= 0 && tokens[assignment].text === ':=',
  };
}

/** The commands up to a closing parenthesis, and the index of that. */
function commandsOf(tokens: readonly Token[], from: number): [commands: Operand[][], next: number] {
  const commands: Operand[][] = [[]];
  let index = from;
  for (; index < tokens.length && tokens[index].text !== ')'; index++) {
    const token = tokens[index];
    const command = commands[commands.length - 1];
    if (token.kind === 'mark' && token.text === '|') commands.push([]);
    else if (token.kind === 'mark' && token.text === '(') {
      const [inner, close] = commandsOf(tokens, index + 1);
      if (tokens[close]?.text !== ')') throw new TemplateSyntaxError('a parenthesis is not closed');
      const pipeline = { commands: inner, variables: [], isDeclaration: false };
      const chain = chainAfter(tokens, close);
      command.push({ kind: 'group', pipeline, fields: chain });
      index = close + (chain.length === 0 ? 0 : 1);
    } else if (token.kind === 'variable') {
      const fields = chainAfter(tokens, index);
      command.push({ kind: 'variable', name: token.text, fields });
      index += fields.length === 0 ? 0 : 1;
    } else if (token.kind === 'chain') command.push({ kind: 'dot', fields: fieldsOf(token.text) });
    else if (token.kind === 'string') command.push({ kind: 'literal', text: token.text.slice(1, -1) });
    else if (token.kind === 'number') command.push({ kind: 'literal' });
    else if (token.kind === 'name') command.push({ kind: 'function', name: token.text });
    else throw new TemplateSyntaxError(`"${token.text}" is not understood`);
  }
  return [commands, index];
}

function chainAfter(tokens: readonly Token[], index: number): string[] {
  const next = tokens[index + 1];
  return next?.kind === 'chain' && !next.isApart ? fieldsOf(next.text) : [];
}

function fieldsOf(chain: string): string[] {
  return chain.split('.').filter((field) => field !== '');
}
