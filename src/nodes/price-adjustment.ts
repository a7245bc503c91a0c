import { toText } from './private/lowering';

/**
 * A change to the price of instance types.
 *
 * @see https://karpenter.sh/docs/concepts/nodeoverlays/
 */
export class PriceAdjustment {
  /**
   * Adds an amount to the price. The resulting price is at least 0.
   *
   * @param usdPerHour in USD per hour: 0.01, or -0.01 for a discount
   */
  public static amount(usdPerHour: number): PriceAdjustment {
    return new PriceAdjustment(signed(usdPerHour));
  }

  /**
   * Adds a percentage of the price.
   *
   * @param percent such as 10, or -15 for a discount; at least -100
   */
  public static percent(percent: number): PriceAdjustment {
    return new PriceAdjustment(`${signed(percent)}%`);
  }

  private constructor(
    /** The value in Karpenter's format: `+0.01`, `-15%`. */
    public readonly value: string,
  ) {}
}

function signed(amount: number): string {
  return `${amount < 0 ? '' : '+'}${toText('priceAdjustment', amount)}`;
}
