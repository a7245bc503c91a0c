import { startRule } from './cost';
import { CelNode, CelTable, evaluate, isSupported, mentions } from './evaluate';
import { failingItems } from './failing-items';
import { CelError, CelValue } from './value';
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
 * compiles all other rules.
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
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- only foreign CRDs need the library
  const library = require('./library') as typeof import('./library');
  const node = library.nodeOf(rule);
  if (node !== undefined && isSupported(node)) return fromNode(node);
  const run = library.compileRule(rule);
  return {
    isTransition: node === undefined ? /\boldSelf\b/.test(rule) : mentions(node, 'oldSelf'),
    holds: (self) => asBoolean(run({ self })),
    failingItems: () => [],
  };
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
  throw new CelError('no such overload');
}
