/**
 * Highest number of pods on a node.
 */
export class MaxPods {
  /** The same number on every node. */
  public static count(pods: number): MaxPods {
    return new MaxPods(pods);
  }

  /**
   * A CEL expression over the instance type, such as `vcpus * 10`. Requires Karpenter 1.15 or newer with the feature
   * gate `NodeClassCEL`.
   */
  public static expression(expression: string): MaxPods {
    return new MaxPods(expression);
  }

  private constructor(private readonly value: number | string) {}

  /** @internal */
  public _toSpec(): number | string {
    return this.value;
  }
}
