/** What each method would do, as if those before it had found nothing: the oracle's JSON, and ours in the same words. */
export interface DisruptionAnswer {
  readonly methods: readonly MethodAnswer[];
  /** The reasons for drift that Karpenter finds, by NodeClaim. */
  readonly drifts?: Readonly<Record<string, string>>;
  /** What stays when it is looked at again, by method; absent where nothing has changed meanwhile. */
  readonly confirmed?: Readonly<Record<string, readonly CommandAnswer[]>>;
}

export interface MethodAnswer {
  readonly method: string;
  readonly commands: readonly CommandAnswer[];
  /** Nodes that it may still disrupt, by NodePool. */
  readonly budgets: Readonly<Record<string, number>>;
  /** Why it leaves nodes. */
  readonly said: readonly Remark[];
  readonly error?: string;
}

export interface CommandAnswer {
  readonly decision: string;
  /** By name. */
  readonly candidates: readonly string[];
  readonly replacements: readonly ReplacementAnswer[];
  readonly savings: number;
  /** Why a node goes before there is another. */
  readonly terminateFirst?: string;
}

export interface ReplacementAnswer {
  readonly nodePool: string;
  /** The cheapest first. */
  readonly instanceTypes: readonly string[];
  /** By name. */
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
}

export interface Remark {
  readonly node: string;
  readonly message: string;
}
