import { Duration } from 'cdk8s';
import { formatGoDuration } from '../model';

/**
 * How long a pod protects its node from Karpenter's voluntary disruption: consolidation and drift. Spot
 * interruption, expiry, node repair and manual deletion still remove the node.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls
 */
export class DoNotDisrupt {
  /**
   * For the whole life of the pod. Set `terminationGracePeriod` on its NodePool; otherwise an expired node waits for
   * the pod indefinitely.
   */
  public static always(): DoNotDisrupt {
    return new DoNotDisrupt('true');
  }

  /**
   * Until the pod has reached this age. Karpenter before 1.12 ignores this.
   *
   * @throws Error if the age is not above zero
   */
  public static untilAge(age: Duration): DoNotDisrupt {
    const seconds = age.toSeconds({ integral: false });
    if (!(seconds > 0))
      throw new Error(
        `DoNotDisrupt.untilAge: must be above zero, got ${seconds} seconds; write for example Duration.hours(1)`,
      );
    return new DoNotDisrupt(formatGoDuration(seconds));
  }

  private constructor(
    /** Value of the annotation `karpenter.sh/do-not-disrupt`. */
    public readonly value: string,
  ) {}
}
