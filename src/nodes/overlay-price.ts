import { toDecimalUnlessToken, toText } from './private/lowering';

/**
 * The price that a NodeOverlay gives to instance types, in place of the list price of AWS.
 *
 * @see https://karpenter.sh/docs/concepts/nodeoverlays/
 */
export class OverlayPrice {
  /**
   * This price.
   *
   * @param usdPerHour in USD per hour: 0.5
   */
  public static fixed(usdPerHour: number): OverlayPrice {
    return new OverlayPrice({ price: toDecimalUnlessToken(usdPerHour) });
  }

  /**
   * The list price plus an amount. The resulting price is at least 0.
   *
   * @param usdPerHour in USD per hour: 0.01, or -0.01 for a discount
   */
  public static adjustedBy(usdPerHour: number): OverlayPrice {
    return new OverlayPrice({ priceAdjustment: signed(usdPerHour) });
  }

  /**
   * The list price plus a percentage of it.
   *
   * @param percent such as 10, or -15 for a discount; at least -100
   */
  public static adjustedByPercent(percent: number): OverlayPrice {
    return new OverlayPrice({ priceAdjustment: `${signed(percent)}%` });
  }

  private constructor(private readonly fields: Record<string, unknown>) {}

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    return { ...this.fields };
  }
}

function signed(amount: number): string {
  return `${amount < 0 ? '' : '+'}${toText('priceAdjustment', amount)}`;
}
