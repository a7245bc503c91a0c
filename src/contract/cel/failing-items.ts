import { CelNode, evaluate, withVariable } from './evaluate';
import { CelError, CelObject, CelValue } from './value';

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
export function failingItems(rule: CelNode, scope: CelObject): Array<string | number> {
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
