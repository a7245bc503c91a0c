/** What becomes of the pods of nodes that are deleted: the oracle's JSON, and ours in the same words. Seconds. */
export interface DrainAnswer {
  readonly asked: readonly AskedPod[];
  /** By node: when EC2 is told to terminate the instance, where that is within the horizon. */
  readonly drained: Readonly<Record<string, number>>;
}

/** A pod that has been told to end. */
export interface AskedPod {
  readonly pod: string;
  readonly at: number;
  /** Absent where it has not ended within the horizon. */
  readonly gone?: number;
}
