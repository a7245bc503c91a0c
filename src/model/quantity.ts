import { formatQuantity, NANOS_PER_UNIT, QuantityFormat } from './quantity-format';
import { parseQuantity, QuantityError } from './quantity-parser';

const NANOS_PER_MILLI = 1_000_000n;

/**
 * An exact amount of a resource, as Kubernetes writes it: `500m`, `2Gi`, `1e3`.
 *
 * @see https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/
 */
export class Quantity {
  /**
   * Reads an amount like the API server. A number is read by its shortest decimal text.
   *
   * @throws QuantityError with the problem and the likely intent
   */
  static parse(text: string | number): Quantity {
    const { nanos, format } = parseQuantity(String(text));
    return new Quantity(nanos, format);
  }

  /** Returns undefined instead of throwing an error. */
  static tryParse(text: unknown): Quantity | undefined {
    if (typeof text !== 'string' && typeof text !== 'number') {
      return undefined;
    }
    try {
      return Quantity.parse(text);
    } catch (error) {
      if (error instanceof QuantityError) {
        return undefined;
      }
      throw error;
    }
  }

  /** An amount of whole units: cores, bytes, pods. */
  static of(units: bigint, format: 'BinarySI' | 'DecimalSI' = 'DecimalSI'): Quantity {
    return new Quantity(units * NANOS_PER_UNIT, format);
  }

  /** An amount of thousandths of a unit: millicores. */
  static ofMilli(milli: bigint, format: 'BinarySI' | 'DecimalSI' = 'DecimalSI'): Quantity {
    return new Quantity(milli * NANOS_PER_MILLI, format);
  }

  private constructor(
    /** The exact amount in billionths of a unit, the finest precision of Kubernetes. */
    readonly nanos: bigint,
    readonly format: QuantityFormat,
  ) {}

  /** In whole units, rounded away from zero. */
  value(): bigint {
    return divideAwayFromZero(this.nanos, NANOS_PER_UNIT);
  }

  /** In thousandths of a unit, rounded away from zero. */
  milliValue(): bigint {
    return divideAwayFromZero(this.nanos, NANOS_PER_MILLI);
  }

  /** Negative, zero or positive. Only the amounts count: `1024Mi` equals `1Gi`. */
  compare(other: Quantity): number {
    return this.nanos < other.nanos ? -1 : Number(this.nanos > other.nanos);
  }

  /** The sum, in the format of this quantity, or of the other one if this one is zero. */
  add(other: Quantity): Quantity {
    return new Quantity(this.nanos + other.nanos, this.nanos === 0n ? other.format : this.format);
  }

  /** The difference, which may be negative; its format is chosen as in `add`. */
  subtract(other: Quantity): Quantity {
    return new Quantity(this.nanos - other.nanos, this.nanos === 0n ? other.format : this.format);
  }

  /** The canonical Kubernetes form: `1024Mi` becomes `1Gi`, `0.5` becomes `500m`. */
  toString(): string {
    return formatQuantity(this.nanos, this.format);
  }
}

function divideAwayFromZero(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  if (dividend % divisor === 0n) {
    return quotient;
  }
  return dividend > 0n ? quotient + 1n : quotient - 1n;
}
