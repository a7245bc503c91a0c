/** The result of a simulated scenario: the oracle's JSON, and ours in the same form. */
export interface SimulationAnswer {
  /** Decisions, launched nodes and removed nodes, in order. */
  readonly events: readonly SimulationEvent[];
  /** Figures by workload: kind, namespace and name. */
  readonly workloads: Readonly<Record<string, { readonly lowestReady: number; readonly evictions: number }>>;
  /** Pending pods at the end. */
  readonly pending: number;
  /** Names of the nodes at the end, sorted. */
  readonly nodes: readonly string[];
}

export interface SimulationEvent {
  /** Seconds after the start. */
  readonly second: number;
  readonly what: string;
}
