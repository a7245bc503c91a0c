/** What a scheduler made of a scenario: the oracle's JSON, and ours in the same words. */
export interface Answer {
  readonly nodeClaims: readonly ClaimAnswer[];
  /** Nodes that are there already and get pods, by name. */
  readonly nodes: readonly FilledNodeAnswer[];
  readonly unschedulable: readonly RefusedPod[];
  /** Later passes, where this one puts pods off: to them, claims of the passes before are nodes. @default - none */
  readonly later?: readonly Answer[];
}

export interface ClaimAnswer {
  readonly nodePool: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
  readonly requests: Readonly<Record<string, string>>;
  /** By name, as the other arrays of a claim. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Of the cheapest launch. */
  readonly usdPerHour: number | null;
  /** Where the expected answer has none, launches are not compared. */
  readonly launch?: LaunchAnswer;
  /** Of a static pool: only pods and launch are compared. */
  readonly static?: boolean;
}

export interface FilledNodeAnswer {
  readonly node: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
}

/** What EC2 is asked for. */
export interface LaunchAnswer {
  readonly failed?: boolean;
  readonly capacityType: string;
  /** Cheapest first, those of equal price by name. */
  readonly instanceTypes: readonly string[];
  readonly usdPerHour: number;
}

export interface RefusedPod {
  readonly pod: string;
  /** Whether the pod never reached the scheduler. */
  readonly ignored?: boolean;
  /** One for each pool that was tried, in the order in which they were. */
  readonly errors: readonly string[];
}
