import { parse } from '@bufbuild/cel';
import { CelNode } from './evaluate';

type Expr = ReturnType<typeof parse>['expr'];
type Comprehension = Extract<Expr['exprKind'], { case: 'comprehensionExpr' }>['value'];

const OPERATORS: Readonly<Record<string, string>> = {
  '_&&_': '&&',
  '_||_': '||',
  '!_': '!',
  '_==_': '==',
  '_!=_': '!=',
  '_<_': '<',
  '_<=_': '<=',
  '_>_': '>',
  '_>=_': '>=',
  '_?_:_': '?:',
  '@in': 'in',
  '_[_]': '[]',
  '_+_': '+',
  '_-_': '-',
};

/**
 * Parses an expression to the format of data/karpenter-cel.json.
 *
 * @throws Error if the text is not CEL, or if the format cannot represent the expression
 */
export function parseRule(text: string): CelNode {
  return convert(parse(text).expr);
}

function convert({ exprKind }: Expr): CelNode {
  switch (exprKind.case) {
    case 'constExpr':
      return constant(exprKind.value.constantKind);
    case 'identExpr':
      return ['var', exprKind.value.name];
    case 'selectExpr':
      return [exprKind.value.testOnly ? 'has' : '.', convert(exprKind.value.operand!), exprKind.value.field];
    case 'listExpr':
      return ['list', ...exprKind.value.elements.map(convert)];
    case 'callExpr': {
      const { function: name, target, args } = exprKind.value;
      return [OPERATORS[name] ?? name, ...(target ? [convert(target)] : []), ...args.map(convert)];
    }
    case 'comprehensionExpr':
      return comprehension(exprKind.value);
    default:
      throw new Error(`cannot represent ${exprKind.case}`);
  }
}

function constant(kind: { case?: string; value?: unknown }): CelNode {
  if (kind.case === 'int64Value') return Number(kind.value);
  if (kind.case === 'stringValue' || kind.case === 'boolValue') return kind.value as string | boolean;
  throw new Error(`cannot represent a constant of kind ${kind.case}`);
}

/** The parser expands a macro to a loop. The loop's step identifies the macro. */
function comprehension({ iterRange, iterVar, loopStep, accuVar }: Comprehension): CelNode {
  const step = convert(loopStep!);
  const [operator, first, second] = step as readonly CelNode[];
  const range = convert(iterRange!);
  const accumulator = JSON.stringify(['var', accuVar]);
  const isAccumulator = (node: CelNode) => JSON.stringify(node) === accumulator;
  if (operator === '&&' && isAccumulator(first)) return ['all', range, iterVar, second];
  if (operator === '||' && isAccumulator(first)) return ['exists', range, iterVar, second];
  const filtered = JSON.stringify(['+', ['var', accuVar], ['list', ['var', iterVar]]]);
  if (operator === '?:' && JSON.stringify(second) === filtered) return ['filter', range, iterVar, first];
  throw new Error(`cannot represent a loop with the step ${JSON.stringify(step)}`);
}
