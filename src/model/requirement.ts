import { clampIntegerLikeGo, parseIntegerLikeGo, wrapInt64 } from './go-strconv';
import { normalizeLabelKey } from './label-keys';

export type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt' | 'Gte' | 'Lte';

/** A requirement as a manifest contains it. */
export interface RequirementSpec {
  readonly key: string;
  readonly operator: Operator;
  readonly values?: readonly string[];
  readonly minValues?: number;
}

export interface RequirementParts {
  readonly key: string;
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  readonly gte?: bigint;
  readonly lte?: bigint;
  readonly minValues?: number;
}

const MAX_INT64 = 2n ** 63n - 1n;
const PRINTED_VALUES = 5;
const NO_VALUES: ReadonlySet<string> = new Set();

/**
 * The values that a label may have: a set, or all values except for a set (`complement`) within optional inclusive
 * bounds.
 *
 * Gt and Lt are stored as Gte and Lte, as in Karpenter, so that every operation deals with these two forms only.
 *
 * @see https://github.com/kubernetes-sigs/karpenter/blob/v1.15.0/pkg/scheduling/requirement.go
 */
export class Requirement {
  /**
   * Normalises the key. An unknown operator counts as Exists, and a bound that is not an integer as 0: validate before.
   */
  static from(spec: RequirementSpec): Requirement {
    const key = normalizeLabelKey(spec.key);
    const { operator, values = [], minValues } = spec;
    const bound = clampIntegerLikeGo(values[0] ?? '');
    switch (operator) {
      case 'In':
        return new Requirement({ key, complement: false, values: new Set(values), minValues });
      case 'NotIn':
        return new Requirement({ key, complement: true, values: new Set(values), minValues });
      case 'DoesNotExist':
        return new Requirement({ key, complement: false, values: NO_VALUES, minValues });
      // No value is above the largest integer. Karpenter drops minValues in this case.
      case 'Gt':
        return bound === MAX_INT64
          ? new Requirement({ key, complement: false, values: NO_VALUES })
          : new Requirement({ key, complement: true, values: NO_VALUES, gte: bound + 1n, minValues });
      case 'Lt':
        return new Requirement({ key, complement: true, values: NO_VALUES, lte: wrapInt64(bound - 1n), minValues });
      case 'Gte':
        return new Requirement({ key, complement: true, values: NO_VALUES, gte: bound, minValues });
      case 'Lte':
        return new Requirement({ key, complement: true, values: NO_VALUES, lte: bound, minValues });
      default:
        return new Requirement({ key, complement: true, values: NO_VALUES, minValues });
    }
  }

  /** The requirement of exactly the value of a node label. */
  static ofLabel(key: string, value: string): Requirement {
    return new Requirement({ key: normalizeLabelKey(key), complement: false, values: new Set([value]) });
  }

  static of(parts: RequirementParts): Requirement {
    return new Requirement(parts);
  }

  readonly key: string;
  /** Whether `values` are the excluded ones. */
  readonly complement: boolean;
  readonly values: ReadonlySet<string>;
  /** Inclusive lower bound; only on a complement. */
  readonly gte?: bigint;
  /** Inclusive upper bound; only on a complement. */
  readonly lte?: bigint;
  /** How many distinct values of this key the instance types of a launch must have. */
  readonly minValues?: number;
  /** Cached, because printing sorts the values, and a conflict over a thousand values may be reported once per pod. */
  private text?: string;

  private constructor(parts: RequirementParts) {
    this.key = parts.key;
    this.complement = parts.complement;
    this.values = parts.values;
    this.gte = parts.gte;
    this.lte = parts.lte;
    this.minValues = parts.minValues;
  }

  /** The operator for the two forms; a bounded requirement without exclusions is `Exists`. */
  operator(): 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' {
    if (this.complement) {
      return this.values.size > 0 ? 'NotIn' : 'Exists';
    }
    return this.values.size > 0 ? 'In' : 'DoesNotExist';
  }

  /** Whether a node with this value of the label meets the requirement. */
  has(value: string): boolean {
    return this.values.has(value) !== this.complement && isWithin(value, this.gte, this.lte);
  }

  /** The values that both allow, under this requirement's key. The larger minValues counts. */
  intersect(other: Requirement): Requirement {
    const gte = larger(this.gte, other.gte);
    const lte = smaller(this.lte, other.lte);
    const minValues = larger(this.minValues, other.minValues);
    if (gte !== undefined && lte !== undefined && gte > lte) {
      return new Requirement({ key: this.key, complement: false, values: NO_VALUES, minValues });
    }
    const complement = this.complement && other.complement;
    const values = new Set<string>();
    for (const value of complement ? unionOf(this.values, other.values) : this.concreteOf(other)) {
      if (isWithin(value, gte, lte)) {
        values.add(value);
      }
    }
    // The bounds of a concrete set are already applied.
    return new Requirement({ key: this.key, complement, values, minValues, ...(complement ? { gte, lte } : {}) });
  }

  /**
   * Whether both allow a common value. Two complements do unless their bounds cross, even if the exclusions leave no
   * value.
   */
  hasIntersection(other: Requirement): boolean {
    const gte = larger(this.gte, other.gte);
    const lte = smaller(this.lte, other.lte);
    if (gte !== undefined && lte !== undefined && gte > lte) {
      return false;
    }
    if (this.complement && other.complement) {
      return true;
    }
    for (const value of this.concreteOf(other)) {
      if (isWithin(value, gte, lte)) {
        return true;
      }
    }
    return false;
  }

  /** As Karpenter prints it in events and logs: the first five values in sort order, and the number of the others. */
  toString(): string {
    this.text ??= this.print();
    return this.text;
  }

  private print(): string {
    const operator = this.operator();
    let text = `${this.key} ${operator}`;
    if (operator === 'In' || operator === 'NotIn') {
      text += ` [${printValues(this.values)}]`;
    }
    text += this.gte === undefined ? '' : ` >=${this.gte}`;
    text += this.lte === undefined ? '' : ` <=${this.lte}`;
    return text + (this.minValues === undefined ? '' : ` minValues ${this.minValues}`);
  }

  /** The values that the sets of both allow, without bounds; one of the two must be concrete. */
  private *concreteOf(other: Requirement): Generator<string> {
    const [concrete, filter] = concreteFirst(this, other);
    for (const value of concrete.values) {
      if (filter.values.has(value) !== filter.complement) {
        yield value;
      }
    }
  }
}

/** Returns the requirement to iterate over first: the concrete one, or the smaller one of two concrete ones. */
function concreteFirst(left: Requirement, right: Requirement): [Requirement, Requirement] {
  if (left.complement !== right.complement) {
    return left.complement ? [right, left] : [left, right];
  }
  return left.values.size <= right.values.size ? [left, right] : [right, left];
}

function* unionOf(left: ReadonlySet<string>, right: ReadonlySet<string>): Generator<string> {
  yield* left;
  yield* right;
}

/** With any bound, only integers are allowed. */
function isWithin(text: string, gte: bigint | undefined, lte: bigint | undefined): boolean {
  if (gte === undefined && lte === undefined) {
    return true;
  }
  const value = parseIntegerLikeGo(text);
  return value !== undefined && (gte === undefined || value >= gte) && (lte === undefined || value <= lte);
}

function larger<T extends bigint | number>(left: T | undefined, right: T | undefined): T | undefined {
  return left === undefined || (right !== undefined && right > left) ? right : left;
}

function smaller<T extends bigint | number>(left: T | undefined, right: T | undefined): T | undefined {
  return left === undefined || (right !== undefined && right < left) ? right : left;
}

function printValues(values: ReadonlySet<string>): string {
  const sorted = [...values].sort();
  const shown = sorted.slice(0, PRINTED_VALUES);
  const hidden = sorted.length - shown.length;
  return [...shown, ...(hidden > 0 ? [`and ${hidden} others`] : [])].join(' ');
}
