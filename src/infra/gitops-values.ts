/**
 * Where the values that GitOps needs are published.
 */
export interface GitOpsValuesOptions {
  /**
   * Whether the stack has an output for each value, such as `KarpenterNodeRoleName`.
   *
   * @default true
   */
  readonly outputs?: boolean;

  /**
   * Path below which an SSM parameter for each value is created, such as `/shop/karpenter` for
   * `/shop/karpenter/NodeRoleName`.
   *
   * @default - no parameters
   */
  readonly parameterPath?: string;
}
