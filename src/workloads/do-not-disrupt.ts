import { Duration } from 'cdk8s';
import { formatGoDuration } from '../model';

/**
 * How long Karpenter leaves the node of a pod alone, where it has the choice: neither consolidation nor drift removes it. The end of a
 * spot instance, expiry, a broken node and a delete by hand take it all the same.
 *
 * @see https://karpenter.sh/docs/concepts/disruption/#pod-level-controls
 */
export class DoNotDisrupt {
  /**
   * For as long as the pod is there. Give its NodePool a `terminationGracePeriod`, or else nodes that have expired wait for the pod
   * without an end.
   */
  public static always(): DoNotDisrupt {
    return new DoNotDisrupt('true');
  }

  /**
   * Until the pod has run for so long. Releases of Karpenter before 1.12 take no notice of it.
   *
   * @throws Error if the age is not above zero
   */
  public static untilAge(age: Duration): DoNotDisrupt {
    const seconds = age.toSeconds({ integral: false });
    if (!(seconds > 0)) throw new Error(`DoNotDisrupt.untilAge: must be above zero, got ${seconds} seconds; write for example Duration.hours(1)`);
    return new DoNotDisrupt(formatGoDuration(seconds));
  }

  private constructor(
    /** Value of the annotation `karpenter.sh/do-not-disrupt`. */
    public readonly value: string,
  ) {}
}
