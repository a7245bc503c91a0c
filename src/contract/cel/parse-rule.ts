import { CelNode, isOperation } from './evaluate';

/** A node of the library's syntax tree: the library's own types cannot be imported here, since it is an ES module. */
interface Node {
  readonly op: string;
  readonly args: unknown;
}

interface Library {
  readonly Environment: new (options: { enableOptionalTypes: boolean }) => { parse(text: string): { ast: Node } };
}

// eslint-disable-next-line @typescript-eslint/no-require-imports -- an ES module
const { Environment } = require('@marcbachmann/cel-js') as Library;
const environment = new Environment({ enableOptionalTypes: true });

const SAME_OPERATORS: ReadonlySet<string> = new Set([
  ...['&&', '||', '==', '!=', '<', '<=', '>', '>=', 'in', '+', '-', '*', '/', '%', '?:', '[]'],
]);
/** Operations of one variable, by the macro's name and number of arguments. */
const MACROS: Readonly<Record<string, string>> = {
  'all/2': 'all',
  'exists/2': 'exists',
  'exists_one/2': 'exists_one',
  'existsOne/2': 'exists_one',
  'filter/2': 'filter',
  'map/2': 'map_items',
};

/**
 * Parses an expression to the format of data/karpenter-cel.json.
 *
 * @throws Error if the text is not CEL, or larger than the library's limits of nodes and depth
 */
export function parseRule(text: string): CelNode {
  return convert(environment.parse(text).ast);
}

function convert({ op, args }: Node): CelNode {
  if (SAME_OPERATORS.has(op)) return [op, ...convertAll(args)];
  switch (op) {
    case 'value':
      return constant(args);
    case 'id':
      return ['var', args as string];
    case '.':
      return select('.', args);
    case 'list':
      return ['list', ...convertAll(args)];
    case 'map':
      return ['{}', ...(args as readonly unknown[]).flatMap(convertAll)];
    case '!_':
      return ['!', convert(args as Node)];
    case '-_':
      return ['negate', convert(args as Node)];
    case 'call': {
      const [name, operands] = args as [string, readonly Node[]];
      if (name === 'has' && operands.length === 1 && operands[0].op === '.') return select('has', operands[0].args);
      return callOf(name, operands);
    }
    case 'rcall': {
      const [name, receiver, operands] = args as [string, Node, readonly Node[]];
      return macro(name, receiver, operands) ?? callOf(name, [receiver, ...operands]);
    }
    default:
      return ['unsupported', op];
  }
}

function convertAll(nodes: unknown): CelNode[] {
  return (nodes as readonly Node[]).map(convert);
}

function select(operation: string, args: unknown): CelNode {
  const [operand, field] = args as [Node, string];
  return [operation, convert(operand), field];
}

function callOf(name: string, operands: readonly Node[]): CelNode {
  // A function may have the name of an operation, such as negate.
  return isOperation(name) ? ['unsupported', `${name}()`] : [name, ...convertAll(operands)];
}

function macro(name: string, receiver: Node, operands: readonly Node[]): CelNode | undefined {
  if (operands[0]?.op !== 'id') return undefined;
  const variable = operands[0].args as string;
  const range = convert(receiver);
  const rest = operands.slice(1).map(convert);
  if (name === 'map' && rest.length === 2)
    return ['map_items', ['filter', range, variable, rest[0]], variable, rest[1]];
  const key = `${name}/${operands.length}`;
  return Object.hasOwn(MACROS, key) ? [MACROS[key], range, variable, ...rest] : undefined;
}

function constant(value: unknown): CelNode {
  if (value === null) return ['null'];
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return ['float', value];
  if (typeof value !== 'bigint') return ['unsupported', 'a constant of this type'];
  return Number.isSafeInteger(Number(value)) ? Number(value) : ['integer', value.toString()];
}
