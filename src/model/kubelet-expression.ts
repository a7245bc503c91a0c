/** The variables of a kubelet expression, taken from an instance type. */
export interface KubeletVariables {
  readonly vcpus: number;
  /** MiB, as EC2 reports it. */
  readonly memoryMiB: number;
  /** Network interfaces of the default network card. */
  readonly defaultEnis: number;
  readonly ipsPerEni: number;
  readonly maxPods: number;
  readonly instanceType: string;
}

/** A kubelet setting that is computed from the instance type. */
export interface KubeletExpression {
  readonly text: string;
  /**
   * The value for an instance type, a whole number. Undefined if the expression has no value for the type.
   *
   * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/cel/environment.go
   */
  readonly valueFor: (variables: KubeletVariables) => number | undefined;
}
