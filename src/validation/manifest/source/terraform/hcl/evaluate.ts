import { MAX_DEPTH } from './scanner';
import { HclExpression } from './syntax';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { PlainRecord } from '../../../records';

/** What names stand for: an expression with the text that it is written in, or a value. */
export interface Scope {
  /** Undefined for what is known only to Terraform. */
  lookUp(steps: readonly string[]): Written | undefined;
  /** The value in a file of YAML or JSON, whose path may begin with `${path.module}`. @default - files are unknown */
  decodedFile?(path: string): unknown;
}

/** An expression, and the text of its file. */
export interface Written {
  readonly expression: HclExpression;
  readonly text: string;
}

/** More characters of an expression say no more about it. */
const MOST_CHARACTERS = 120;
/** Values that are computed for one file. Locals that name each other twice would double with every step. */
const MOST_VALUES = 200_000;

const DECODERS = ['yamldecode', 'jsondecode'];
/** Stands for the step to each item of a list. */
const ALL = Symbol('*');

/** Functions whose value is their argument. */
const SAME = new Set([
  'tostring',
  'tonumber',
  'tobool',
  'tolist',
  'toset',
  'tomap',
  'try',
  'nonsensitive',
  'sensitive',
]);

/**
 * Computes literal values. What only Terraform knows becomes a placeholder with the expression, such as
 * `${var.cluster_name}`, which the readers of manifests take for an unknown value.
 */
export class Evaluator {
  private values = 0;

  public constructor(private readonly scope: Scope) {}

  public valueOf(written: Written, depth = 0): unknown {
    const { expression, text } = written;
    if (depth > MAX_DEPTH || this.values++ > MOST_VALUES) return placeholder(written);
    const inner = (part: HclExpression) => this.valueOf({ expression: part, text }, depth + 1);
    switch (expression.kind) {
      case 'literal':
        return expression.value;
      case 'list':
        return expression.items.map(inner);
      case 'object':
        return recordOf(expression.items.map(({ key, value }) => [valueText(inner(key)), inner(value)]));
      case 'template':
        return expression.parts
          .map((part) => (typeof part === 'string' ? part : textOf(inner(part), { expression: part, text })))
          .join('');
      case 'reference': {
        const found = this.scope.lookUp(expression.steps);
        return found
          ? this.valueOf(found, depth + 1)
          : (this.memberOf(expression.steps, depth) ?? placeholder(written));
      }
      case 'access': {
        const steps = expression.steps.map((step) => (step === '*' ? ALL : inner(step)));
        const { target } = expression;
        const found = target.kind === 'reference' && this.scope.lookUp([...target.steps, ...steps.map(String)]);
        return (found ? this.valueOf(found, depth + 1) : itemOf(inner(target), steps)) ?? placeholder(written);
      }
      case 'comparison': {
        const [left, right] = [inner(expression.left), inner(expression.right)].map((value) => JSON.stringify(value));
        return `${left}${right}`.includes('${') ? placeholder(written) : (left === right) === expression.isEqual;
      }
      case 'condition': {
        const test = inner(expression.test);
        return typeof test === 'boolean' ? inner(test ? expression.yes : expression.no) : placeholder(written);
      }
      case 'call':
        if (DECODERS.includes(expression.name)) return this.decoded(expression.args, inner) ?? placeholder(written);
        return this.call(expression.name, expression.args.map(inner)) ?? placeholder(written);
      default:
        return placeholder(written);
    }
  }

  /** A member of a name whose value is computed, such as that of a file. */
  private memberOf([kind, name, ...members]: readonly string[], depth: number): unknown {
    const found = members.length > 0 ? this.scope.lookUp([kind, name]) : undefined;
    return found && itemOf(this.valueOf(found, depth + 1), members);
  }

  /** The value of `yamldecode(file(path))`. */
  private decoded([content]: readonly HclExpression[], inner: (part: HclExpression) => unknown): unknown {
    if (content?.kind !== 'call' || content.name !== 'file' || content.args.length !== 1) return undefined;
    const path = inner(content.args[0]);
    return typeof path === 'string' ? this.scope.decodedFile?.(path) : undefined;
  }

  /** Undefined for a function that is not known, or whose arguments are not. */
  private call(name: string, args: readonly unknown[]): unknown {
    const [first] = args;
    if (SAME.has(name) && args.length > 0) return isPlaceholder(first) ? undefined : first;
    if (args.some(isPlaceholder)) return undefined;
    if (name === 'merge' && args.every((arg) => asRecord(arg)))
      return recordOf(args.flatMap((arg) => Object.entries(arg as PlainRecord)));
    if (name === 'concat' && args.every(Array.isArray)) return args.flat();
    if (name === 'index' && Array.isArray(first)) return indexOf(first, args[1]);
    if (name === 'lookup' && typeof args[1] === 'string') return itemOf(first, [args[1]]);
    if (name === 'lower' && typeof first === 'string') return first.toLowerCase();
    if (name === 'upper' && typeof first === 'string') return first.toUpperCase();
    // JSON is YAML, too.
    if (name === 'jsonencode' || name === 'yamlencode') return first === undefined ? undefined : JSON.stringify(first);
    return undefined;
  }
}

/** The first index of an item; undefined if an item before it may be equal. */
function indexOf(list: readonly unknown[], item: unknown): number | undefined {
  const found = list.findIndex((one) => one === item || isPlaceholder(one));
  return found >= 0 && list[found] === item ? found : undefined;
}

/** The part of a value that keys and indexes lead to; undefined if the value has none. */
function itemOf(value: unknown, steps: readonly unknown[]): unknown {
  const [step, ...rest] = steps;
  if (steps.length === 0) return value;
  if (step === ALL) {
    const items = Array.isArray(value) ? value.map((item) => itemOf(item, rest)) : [undefined];
    return items.includes(undefined) ? undefined : items;
  }
  if (Array.isArray(value)) return Number.isInteger(step) ? itemOf(value[step as number], rest) : undefined;
  const record = asRecord(value);
  return record && typeof step === 'string' && Object.hasOwn(record, step) ? itemOf(record[step], rest) : undefined;
}

/** The placeholder of an expression, on one line. */
function placeholder({ expression: { start, end }, text }: Written): string {
  const written = text
    .slice(start, Math.min(end, start + MOST_CHARACTERS))
    .replace(/\s+/g, ' ')
    .replace(/[{}"\\]/g, '');
  return `\${${written.trim()}}`;
}

/** Whether the whole value is known only to Terraform. */
export function isPlaceholder(value: unknown): boolean {
  return typeof value === 'string' && /^\$\{[^{}]*\}$/.test(value);
}

/** A value in a template. Lists and objects have no text. */
function textOf(value: unknown, written: Written): string {
  return typeof value === 'object' && value !== null ? placeholder(written) : valueText(value ?? '');
}

function recordOf(entries: ReadonlyArray<readonly [string, unknown]>): PlainRecord {
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, value] of entries) result[key] = value;
  return result;
}
