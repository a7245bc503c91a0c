import { Operator } from '../../model';

/**
 * A requirement on a label of a node. A node must satisfy all requirements of its NodePool and of its pods.
 *
 * Create it with the methods of `Requirement`.
 *
 * @see https://karpenter.sh/docs/concepts/nodepools/#spectemplatespecrequirements
 */
export class NodeRequirement {
  /** @internal */
  public static _from(key: string, operator: Operator, values?: readonly string[]): NodeRequirement {
    return new NodeRequirement(key, operator, values);
  }

  private constructor(
    /** Key of the label. */
    public readonly key: string,
    private readonly comparison: Operator,
    private readonly operands?: readonly string[],
    private readonly minValues?: number,
  ) {}

  /**
   * The same requirement with `minValues`: at least this many different values must stay available for the launch. Only
   * for NodePools.
   *
   * @param count from 1 to 50, and at most the number of listed values
   * @see https://karpenter.sh/docs/concepts/nodepools/#min-values
   */
  public withMinValues(count: number): NodeRequirement {
    return new NodeRequirement(this.key, this.comparison, this.operands, count);
  }

  /**
   * The allowed values of `key`. Undefined if the requirement does not list values of `key`.
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
