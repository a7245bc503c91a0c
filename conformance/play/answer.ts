/** What happens in a cluster as time passes: the oracle's JSON, and ours in the same words. */
export interface PlayAnswer {
  /** In order: what is decided, which nodes are launched, which are gone. */
  readonly events: readonly PlayEvent[];
  /** By kind, namespace and name. */
  readonly workloads: Readonly<Record<string, { readonly lowestReady: number; readonly evictions: number }>>;
  /** How many pods wait for a node in the end. */
  readonly pending: number;
  /** Names of those that are there in the end, in order. */
  readonly nodes: readonly string[];
}

export interface PlayEvent {
  /** Seconds after the start. */
  readonly second: number;
  readonly what: string;
}
