import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CelNode, CelTable, mentions } from './ast';
import { evaluate, isKnown } from './evaluate';
import { failingItems } from './failing-items';
import { CelError, CelValue } from './value';

/** A rule of `x-kubernetes-validations`, ready to be asked. */
export interface CompiledRule {
  /** Whether it compares with what was there before: it is not asked when an object is created. */
  readonly isTransition: boolean;
  /** @throws CelError where the rule has no value */
  holds(self: CelValue): boolean;
  /** Keys or positions in `self` of what breaks it; an empty list for `self` as a whole. */
  failingItems(self: CelValue): Array<string | number>;
}

const compiled = new Map<string, CompiledRule>();
let table: CelTable | undefined;

/**
 * Rules of Karpenter's CRDs are parsed already; for others a library is loaded.
 *
 * @throws Error if the text is no CEL
 */
export function compiledRule(rule: string): CompiledRule {
  const known = compiled.get(rule);
  if (known) return known;
  const made = compileRule(rule);
  compiled.set(rule, made);
  return made;
}

function compileRule(rule: string): CompiledRule {
  table ??= JSON.parse(readFileSync(join(__dirname, '../../../data/karpenter-cel.json'), 'utf8')) as CelTable;
  if (Object.hasOwn(table, rule)) return fromNode(table[rule]);
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- for those alone who bring CRDs of their own
  const library = require('./library') as typeof import('./library');
  const node = library.nodeOf(rule);
  if (node !== undefined && isKnown(node)) return fromNode(node);
  const run = library.compileRule(rule);
  return {
    isTransition: node === undefined ? /\boldSelf\b/.test(rule) : mentions(node, 'oldSelf'),
    holds: (self) => truth(run({ self })),
    failingItems: () => [],
  };
}

function fromNode(node: CelNode): CompiledRule {
  return {
    isTransition: mentions(node, 'oldSelf'),
    holds: (self) => truth(evaluate(node, { self })),
    failingItems: (self) => failingItems(node, { self }),
  };
}

function truth(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  throw new CelError('no such overload');
}
