import { CelNode } from './ast';
import { bind, evaluate } from './evaluate';
import { CelError, CelObject, CelValue } from './value';

interface AskedOfEach {
  readonly name: CelNode;
  readonly test: CelNode;
  /** What the test has to come to. */
  readonly wanted: boolean;
}

/**
 * Where in `self` a rule does not hold. A rule that says something of all items is asked of each by itself; any other
 * one is not held by `self` as a whole.
 *
 * @returns keys or positions of the items; an empty list for `self` as a whole
 */
export function failingItems(rule: CelNode, scope: CelObject): Array<string | number> {
  const asked = askedOfEach(rule);
  const self = scope.self;
  if (!asked || typeof self !== 'object' || self === null) return [];
  const keys = Array.isArray(self) ? [...self.keys()] : Object.keys(self);
  return keys.filter((key) => {
    const item = typeof key === 'number' ? (self as readonly CelValue[])[key] : key;
    return fails(asked, bind(scope, asked.name, item));
  });
}

function fails({ test, wanted }: AskedOfEach, scope: CelObject): boolean {
  try {
    return evaluate(test, scope) !== wanted;
  } catch (error) {
    if (error instanceof CelError) return true;
    throw error;
  }
}

/** `self.all(x, test)` and `!self.exists(x, test)`. */
function askedOfEach(rule: CelNode): AskedOfEach | undefined {
  if (typeof rule !== 'object') return undefined;
  const [operation, range, name, test] = rule;
  if (operation === 'all') return isSelf(range) ? { name, test, wanted: true } : undefined;
  if (operation !== '!' || typeof range !== 'object') return undefined;
  return range[0] === 'exists' && isSelf(range[1]) ? { name: range[2], test: range[3], wanted: false } : undefined;
}

function isSelf(node: CelNode): boolean {
  return typeof node === 'object' && node[0] === 'var' && node[1] === 'self';
}
