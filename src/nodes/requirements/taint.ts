/**
 * What a taint does to a pod that does not tolerate it, written as Kubernetes writes it.
 *
 * The AWS CDK's own `TaintEffect` has the spelling of the EKS API, which Karpenter does not take.
 */
export enum TaintEffect {
  /** The pod is not placed on the node. */
  NO_SCHEDULE = 'NoSchedule',
  /** The pod is placed on the node only if there is no other. */
  PREFER_NO_SCHEDULE = 'PreferNoSchedule',
  /** The pod is not placed on the node, and is evicted if it runs there. */
  NO_EXECUTE = 'NoExecute',
}

/**
 * Keeps pods away from a node unless they tolerate it.
 *
 * @see https://kubernetes.io/docs/concepts/scheduling-eviction/taint-and-toleration/
 */
export interface Taint {
  /**
   * Name of the taint, such as `example.com/batch`.
   */
  readonly key: string;

  /**
   * Value that a toleration can ask for.
   *
   * @default - no value: a toleration of the key is enough
   */
  readonly value?: string;

  /**
   * What happens to pods without a toleration.
   */
  readonly effect: TaintEffect;

  /**
   * Time when the taint was added, for the effect `NoExecute`: `tolerationSeconds` counts from here.
   *
   * @default - from when the node gets the taint
   */
  readonly timeAdded?: Date;
}

/** @internal */
export function _toTaint({ key, value, effect, timeAdded }: Taint): Record<string, unknown> {
  return { key, value, effect, timeAdded: timeAdded && toTimestamp(timeAdded) };
}

/** In whole seconds, as Kubernetes keeps times. */
function toTimestamp(time: Date): string {
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString().replace(/\.\d+Z$/, 'Z');
}
