/**
 * The decision of each method, as if earlier methods had found nothing: the oracle's JSON, and ours in the same form.
 */
export interface DisruptionAnswer {
  readonly methods: readonly MethodAnswer[];
  /** Drift reasons by NodeClaim. */
  readonly drifts?: Readonly<Record<string, string>>;
  /** Commands that pass validation, by method; absent if nothing changed before validation. */
  readonly confirmed?: Readonly<Record<string, readonly CommandAnswer[]>>;
}

export interface MethodAnswer {
  readonly method: string;
  readonly commands: readonly CommandAnswer[];
  /** Remaining disruption budget, in nodes, by NodePool. */
  readonly budgets: Readonly<Record<string, number>>;
  /** Reasons why nodes are not disrupted. */
  readonly said: readonly Remark[];
  readonly error?: string;
}

export interface CommandAnswer {
  readonly decision: string;
  /** Sorted by name. */
  readonly candidates: readonly string[];
  readonly replacements: readonly ReplacementAnswer[];
  readonly savings: number;
  /** Why a node is terminated before its replacement is ready. */
  readonly terminateFirst?: string;
}

export interface ReplacementAnswer {
  readonly nodePool: string;
  /** Cheapest first. */
  readonly instanceTypes: readonly string[];
  /** Sorted by name. */
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
}

export interface Remark {
  readonly node: string;
  readonly message: string;
}
