import {
  CelEnv,
  CelInput,
  CelList,
  celList,
  CelMap,
  CelResult,
  CelValue,
  isCelError,
  isCelList,
  isCelMap,
  parse,
  plan,
} from '@bufbuild/cel';
import { costOfText, isSpent, spend, CostBudgetExceeded } from './cost';
import { compilePattern } from '../regexp';

type Expr = ReturnType<typeof parse>['expr'];
type Group = NonNullable<ReturnType<CelEnv['funcs']['find']>>;
type Program = (variables: Record<string, CelInput>) => CelResult;

const COST_OF_ERROR = 100;

/** Functions of the rewritten loops. No rule can call them, because no name in CEL has such a character. */
const COUNT = '@count';
const APPEND = '@append';

/** Functions that look at everything in their operands. */
const DEEP: ReadonlySet<string> = new Set([
  '_==_',
  '_!=_',
  '@in',
  'join',
  'format',
  'isSorted',
  'min',
  'max',
  'indexOf',
  'lastIndexOf',
]);

/**
 * A program of the library that spends the budget of `cost.ts`: a unit for each call and each round of a loop, and more
 * for long operands.
 *
 * @throws Error if the text is no CEL
 */
export function boundedPlan(environment: CelEnv, text: string): Program {
  const parsed = parse(text);
  countRounds(parsed.expr);
  const program = plan(bounded(environment), parsed) as Program;
  return (variables) => {
    const result = program(variables);
    // The library makes a result of every exception.
    if (isSpent()) throw new CostBudgetExceeded();
    return result;
  };
}

const boundedEnvironments = new WeakMap<CelEnv, CelEnv>();

function bounded(environment: CelEnv): CelEnv {
  const known = boundedEnvironments.get(environment);
  if (known) return known;
  const groups = new Map<string, Group>([
    [COUNT, groupOf(COUNT, ([condition]) => condition)],
    [APPEND, groupOf(APPEND, append)],
  ]);
  const find = (name: string) => {
    if (!groups.has(name)) {
      const group = environment.funcs.find(name);
      if (group)
        groups.set(
          name,
          groupOf(name, (args, id, target) => group.call(id, target, args)),
        );
    }
    return groups.get(name);
  };
  const { namespace, registry, variables } = environment;
  const made = { namespace, registry, variables, funcs: { find } } as unknown as CelEnv;
  boundedEnvironments.set(environment, made);
  return made;
}

function groupOf(
  name: string,
  call: (args: CelValue[], id: number, target: CelValue | undefined) => CelResult | undefined,
): Group {
  const counted: Group['call'] = (id, target, args) => {
    spend(costOf(name, target === undefined ? args : [target, ...args]));
    const result = call(args, id, target);
    // Errors that the rule ignores, as in `x / 0 > 1 || true`, take far longer than values: each has a stack trace.
    if (result === undefined || isCelError(result)) spend(COST_OF_ERROR);
    return result;
  };
  return { name, call: counted } as Group;
}

function costOf(name: string, operands: readonly CelValue[]): number {
  if (DEEP.has(name)) operands.forEach(spendOnAllOf);
  const texts = operands.filter((operand) => typeof operand === 'string');
  if (name === 'matches' || name === 'find') return 1 + (texts[0]?.length * sizeOfPattern(texts[1])) / 10;
  const costs = texts.map(costOfText);
  // Operators go through each text once; other functions may look for one text at each place of another.
  return (
    1 +
    (/^[_@]/.test(name)
      ? costs.reduce((sum, each) => sum + each, 0)
      : costs.reduce((product, each) => product * Math.max(1, each), 1))
  );
}

function sizeOfPattern(pattern: string | undefined): number {
  try {
    return pattern === undefined ? 1 : compilePattern(pattern).size;
  } catch {
    return 1;
  }
}

function spendOnAllOf(value: CelValue): void {
  spend(typeof value === 'string' ? 1 + costOfText(value) : 1);
  if (isCelList(value)) for (const item of value) spendOnAllOf(item);
  if (isCelMap(value)) for (const [key, item] of value as CelMap) [key, item].forEach(spendOnAllOf);
}

/** Makes each loop call `COUNT` in its condition, and `APPEND` where it collects items. */
function countRounds(node: unknown): void {
  if (typeof node !== 'object' || node === null) return;
  Object.values(node).forEach(countRounds);
  const { exprKind } = node as Partial<Expr>;
  if (exprKind?.case !== 'comprehensionExpr') return;
  const loop = exprKind.value;
  loop.loopCondition = callOf(COUNT, [loop.loopCondition!], loop.loopCondition!);
  for (const step of [loop.loopStep!, ...operandsOf(loop.loopStep!)]) {
    // `exists_one` counts with `_+_`; only `map` and `filter` add a list.
    const [collected, added] = operandsOf(step);
    if (
      step.exprKind.case === 'callExpr' &&
      step.exprKind.value.function === '_+_' &&
      isVariable(collected, loop.accuVar) &&
      added?.exprKind.case === 'listExpr'
    ) {
      step.exprKind.value.function = APPEND;
    }
  }
}

function callOf(name: string, args: Expr[], { id }: Expr): Expr {
  return { id, exprKind: { case: 'callExpr', value: { function: name, args } } } as Expr;
}

function operandsOf({ exprKind }: Expr): readonly Expr[] {
  return exprKind.case === 'callExpr' ? exprKind.value.args : [];
}

function isVariable({ exprKind }: Expr, name: string): boolean {
  return exprKind.case === 'identExpr' && exprKind.value.name === name;
}

/** The arrays behind the lists that loops collect. A loop uses only the latest of its lists, so all share one array. */
const collected = new WeakMap<CelList, CelValue[]>();

/** The library's own addition makes a list of lists, which takes quadratic time to read and overflows the stack. */
function append([list, more]: readonly CelValue[]): CelValue {
  const items = collected.get(list as CelList) ?? [...(list as CelList)];
  items.push(...(more as CelList));
  const result = celList(items);
  collected.set(result, items);
  return result;
}
