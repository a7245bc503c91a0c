import { startRule } from './cost';
import { CelNode, CelTable, evaluate, mentions, withVariable } from './evaluate';
import { CelValue, noSuchOverload, CelError, CelObject } from './value';
import { readDataFile } from '../../model';

/** A compiled rule of `x-kubernetes-validations`. */
export interface CompiledRule {
  /** Whether the rule refers to `oldSelf`. The API server skips such transition rules when an object is created. */
  readonly isTransition: boolean;
  /**
   * @throws CelError if the evaluation fails
   * @throws CostBudgetExceeded if it is too costly
   */
  holds(self: CelValue): boolean;
  /** Keys or positions in `self` that violate the rule; an empty list if the rule is about `self` as a whole. */
  failingItems(self: CelValue): Array<string | number>;
}

const compiled = new Map<string, CompiledRule>();
let table: CelTable | undefined;

/**
 * Compiles a rule. Rules of Karpenter's CRDs are pre-parsed in data/karpenter-cel.json. A library, loaded on demand,
 * parses all other rules.
 *
 * @throws Error if the text is not CEL
 */
export function compileCached(rule: string): CompiledRule {
  const cached = compiled.get(rule);
  if (cached) return cached;
  const result = withLimit(compileRule(rule));
  compiled.set(rule, result);
  return result;
}

/** Each use has the cost limit of a rule. */
function withLimit({ isTransition, holds, failingItems: itemsOf }: CompiledRule): CompiledRule {
  const limited =
    <T>(use: (self: CelValue) => T) =>
    (self: CelValue): T => {
      startRule();
      return use(self);
    };
  return { isTransition, holds: limited(holds), failingItems: limited(itemsOf) };
}

function compileRule(rule: string): CompiledRule {
  table ??= readDataFile<CelTable>('karpenter-cel.json');
  if (Object.hasOwn(table, rule)) return fromNode(table[rule]);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only foreign CRDs need the parser
  const { parseRule } = require('./parse-rule') as typeof import('./parse-rule');
  return fromNode(parseRule(rule));
}

function fromNode(node: CelNode): CompiledRule {
  return {
    isTransition: mentions(node, 'oldSelf'),
    holds: (self) => asBoolean(evaluate(node, { self })),
    failingItems: (self) => failingItems(node, { self }),
  };
}

function asBoolean(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  throw noSuchOverload();
}

interface ItemTest {
  readonly name: CelNode;
  readonly test: CelNode;
  /** The result that the rule requires of every item. */
  readonly wanted: boolean;
}

/**
 * The items of `self` that violate a rule. Only rules of the form `self.all(…)` or `!self.exists(…)` can be evaluated
 * per item.
 *
 * @returns keys or positions of the items; an empty list if the rule is about `self` as a whole
 */
function failingItems(rule: CelNode, scope: CelObject): Array<string | number> {
  const itemTest = itemTestOf(rule);
  const self = scope.self;
  if (!itemTest || typeof self !== 'object' || self === null) return [];
  const keys = Array.isArray(self) ? [...self.keys()] : Object.keys(self);
  return keys.filter((key) => {
    const item = typeof key === 'number' ? (self as readonly CelValue[])[key] : key;
    return fails(itemTest, withVariable(scope, itemTest.name, item));
  });
}

function fails({ test, wanted }: ItemTest, scope: CelObject): boolean {
  try {
    return evaluate(test, scope) !== wanted;
  } catch (error) {
    if (error instanceof CelError) return true;
    throw error;
  }
}

/** `self.all(x, test)` and `!self.exists(x, test)`. */
function itemTestOf(rule: CelNode): ItemTest | undefined {
  if (typeof rule !== 'object') return undefined;
  const [operation, range, name, test] = rule;
  if (operation === 'all') return isSelf(range) ? { name, test, wanted: true } : undefined;
  if (operation !== '!' || typeof range !== 'object') return undefined;
  return range[0] === 'exists' && isSelf(range[1]) ? { name: range[2], test: range[3], wanted: false } : undefined;
}

function isSelf(node: CelNode): boolean {
  return typeof node === 'object' && node[0] === 'var' && node[1] === 'self';
}
