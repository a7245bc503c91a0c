import { isQualifiedName } from '../contract';
import { Label } from '../model';

/**
 * The capacity types on which the pods of a workload run.
 *
 * @see https://karpenter.sh/docs/concepts/scheduling/#on-demandspot-ratio-split
 */
export class CapacityPlacement {
  /**
   * Only on nodes that EC2 does not interrupt: on-demand or reserved.
   */
  public static onDemandOnly(): CapacityPlacement {
    return new CapacityPlacement(true);
  }

  /**
   * Half of the pods on spot capacity, half on on-demand capacity, and none on reserved capacity. The NodePools of the
   * pods must allow both. Pods stay pending if one of the two has no capacity.
   */
  public static evenSplit(): CapacityPlacement {
    return new CapacityPlacement(false, Label.CAPACITY_TYPE);
  }

  /**
   * Spreads the pods evenly over the values of a label that NodePools define for this purpose. For example, if an
   * on-demand NodePool has the value 1 and a spot NodePool the values 2 to 5, a fifth of the pods run on demand.
   *
   * @param label key such as `capacity-spread`, with an `In` requirement in each of these NodePools
   * @throws Error if `label` is not a valid label key
   */
  public static splitBy(label: string): CapacityPlacement {
    if (!isQualifiedName(label))
      throw new Error(
        `CapacityPlacement.splitBy: must be a label key, got ${JSON.stringify(label)}; write for example capacity-spread`,
      );
    return new CapacityPlacement(false, label);
  }

  private constructor(
    /** @internal */
    public readonly _onDemandOnly: boolean,
    /** @internal */
    public readonly _splitLabel?: string,
  ) {}
}
