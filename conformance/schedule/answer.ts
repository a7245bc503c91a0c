/** The result of a scheduler: the oracle's JSON, and ours in the same form. */
export interface Answer {
  readonly nodeClaims: readonly ClaimAnswer[];
  /** Existing nodes that get pods, by name. */
  readonly nodes: readonly FilledNodeAnswer[];
  readonly unschedulable: readonly RefusedPod[];
  /**
   * Later passes, if this pass leaves pods without a node; they treat the claims of earlier passes as nodes. @default -
   * none
   */
  readonly later?: readonly Answer[];
  /**
   * Pods on nodes of earlier passes that Kubernetes does not bind there, because a DaemonSet gets their host port
   * first. @default 0
   */
  readonly unbindable?: number;
  /** Whether further passes would launch further nodes. @default false */
  readonly cut?: boolean;
}

export interface ClaimAnswer {
  readonly nodePool: string;
  /** `namespace/name`, in the order in which they were scheduled. */
  readonly pods: readonly string[];
  readonly requests: Readonly<Record<string, string>>;
  /** Sorted by name, like the other arrays of a claim. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Price of the cheapest launch. */
  readonly usdPerHour: number | null;
  /** If the expected answer has none, launches are not compared. */
  readonly launch?: LaunchAnswer;
  /** Whether the claim belongs to a static pool: only its pods and launch are compared. */
  readonly static?: boolean;
}

export interface FilledNodeAnswer {
  readonly node: string;
  /** `namespace/name`, in the order in which they were scheduled. */
  readonly pods: readonly string[];
}

/** The launch request to EC2. */
export interface LaunchAnswer {
  readonly failed?: boolean;
  readonly capacityType: string;
  /** Cheapest first; equal prices by name. */
  readonly instanceTypes: readonly string[];
  readonly usdPerHour: number;
}

export interface RefusedPod {
  readonly pod: string;
  /** Whether the pod never reached the scheduler. */
  readonly ignored?: boolean;
  /** One for each pool that was tried, in order. */
  readonly errors: readonly string[];
}
