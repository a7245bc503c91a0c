import { startRule } from './cost';
import { CelNode, CelTable, evaluate, mentions } from './evaluate';
import { failingItems } from './failing-items';
import { CelValue, noSuchOverload } from './value';
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
