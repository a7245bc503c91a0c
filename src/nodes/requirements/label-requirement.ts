import { NodeRequirement } from './node-requirement';
import { Operator } from '../../model';
import { toText } from '../private/lowering';

/**
 * The label of a requirement. Its methods add the operator and the values.
 */
export abstract class LabelRequirement {
  public constructor(
    /** The label. */
    public readonly key: string,
  ) {}

  /** The node must have the label, with any value. */
  public exists(): NodeRequirement { return NodeRequirement._from(this.key, 'Exists'); }

  /** The node must not have the label. */
  public doesNotExist(): NodeRequirement { return NodeRequirement._from(this.key, 'DoesNotExist'); }
}

/**
 * A label with strings as values.
 */
export class TextRequirement extends LabelRequirement {
  /** The label must have one of these values. */
  public in(...values: string[]): NodeRequirement { return NodeRequirement._from(this.key, 'In', values); }

  /** The label must have none of these values. A node without the label fits too. */
  public notIn(...values: string[]): NodeRequirement { return NodeRequirement._from(this.key, 'NotIn', values); }
}

/**
 * A label that is `true` or `false`.
 */
export class BooleanRequirement extends LabelRequirement {
  /** The label must be `true`. */
  public isTrue(): NodeRequirement { return NodeRequirement._from(this.key, 'In', ['true']); }

  /** The label must be `false`. */
  public isFalse(): NodeRequirement { return NodeRequirement._from(this.key, 'In', ['false']); }
}

/**
 * A label with whole numbers as values.
 */
export class IntegerRequirement extends LabelRequirement {
  /** The label must have one of these values. */
  public in(...values: number[]): NodeRequirement { return NodeRequirement._from(this.key, 'In', this.toTexts(values)); }

  /** The label must have none of these values. A node without the label fits too. */
  public notIn(...values: number[]): NodeRequirement { return NodeRequirement._from(this.key, 'NotIn', this.toTexts(values)); }

  /** The value must be greater than `value`: `Gt`. */
  public greaterThan(value: number): NodeRequirement { return compare(this.key, 'Gt', value); }

  /** The value must be `value` or greater: `Gte`. */
  public greaterThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Gte', value); }

  /** The value must be less than `value`: `Lt`. */
  public lessThan(value: number): NodeRequirement { return compare(this.key, 'Lt', value); }

  /** The value must be `value` or less: `Lte`. */
  public lessThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Lte', value); }

  /** Rejects fractions: `4.5` is a valid label value, but no node has it. */
  private toTexts(values: readonly number[]): string[] {
    const texts = values.map((value) => toText(this.key, value));
    const fraction = values.find((value) => !Number.isSafeInteger(value));
    if (fraction !== undefined) throw new Error(`${this.key}: must be compared with whole numbers, got ${fraction}; write for example 4`);
    return texts;
  }
}

/**
 * A label without a method in `Requirement`.
 */
export class CustomRequirement extends TextRequirement {
  /** The value must be a whole number greater than `value`: `Gt`. */
  public greaterThan(value: number): NodeRequirement { return compare(this.key, 'Gt', value); }

  /** The value must be a whole number, `value` or greater: `Gte`. */
  public greaterThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Gte', value); }

  /** The value must be a whole number less than `value`: `Lt`. */
  public lessThan(value: number): NodeRequirement { return compare(this.key, 'Lt', value); }

  /** The value must be a whole number, `value` or less: `Lte`. */
  public lessThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Lte', value); }
}

function compare(key: string, operator: Operator, value: number): NodeRequirement {
  return NodeRequirement._from(key, operator, [toText(key, value)]);
}
