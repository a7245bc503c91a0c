import { NodeRequirement } from './node-requirement';
import { Operator } from '../../model';
import { toText } from '../private/lowering';

/**
 * The label of a requirement, which is then completed with an operator and values.
 */
export abstract class LabelRequirement {
  public constructor(
    /** The label. */
    public readonly key: string,
  ) {}

  /** The node must have the label, whatever its value. */
  public exists(): NodeRequirement { return NodeRequirement._from(this.key, 'Exists'); }

  /** The node must not have the label. */
  public doesNotExist(): NodeRequirement { return NodeRequirement._from(this.key, 'DoesNotExist'); }
}

/**
 * A label with texts for values.
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
 * A label with whole numbers for values.
 */
export class IntegerRequirement extends LabelRequirement {
  /** The label must have one of these values. */
  public in(...values: number[]): NodeRequirement { return NodeRequirement._from(this.key, 'In', this.toTexts(values)); }

  /** The label must have none of these values. A node without the label fits too. */
  public notIn(...values: number[]): NodeRequirement { return NodeRequirement._from(this.key, 'NotIn', this.toTexts(values)); }

  /** The value must be above this one: `Gt`. */
  public greaterThan(value: number): NodeRequirement { return compare(this.key, 'Gt', value); }

  /** The value must be this one or above: `Gte`. */
  public greaterThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Gte', value); }

  /** The value must be below this one: `Lt`. */
  public lessThan(value: number): NodeRequirement { return compare(this.key, 'Lt', value); }

  /** The value must be this one or below: `Lte`. */
  public lessThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Lte', value); }

  /** `4.5` would be a well-formed label value, which no node has. */
  private toTexts(values: readonly number[]): string[] {
    const texts = values.map((value) => toText(this.key, value));
    const fraction = values.find((value) => !Number.isSafeInteger(value));
    if (fraction !== undefined) throw new Error(`${this.key}: must be compared with whole numbers, got ${fraction}; write for example 4`);
    return texts;
  }
}

/**
 * A label that this package knows nothing about.
 */
export class CustomRequirement extends TextRequirement {
  /** The value must be a whole number above this one: `Gt`. */
  public greaterThan(value: number): NodeRequirement { return compare(this.key, 'Gt', value); }

  /** The value must be a whole number, this one or above: `Gte`. */
  public greaterThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Gte', value); }

  /** The value must be a whole number below this one: `Lt`. */
  public lessThan(value: number): NodeRequirement { return compare(this.key, 'Lt', value); }

  /** The value must be a whole number, this one or below: `Lte`. */
  public lessThanOrEqual(value: number): NodeRequirement { return compare(this.key, 'Lte', value); }
}

function compare(key: string, operator: Operator, value: number): NodeRequirement {
  return NodeRequirement._from(key, operator, [toText(key, value)]);
}
