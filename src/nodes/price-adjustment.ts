import { toText } from './private/lowering';

/**
 * A change to the price of instance types.
 *
 * @see https://karpenter.sh/docs/concepts/nodeoverlays/
 */
export class PriceAdjustment {
  /**
   * An amount on top of the price, or off it. No price falls below 0.
   *
   * @param usdPerHour in USD an hour: 0.01, or -0.01 for a discount
   */
  public static amount(usdPerHour: number): PriceAdjustment {
    return new PriceAdjustment(signed(usdPerHour));
  }

  /**
   * A share of the price on top of it, or off it.
   *
   * @param percent 10, or -15 for a discount; not below -100
   */
  public static percent(percent: number): PriceAdjustment {
    return new PriceAdjustment(`${signed(percent)}%`);
  }

  private constructor(
    /** As Karpenter reads it: `+0.01`, `-15%`. */
    public readonly value: string,
  ) {}
}

function signed(amount: number): string {
  return `${amount < 0 ? '' : '+'}${toText('priceAdjustment', amount)}`;
}
