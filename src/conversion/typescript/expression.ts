/** Syntax tree of the TypeScript expressions that construct programs need. It can be printed and evaluated. */

export type Path = ReadonlyArray<string | number>;

/** A place in an expression that can have comments. */
export interface Slot {
  readonly value: Expression;
  /** Path in the manifest from which the value comes. */
  readonly from?: Path;
  readonly comments: string[];
}

/** A property of an object expression. */
export interface Entry extends Slot {
  readonly key: string;
}

export type Expression =
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null }
  | { readonly kind: 'name'; readonly path: readonly string[] }
  | {
      readonly kind: 'call';
      readonly target: Expression;
      readonly method: string;
      readonly args: readonly Expression[];
    }
  | { readonly kind: 'new'; readonly path: readonly string[]; readonly args: readonly Expression[] }
  | { readonly kind: 'object'; readonly entries: readonly Entry[] }
  | { readonly kind: 'list'; readonly items: readonly Slot[] };

export type ObjectExpression = Extract<Expression, { kind: 'object' }>;

export function literal(value: string | number | boolean | null): Expression {
  return { kind: 'literal', value };
}

/** A name with dots: `nodes.CapacityType.SPOT`. */
export function name(text: string): Expression {
  return { kind: 'name', path: text.split('.') };
}

export function call(target: Expression | string, method: string, ...args: readonly Expression[]): Expression {
  return { kind: 'call', target: typeof target === 'string' ? name(target) : target, method, args };
}

export function create(className: string, ...args: readonly Expression[]): Expression {
  return { kind: 'new', path: className.split('.'), args };
}

export function object(entries: readonly Entry[]): ObjectExpression {
  return { kind: 'object', entries };
}

export function entry(key: string, value: Expression, from?: Path): Entry {
  return { key, value, from, comments: [] };
}

export function list(items: readonly Expression[], from?: Path): Expression {
  return { kind: 'list', items: items.map((value, i) => ({ value, from: from && [...from, i], comments: [] })) };
}

/** All slots of an expression, outer ones first. */
export function slotsOf(expression: Expression): Slot[] {
  switch (expression.kind) {
    case 'object':
      return expression.entries.flatMap((slot) => [slot, ...slotsOf(slot.value)]);
    case 'list':
      return expression.items.flatMap((slot) => [slot, ...slotsOf(slot.value)]);
    case 'call':
      return [expression.target, ...expression.args].flatMap(slotsOf);
    case 'new':
      return expression.args.flatMap(slotsOf);
    default:
      return [];
  }
}

export function hasComment(expression: Expression): boolean {
  const inSlot = ({ value, comments }: Slot) => comments.length > 0 || hasComment(value);
  switch (expression.kind) {
    case 'object':
      return expression.entries.some(inSlot);
    case 'list':
      return expression.items.some(inSlot);
    case 'call':
      return hasComment(expression.target) || expression.args.some(hasComment);
    case 'new':
      return expression.args.some(hasComment);
    default:
      return false;
  }
}

/** First parts of all names in an expression: they must be imported or declared. */
export function rootNames(expression: Expression): string[] {
  switch (expression.kind) {
    case 'object':
      return expression.entries.flatMap(({ value }) => rootNames(value));
    case 'list':
      return expression.items.flatMap(({ value }) => rootNames(value));
    case 'call':
      return [expression.target, ...expression.args].flatMap(rootNames);
    case 'new':
      return [expression.path[0], ...expression.args.flatMap(rootNames)];
    case 'name':
      return [expression.path[0]];
    default:
      return [];
  }
}
