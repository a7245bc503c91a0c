import { Duration } from 'cdk8s';
import { toGoDurationOrNever } from './private/lowering';

/**
 * When the nodes of a NodePool expire. Karpenter replaces an expired node; disruption budgets do not delay this.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecexpireafter
 */
export class Expiration {
  /**
   * A node expires at this age.
   *
   * @param age in whole seconds, above zero
   * @throws Error if it is not above zero
   */
  public static after(age: Duration): Expiration {
    const seconds = age.toSeconds({ integral: false });
    if (!(seconds > 0))
      throw new Error(
        `Expiration.after: must be above zero, because each node would expire at once, got ${seconds} seconds; write for example Duration.days(30), or Expiration.never()`,
      );
    return new Expiration(age);
  }

  /** Nodes do not expire: `expireAfter` is `Never`. */
  public static never(): Expiration {
    return new Expiration();
  }

  private constructor(
    /** Age at which a node expires. Undefined if nodes do not expire. */
    public readonly age?: Duration,
  ) {}

  /** @internal */
  public _toSpec(): string {
    return toGoDurationOrNever(this.age);
  }
}
