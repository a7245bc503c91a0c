/**
 * Effect of a taint on pods that do not tolerate it, in the spelling of Kubernetes.
 *
 * `TaintEffect` of the AWS CDK has the spelling of the EKS API, which Karpenter does not accept.
 */
export enum TaintEffect {
  /** The pod is not scheduled on the node. */
  NO_SCHEDULE = 'NoSchedule',
  /** The pod is scheduled on the node only if no other node fits. */
  PREFER_NO_SCHEDULE = 'PreferNoSchedule',
  /** The pod is not scheduled on the node, and is evicted if it runs there. */
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
   * Value that a toleration can match.
   *
   * @default - no value: a toleration of the key is enough
   */
  readonly value?: string;

  /**
   * Effect on pods that do not tolerate the taint.
   */
  readonly effect: TaintEffect;

  /**
   * Time when the taint was added, for the effect `NoExecute`: `tolerationSeconds` counts from here.
   *
   * @default - the time when the node gets the taint
   */
  readonly timeAdded?: Date;
}

/** @internal */
export function _toTaint({ key, value, effect, timeAdded }: Taint): Record<string, unknown> {
  return { key, value, effect, timeAdded: timeAdded && toTimestamp(timeAdded) };
}

/** In whole seconds, as Kubernetes stores times. */
function toTimestamp(time: Date): string {
  return Number.isNaN(time.getTime()) ? String(time) : time.toISOString().replace(/\.\d+Z$/, 'Z');
}
