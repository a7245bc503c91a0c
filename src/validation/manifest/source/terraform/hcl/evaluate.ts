import { MAX_DEPTH } from './scanner';
import { HclExpression } from './syntax';
import { asRecord } from '../../../../../contract';
import { valueText } from '../../../../../model';
import { PlainRecord } from '../../../records';

/** What names stand for: an expression with the text that it is written in, or a value. */
export interface Scope {
  /** Undefined for what is known only to Terraform. */
  lookUp(steps: readonly string[]): Written | undefined;
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
        return found ? this.valueOf(found, depth + 1) : placeholder(written);
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
        return this.call(expression.name, expression.args.map(inner)) ?? placeholder(written);
      default:
        return placeholder(written);
    }
  }

  /** Undefined for a function that is not known, or whose arguments are not. */
  private call(name: string, args: readonly unknown[]): unknown {
    const [first] = args;
    if (SAME.has(name) && args.length > 0) return isPlaceholder(first) ? undefined : first;
    if (args.some(isPlaceholder)) return undefined;
    if (name === 'merge' && args.every((arg) => asRecord(arg)))
      return recordOf(args.flatMap((arg) => Object.entries(arg as PlainRecord)));
    if (name === 'concat' && args.every(Array.isArray)) return args.flat();
    if (name === 'lower' && typeof first === 'string') return first.toLowerCase();
    if (name === 'upper' && typeof first === 'string') return first.toUpperCase();
    // JSON is YAML, too.
    if (name === 'jsonencode' || name === 'yamlencode') return first === undefined ? undefined : JSON.stringify(first);
    return undefined;
  }
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
