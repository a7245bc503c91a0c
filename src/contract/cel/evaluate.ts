import { spend } from './cost';
import { call, hasFunction } from './functions';
import { CelError, CelObject, CelValue, compare, equals, isObject, keysOf } from './value';

type Operator = (operands: readonly CelNode[], scope: CelObject, node: object) => CelValue;

const OPERATORS: Readonly<Record<string, Operator>> = {
  '&&': (operands, scope) => logical(operands, scope, false),
  '||': (operands, scope) => logical(operands, scope, true),
  '!': ([operand], scope) => !boolean(evaluate(operand, scope)),
  '?:': ([condition, yes, no], scope) => evaluate(boolean(evaluate(condition, scope)) ? yes : no, scope),
  '==': ([left, right], scope) => equals(evaluate(left, scope), evaluate(right, scope)),
  '!=': ([left, right], scope) => !equals(evaluate(left, scope), evaluate(right, scope)),
  '<': ([left, right], scope) => compare(evaluate(left, scope), evaluate(right, scope)) < 0,
  '<=': ([left, right], scope) => compare(evaluate(left, scope), evaluate(right, scope)) <= 0,
  '>': ([left, right], scope) => compare(evaluate(left, scope), evaluate(right, scope)) > 0,
  '>=': ([left, right], scope) => compare(evaluate(left, scope), evaluate(right, scope)) >= 0,
  in: ([item, collection], scope) => isIn(evaluate(item, scope), evaluate(collection, scope)),
  list: list,
  var: ([name], scope) => variable(name as string, scope),
  '.': ([object, field], scope) => select(evaluate(object, scope), field as string),
  '[]': ([object, key], scope) => index(evaluate(object, scope), evaluate(key, scope)),
  has: ([object, field], scope) => has(evaluate(object, scope), field as string),
  all: ([range, name, test], scope) => quantify(range, name, test, scope, false),
  exists: ([range, name, test], scope) => quantify(range, name, test, scope, true),
  filter: ([range, name, test], scope) =>
    items(evaluate(range, scope)).filter((item) => boolean(evaluate(test, withVariable(scope, name, item)))),
};

/**
 * Evaluates an expression.
 *
 * @param scope the variables, including `self`
 * @throws CelError if the evaluation fails, which Kubernetes counts as a violated rule
 * @throws CostBudgetExceeded if the rules of the object exceed the cost budget
 */
export function evaluate(node: CelNode, scope: CelObject): CelValue {
  spend(1);
  if (typeof node === 'number') return BigInt(node);
  if (typeof node === 'string' || typeof node === 'boolean') return node;
  const [operation, ...operands] = node;
  if (Object.hasOwn(OPERATORS, operation as string)) return OPERATORS[operation as string](operands, scope, node);
  return call(
    operation as string,
    operands.map((operand) => evaluate(operand, scope)),
  );
}

/** Whether `evaluate` supports every operation of the expression. */
export function isSupported(node: CelNode): boolean {
  if (typeof node !== 'object') return true;
  const [operation, ...operands] = node;
  return (
    (Object.hasOwn(OPERATORS, operation as string) || hasFunction(operation as string, operands.length)) &&
    operands.every(isSupported)
  );
}

/** `&&` or `||`: if one operand decides the result, an error of the other operand is ignored. */
function logical([left, right]: readonly CelNode[], scope: CelObject, deciding: boolean): boolean {
  let error: unknown;
  for (const operand of [left, right]) {
    try {
      if (boolean(evaluate(operand, scope)) === deciding) return deciding;
    } catch (thrown) {
      if (!(thrown instanceof CelError)) throw thrown;
      error ??= thrown;
    }
  }
  if (error !== undefined) throw error;
  return !deciding;
}

/** `all` or `exists`: like `logical`, over all items. */
function quantify(range: CelNode, name: CelNode, test: CelNode, scope: CelObject, deciding: boolean): boolean {
  let error: unknown;
  for (const item of items(evaluate(range, scope))) {
    try {
      if (boolean(evaluate(test, withVariable(scope, name, item))) === deciding) return deciding;
    } catch (thrown) {
      if (!(thrown instanceof CelError)) throw thrown;
      error ??= thrown;
    }
  }
  if (error !== undefined) throw error;
  return !deciding;
}

const constants = new WeakMap<object, readonly CelValue[]>();

/** Most lists contain only constants. Their values are cached by syntax node. */
function list(elements: readonly CelNode[], scope: CelObject, node: object): readonly CelValue[] {
  const cached = constants.get(node);
  if (cached) return cached;
  const values = elements.map((element) => evaluate(element, scope));
  if (elements.every((element) => typeof element !== 'object')) constants.set(node, values);
  return values;
}

/** The scope with one more variable. */
export function withVariable(scope: CelObject, name: CelNode, value: CelValue): CelObject {
  return { ...scope, [name as string]: value };
}

/** The items of a list, or the keys of a map. */
function items(value: CelValue): readonly CelValue[] {
  if (Array.isArray(value)) return value;
  if (isObject(value)) return keysOf(value);
  throw new CelError('no such overload');
}

function isIn(item: CelValue, collection: CelValue): boolean {
  return items(collection).some((candidate) => equals(item, candidate));
}

function variable(name: string, scope: CelObject): CelValue {
  if (Object.hasOwn(scope, name)) return scope[name];
  throw new CelError(`no such attribute(s): ${name}`);
}

function select(object: CelValue, field: string): CelValue {
  if (!isObject(object)) throw new CelError('no such overload');
  if (!Object.hasOwn(object, field)) throw new CelError(`no such key: ${field}`);
  return object[field];
}

function index(object: CelValue, key: CelValue): CelValue {
  if (Array.isArray(object) && typeof key === 'bigint') {
    if (key < 0n || key >= BigInt(object.length)) throw new CelError(`index out of bounds: ${key}`);
    return (object as readonly CelValue[])[Number(key)];
  }
  if (typeof key !== 'string') throw new CelError('no such overload');
  return select(object, key);
}

function has(object: CelValue, field: string): boolean {
  if (!isObject(object)) throw new CelError('no such overload');
  return Object.hasOwn(object, field);
}

function boolean(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  throw new CelError('no such overload');
}

/**
 * A parsed CEL expression. A string, number or boolean is a constant. A list is an operation: its name, then its
 * operands. Operations that bind a variable are `[operation, range, variable, test]`.
 */
export type CelNode = string | number | boolean | CelOperation;
// An interface, because a type alias cannot refer to itself through ReadonlyArray.

export interface CelOperation extends ReadonlyArray<CelNode> {
  readonly 0: string;
}

/** `data/karpenter-cel.json`: the parsed expression of each rule in Karpenter's CRDs, by the rule's text. */
export type CelTable = Readonly<Record<string, CelNode>>;

/** Whether an expression refers to a variable. */
export function mentions(node: CelNode, name: string): boolean {
  if (typeof node !== 'object') return false;
  return (node[0] === 'var' && node[1] === name) || node.slice(1).some((operand) => mentions(operand, name));
}
