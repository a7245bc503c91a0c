/** What an expression in the settings of the kubelet can name of an instance type, and what it names that. */
export interface KubeletVariables {
  readonly vcpus: number;
  /** As EC2 reports it. */
  readonly memoryMiB: number;
  /** Of the default network card. */
  readonly defaultEnis: number;
  readonly ipsPerEni: number;
  readonly maxPods: number;
  readonly instanceType: string;
}

/** A setting of the kubelet that follows from the instance type. */
export interface KubeletExpression {
  readonly text: string;
  /**
   * A whole number; undefined where the expression has none for the type.
   *
   * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/cel/environment.go
   */
  readonly valueFor: (variables: KubeletVariables) => number | undefined;
}
