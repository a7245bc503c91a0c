import { requireWhole } from '../private/call-checks';

/**
 * Highest number of pods on a node.
 */
export class MaxPods {
  /**
   * The same number on every node.
   *
   * @param pods whole number from 0
   * @throws Error if it is not such a number
   */
  public static count(pods: number): MaxPods {
    requireWhole('MaxPods.count', pods, 0);
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
