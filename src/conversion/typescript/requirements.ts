import { choose } from './candidates';
import { constantOf, Cursor, listOf, Writer } from './cursor';
import { call, Expression, literal } from './expression';
import { Variables } from './run';
import { runtime } from './runtime';

/** What a requirement can refer to. */
export interface NodePools {
  readonly variables: Variables;
  /** Expression of the pool with this name, which need not be in the program. */
  nodePool(name: string): Expression;
}

interface Label {
  /** Static method of `Requirement`. */
  readonly method: string;
  /** Kind of its values: the name of the class that it returns, without the end `Requirement`. */
  readonly values: string;
}

const COMPARISONS: Readonly<Record<string, string>> = { Gt: 'greaterThan', Gte: 'greaterThanOrEqual', Lt: 'lessThan', Lte: 'lessThanOrEqual' };
const MEMBERSHIPS: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notIn' };
const PRESENCES: Readonly<Record<string, string>> = { Exists: 'exists', DoesNotExist: 'doesNotExist' };

let labels: ReadonlyMap<string, Label> | undefined;

export function requirements(pools: NodePools): Writer {
  return listOf((at) => requirement(at, pools));
}

function requirement(at: Cursor, pools: NodePools): Expression | undefined {
  const { key, operator, values, minValues } = at.fields;
  if (typeof key !== 'string' || typeof operator !== 'string') return undefined;
  const label = labelOf(key);
  const comparisons = [
    label && compare(call('nodes.Requirement', label.method), label.values, operator, values, pools),
    compare(call('nodes.Requirement', 'of', literal(key)), 'Custom', operator, values, pools),
  ];
  return choose(comparisons.map((one) => one && typeof minValues === 'number' ? call(one, 'withMinValues', literal(minValues)) : one), at.value, pools.variables);
}

function compare(label: Expression, kind: string, operator: string, raw: unknown, pools: NodePools): Expression | undefined {
  const values = Array.isArray(raw) ? raw : [];
  if (Object.hasOwn(PRESENCES, operator)) return call(label, PRESENCES[operator]);
  if (Object.hasOwn(COMPARISONS, operator)) {
    const bound = Number(values[0]);
    return ['Integer', 'Custom'].includes(kind) && Number.isSafeInteger(bound) ? call(label, COMPARISONS[operator], literal(bound)) : undefined;
  }
  if (!Object.hasOwn(MEMBERSHIPS, operator) || !values.every((value) => typeof value === 'string')) return undefined;
  if (kind === 'Boolean') return operator === 'In' && values.length === 1 ? call(label, values[0] === 'true' ? 'isTrue' : 'isFalse') : undefined;
  const written = values.map((value) => writeValue(kind, value, pools));
  return written.every((value): value is Expression => value !== undefined) ? call(label, MEMBERSHIPS[operator], ...written) : undefined;
}

function writeValue(kind: string, value: string, pools: NodePools): Expression | undefined {
  switch (kind) {
    case 'Text':
    case 'Custom': return literal(value);
    case 'Integer': return String(Number(value)) === value ? literal(Number(value)) : undefined;
    case 'NodePool': return pools.nodePool(value);
    default: return constantOf(kind)(new Cursor(value));
  }
}

/** Each static method of `Requirement` that takes nothing stands for one label. */
function labelOf(key: string): Label | undefined {
  if (!labels) {
    const type = runtime.nodes.Requirement as unknown as Record<string, () => { readonly key: string }>;
    const methods = Object.getOwnPropertyNames(type).filter((method) => typeof type[method] === 'function' && type[method].length === 0);
    labels = new Map(methods.map((method) => {
      const label = type[method]();
      return [label.key, { method, values: label.constructor.name.replace(/Requirement$/, '') }];
    }));
  }
  return labels.get(key);
}
