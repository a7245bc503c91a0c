import { Operator } from '../../model';

/**
 * What a label of a node must be like. All requirements of a NodePool hold together, and those of its pods besides.
 *
 * Made by the methods of `Requirement`.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecrequirements
 */
export class NodeRequirement {
  /** @internal */
  public static _from(key: string, operator: Operator, values?: readonly string[]): NodeRequirement {
    return new NodeRequirement(key, operator, values);
  }

  private constructor(
    /** The label that is asked for. */
    public readonly key: string,
    private readonly comparison: Operator,
    private readonly operands?: readonly string[],
    private readonly minValues?: number,
  ) {}

  /**
   * The same requirement, which also asks that this many different values stay to choose from. For NodePools only.
   *
   * @param count from 1 to 50, and not above the number of values where they are listed
   * @see https://karpenter.sh/docs/concepts/nodepools/#min-values
   */
  public withMinValues(count: number): NodeRequirement {
    return new NodeRequirement(this.key, this.comparison, this.operands, count);
  }

  /**
   * The values of `key`; a node must have one of them. Undefined if the requirement names none.
   *
   * @internal
   */
  public _valuesIn(key: string): readonly string[] | undefined {
    return this.key === key && this.comparison === 'In' ? this.operands ?? [] : undefined;
  }

  /** @internal */
  public _toSpec(): Record<string, unknown> {
    const { key, comparison: operator, operands, minValues } = this;
    return { key, operator, values: operands && [...operands], minValues };
  }
}
