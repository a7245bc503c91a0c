import { Evaluator, Scope, Written } from './hcl/evaluate';
import { bodyAttribute, Body, HclExpression } from './hcl/syntax';

/** One of the objects that a block with `count` or `for_each` makes. */
export interface Instance {
  /** The key of `for_each`. @default - the block has none, or its keys are unknown */
  readonly key?: string;
  /** The names of the folder, with those of the instance. */
  readonly scope: Scope;
}

/** More instances of a block are taken for one whose values are unknown. */
const MOST_INSTANCES = 100;
const MAX_DEPTH = 20;

/** The instances of a block. One with unknown values if only Terraform knows them; none for `count = 0`. */
export function instancesOf(body: Body, text: string, scope: Scope): Instance[] {
  return literalInstancesOf(body, text, scope) ?? [{ scope }];
}

/** The instances that a block writes out. Undefined without `count` and `for_each`, or if their values are unknown. */
export function literalInstancesOf(body: Body, text: string, scope: Scope): Instance[] | undefined {
  const count = bodyAttribute(body, 'count');
  const number = count && new Evaluator(scope).valueOf({ expression: count, text });
  if (typeof number === 'number' && number <= MOST_INSTANCES)
    return Array.from({ length: Math.max(0, number) }, (_, index) => ({ scope: withIndex(scope, index) }));
  const each = bodyAttribute(body, 'for_each');
  const instances = each && eachOf({ expression: each, text }, scope);
  if (!instances || instances.length > MOST_INSTANCES) return undefined;
  return instances.map(({ key, value }) => ({ key, scope: withEach(scope, key, value) }));
}

interface Each {
  readonly key: string;
  readonly value: Written;
}

/** The instances of a literal `for_each`: a set of texts, or an object. */
function eachOf(given: Written, scope: Scope, depth = 0): Each[] | undefined {
  const { expression, text } = given;
  if (depth > MAX_DEPTH) return undefined;
  if (expression.kind === 'reference') {
    const found = scope.lookUp(expression.steps);
    return found && eachOf(found, scope, depth + 1);
  }
  if (expression.kind === 'condition') {
    const test = new Evaluator(scope).valueOf({ expression: expression.test, text });
    const branch = test === true ? expression.yes : test === false ? expression.no : undefined;
    return branch && eachOf({ expression: branch, text }, scope, depth + 1);
  }
  if (expression.kind === 'call' && ['toset', 'tomap'].includes(expression.name) && expression.args.length === 1)
    return eachOf({ expression: expression.args[0], text }, scope, depth + 1);
  const valueOf = (inner: HclExpression) => new Evaluator(scope).valueOf({ expression: inner, text });
  const instance = (key: unknown, value: HclExpression): Each[] =>
    typeof key === 'string' && !key.includes('${') ? [{ key, value: { expression: value, text } }] : [];
  const items: ReadonlyArray<readonly [HclExpression, HclExpression]> | undefined =
    expression.kind === 'list'
      ? expression.items.map((item) => [item, item])
      : expression.kind === 'object'
        ? expression.items.map(({ key, value }) => [key, value])
        : undefined;
  const instances = items?.flatMap(([key, value]) => instance(valueOf(key), value));
  return instances?.length === items?.length ? instances : undefined;
}

/** The names of an instance: `each.key`, and `each.value` with its members. */
function withEach(scope: Scope, key: string, value: Written): Scope {
  return {
    decodedFile: (path) => scope.decodedFile?.(path),
    lookUp: ([first, second, ...members]) => {
      if (first !== 'each') return scope.lookUp([first, second, ...members]);
      if (second === 'key') return literal(key);
      return members.reduce<Written | undefined>((outer, name) => outer && memberOf(outer, name, scope, 0), value);
    },
  };
}

function withIndex(scope: Scope, index: number): Scope {
  return {
    decodedFile: (path) => scope.decodedFile?.(path),
    lookUp: ([first, second, ...members]) =>
      first === 'count' && second === 'index' ? literal(index) : scope.lookUp([first, second, ...members]),
  };
}

function literal(value: string | number): Written {
  return { expression: { kind: 'literal', value, start: 0, end: 0 }, text: '' };
}

/** The member of an object, which may be behind a name. */
function memberOf({ expression, text }: Written, name: string, scope: Scope, depth: number): Written | undefined {
  if (depth > MAX_DEPTH) return undefined;
  if (expression.kind === 'reference') {
    const target = scope.lookUp(expression.steps);
    return target && memberOf(target, name, scope, depth + 1);
  }
  if (expression.kind !== 'object') return undefined;
  const item = expression.items.find(({ key }) => key.kind === 'literal' && key.value === name);
  return item && { expression: item.value, text };
}
