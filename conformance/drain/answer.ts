/** When the pods of deleted nodes terminate: the oracle's JSON, and ours in the same form. All times in seconds. */
export interface DrainAnswer {
  readonly asked: readonly TerminatedPod[];
  /** When the instance is terminated in EC2, by node; only times within the horizon. */
  readonly drained: Readonly<Record<string, number>>;
}

/** A pod that started to terminate. */
export interface TerminatedPod {
  readonly pod: string;
  readonly at: number;
  /** When the pod was deleted; absent if it was not deleted within the horizon. */
  readonly gone?: number;
}
