import { add, divide, multiply, negate, modulo, minus } from './arithmetic';
import { TYPE_NAMES } from './conversions';
import { spend } from './cost';
import { functionOf } from './functions';
import {
  CelError,
  CelObject,
  CelOpaque,
  CelValue,
  compareValues,
  equals,
  isCelObject,
  keysOf,
  noSuchOverload,
  UnknownFunction,
} from './value';

type Operator = (operands: readonly CelNode[], scope: CelObject, node: object) => CelValue;

const OPERATORS: Readonly<Record<string, Operator>> = {
  '&&': (operands, scope) => logical(operands, scope, false),
  '||': (operands, scope) => logical(operands, scope, true),
  '!': ([operand], scope) => !boolean(evaluate(operand, scope)),
  '?:': ([condition, yes, no], scope) => evaluate(boolean(evaluate(condition, scope)) ? yes : no, scope),
  '==': ([left, right], scope) => equals(evaluate(left, scope), evaluate(right, scope)),
  '!=': ([left, right], scope) => !equals(evaluate(left, scope), evaluate(right, scope)),
  '<': ([left, right], scope) => compareValues(evaluate(left, scope), evaluate(right, scope)) < 0,
  '<=': ([left, right], scope) => compareValues(evaluate(left, scope), evaluate(right, scope)) <= 0,
  '>': ([left, right], scope) => compareValues(evaluate(left, scope), evaluate(right, scope)) > 0,
  '>=': ([left, right], scope) => compareValues(evaluate(left, scope), evaluate(right, scope)) >= 0,
  in: ([item, collection], scope) => isIn(evaluate(item, scope), evaluate(collection, scope)),
  '+': ([left, right], scope) => add(evaluate(left, scope), evaluate(right, scope)),
  '-': ([left, right], scope) => minus(evaluate(left, scope), evaluate(right, scope)),
  '*': ([left, right], scope) => multiply(evaluate(left, scope), evaluate(right, scope)),
  '/': ([left, right], scope) => divide(evaluate(left, scope), evaluate(right, scope)),
  '%': ([left, right], scope) => modulo(evaluate(left, scope), evaluate(right, scope)),
  negate: ([operand], scope) => negate(evaluate(operand, scope)),
  null: () => null,
  float: ([value]) => value as number,
  integer: ([digits]) => BigInt(digits as string),
  unsupported: ([what]) => {
    throw new UnknownFunction(`unsupported in CEL: ${what as string}`);
  },
  list: list,
  '{}': map,
  var: ([name], scope) => variable(name as string, scope),
  '.': ([object, field], scope) => select(evaluate(object, scope), field as string),
  '[]': ([object, key], scope) => index(evaluate(object, scope), evaluate(key, scope)),
  has: ([object, field], scope) => has(evaluate(object, scope), field as string),
  all: ([range, name, test], scope) => quantify(range, name, test, scope, false),
  exists: ([range, name, test], scope) => quantify(range, name, test, scope, true),
  exists_one: ([range, name, test], scope) => filter(range, name, test, scope).length === 1,
  filter: ([range, name, test], scope) => filter(range, name, test, scope),
  map_items: ([range, name, result], scope) =>
    items(evaluate(range, scope)).map((item) => evaluate(result, withVariable(scope, name, item))),
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
  if (Object.hasOwn(OPERATORS, operation)) return OPERATORS[operation](operands, scope, node);
  const called = functionOf(operation, operands.length);
  if (!called) throw new UnknownFunction(`unknown function in CEL: ${operation}`);
  return called(...operands.map((operand) => evaluate(operand, scope)));
}

/** Whether a name is an operation of `evaluate`, and so no function. */
export function isOperation(name: string): boolean {
  return Object.hasOwn(OPERATORS, name);
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

function filter(range: CelNode, name: CelNode, test: CelNode, scope: CelObject): readonly CelValue[] {
  return items(evaluate(range, scope)).filter((item) => boolean(evaluate(test, withVariable(scope, name, item))));
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

/** A map; its keys and values alternate. */
function map(entries: readonly CelNode[], scope: CelObject): CelObject {
  const result: Record<string, CelValue> = Object.create(null);
  for (let i = 0; i < entries.length; i += 2) {
    const key = evaluate(entries[i], scope);
    if (typeof key !== 'string') throw new UnknownFunction('unsupported in CEL: a map with keys that are no texts');
    result[key] = evaluate(entries[i + 1], scope);
  }
  return result;
}

/** The scope with one more variable. */
export function withVariable(scope: CelObject, name: CelNode, value: CelValue): CelObject {
  return { ...scope, [name as string]: value };
}

/** The items of a list, or the keys of a map. */
function items(value: CelValue): readonly CelValue[] {
  if (Array.isArray(value)) return value;
  if (isCelObject(value)) return keysOf(value);
  throw noSuchOverload();
}

function isIn(item: CelValue, collection: CelValue): boolean {
  return items(collection).some((candidate) => equals(item, candidate));
}

function variable(name: string, scope: CelObject): CelValue {
  if (Object.hasOwn(scope, name)) return scope[name];
  if (TYPE_NAMES.has(name)) return new CelOpaque('type', name);
  throw new CelError(`no such attribute(s): ${name}`);
}

function select(object: CelValue, field: string): CelValue {
  if (!isCelObject(object)) throw noSuchOverload();
  if (!Object.hasOwn(object, field)) throw new CelError(`no such key: ${field}`);
  return object[field];
}

function index(object: CelValue, key: CelValue): CelValue {
  if (Array.isArray(object) && typeof key === 'bigint') {
    if (key < 0n || key >= BigInt(object.length)) throw new CelError(`index out of bounds: ${key}`);
    return (object as readonly CelValue[])[Number(key)];
  }
  if (typeof key !== 'string') throw noSuchOverload();
  return select(object, key);
}

function has(object: CelValue, field: string): boolean {
  if (!isCelObject(object)) throw noSuchOverload();
  return Object.hasOwn(object, field);
}

function boolean(value: CelValue): boolean {
  if (typeof value === 'boolean') return value;
  throw noSuchOverload();
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
