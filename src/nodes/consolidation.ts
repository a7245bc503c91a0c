import { Duration } from 'cdk8s';
import { toGoDurationOrNever } from './private/lowering';

/**
 * When Karpenter considers a node for consolidation.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#consolidation
 */
export class Consolidation {
  /**
   * Once the node has had no pod added or removed for this time.
   *
   * @param quietTime in whole seconds
   */
  public static after(quietTime: Duration): Consolidation {
    return new Consolidation(quietTime);
  }

  /** Nodes are not consolidated: `consolidateAfter` is `Never`. */
  public static never(): Consolidation {
    return new Consolidation();
  }

  private constructor(
    /** Time without an added or removed pod. Undefined if nodes are not consolidated. */
    public readonly quietTime?: Duration,
  ) {}

  /** @internal */
  public _toSpec(): string {
    return toGoDurationOrNever(this.quietTime);
  }
}
