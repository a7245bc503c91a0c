import { constantOf, Cursor, listOf, Writer } from './cursor';
import { chooseExpression, libraries, Variables } from './evaluate';
import { call, Expression, literal } from './expression';
import { valueText } from '../../model';

/** Objects that a requirement can refer to. */
export interface RequirementReferences {
  readonly variables: Variables;
  /** Expression of the NodePool with this name: imported if the program does not have it. */
  nodePool(name: string): Expression;
}

interface LabelMethod {
  /** Static method of `Requirement`. */
  readonly method: string;
  /** Kind of its values: the name of the class that it returns without the suffix `Label`. */
  readonly valueKind: string;
}

const COMPARISONS: Readonly<Record<string, string>> = {
  Gt: 'greaterThan',
  Gte: 'greaterThanOrEqual',
  Lt: 'lessThan',
  Lte: 'lessThanOrEqual',
};
const MEMBERSHIPS: Readonly<Record<string, string>> = { In: 'in', NotIn: 'notIn' };
const PRESENCES: Readonly<Record<string, string>> = { Exists: 'exists', DoesNotExist: 'doesNotExist' };

/** Methods by label key. Computed at the first use, because it loads the construct library. */
let labelMethods: ReadonlyMap<string, LabelMethod> | undefined;

export function requirements(pools: RequirementReferences): Writer {
  return listOf((cursor) => requirement(cursor, pools));
}

function requirement(cursor: Cursor, pools: RequirementReferences): Expression | undefined {
  const { key, operator, values, minValues } = cursor.fields;
  if (typeof key !== 'string' || typeof operator !== 'string') return undefined;
  const label = labelMethodOf(key);
  const candidates = [
    label && compare(call('nodes.Requirement', label.method), label.valueKind, operator, values, pools),
    compare(call('nodes.Requirement', 'of', literal(key)), 'Custom', operator, values, pools),
  ];
  return chooseExpression(
    candidates.map((candidate) =>
      candidate && typeof minValues === 'number' ? call(candidate, 'withMinValues', literal(minValues)) : candidate,
    ),
    cursor.value,
    pools.variables,
  );
}

function compare(
  label: Expression,
  kind: string,
  operator: string,
  raw: unknown,
  pools: RequirementReferences,
): Expression | undefined {
  const values = Array.isArray(raw) ? raw : [];
  if (Object.hasOwn(PRESENCES, operator)) return call(label, PRESENCES[operator]);
  if (Object.hasOwn(COMPARISONS, operator)) {
    const bound = Number(values[0]);
    return ['Integer', 'Custom'].includes(kind) && Number.isSafeInteger(bound)
      ? call(label, COMPARISONS[operator], literal(bound))
      : undefined;
  }
  if (!Object.hasOwn(MEMBERSHIPS, operator) || !values.every((value) => typeof value === 'string')) return undefined;
  if (kind === 'Boolean')
    return operator === 'In' && values.length === 1
      ? call(label, values[0] === 'true' ? 'isTrue' : 'isFalse')
      : undefined;
  const written = values.map((value) => writeValue(kind, value, pools));
  return written.every((value): value is Expression => value !== undefined)
    ? call(label, MEMBERSHIPS[operator], ...written)
    : undefined;
}

function writeValue(kind: string, value: string, pools: RequirementReferences): Expression | undefined {
  switch (kind) {
    case 'Text':
    case 'Custom':
      return literal(value);
    case 'Integer':
      return valueText(Number(value)) === value ? literal(Number(value)) : undefined;
    case 'NodePool':
      return pools.nodePool(value);
    default:
      return constantOf(kind)(new Cursor(value));
  }
}

/** Each static method of `Requirement` without parameters represents one label. */
function labelMethodOf(key: string): LabelMethod | undefined {
  if (!labelMethods) {
    const type = libraries.nodes.Requirement as unknown as Record<string, () => { readonly key: string }>;
    const methods = Object.getOwnPropertyNames(type).filter(
      (method) => typeof type[method] === 'function' && type[method].length === 0,
    );
    labelMethods = new Map(
      methods.map((method) => {
        const label = type[method]();
        return [label.key, { method, valueKind: label.constructor.name.replace(/Label$/, '') }];
      }),
    );
  }
  return labelMethods.get(key);
}
