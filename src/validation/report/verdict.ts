import { EliminationVerdict, PodStoryVerdict } from './explanation';

/** The result of `check`: the JSON schema, version 1. Keys are in this order, arrays are sorted. */
export interface Verdict {
  readonly schemaVersion: '1';
  readonly summary: Summary;
  readonly nodePools: readonly NodePoolVerdict[];
  readonly nodeClaims: readonly NodeClaimVerdict[];
  readonly unschedulable: readonly UnschedulableVerdict[];
  readonly findings: readonly Finding[];
  /** Pods that use what the solver does not model: neither placed nor refused. */
  readonly notEvaluated: readonly NotEvaluatedVerdict[];
  /** Plain sentences: what the figures rest on. */
  readonly assumptions: readonly string[];
  /** Those that room is kept for; their pods are among the pods of the nodes. */
  readonly capacityBuffers: readonly CapacityBufferVerdict[];
  /** Nodes of the cluster that take pods. */
  readonly filledNodes: readonly FilledNodeVerdict[];
  /** How the pods of each workload came to their nodes; empty unless it was asked for. */
  readonly placements: readonly PodStoryVerdict[];
}

export interface CapacityBufferVerdict {
  /** `namespace/name`. */
  readonly name: string;
  readonly pods: number;
  readonly scheduledPods: number;
}

export interface Summary {
  readonly errors: number;
  readonly warnings: number;
  readonly infos: number;
  readonly pods: number;
  readonly scheduledPods: number;
  /** New ones. */
  readonly nodes: number;
  /** `null` where nothing is launched, or nothing is known. */
  readonly cost: { readonly usdPerHour: number | null; readonly lowerBoundUsdPerHour: number | null };
}

export interface NodePoolVerdict {
  readonly name: string;
  /** Cheapest first. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** What each requirement leaves of the instance types, from the whole catalogue on. */
  readonly elimination: readonly EliminationVerdict[];
}

export interface OfferVerdict {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly usdPerHour: number;
  /** The id of the capacity reservation, where it is reserved capacity. */
  readonly reservation?: string;
}

/** What Karpenter asks EC2 for, to launch one node. */
export interface LaunchVerdict {
  readonly capacityType: string;
  /** How EC2 chooses: on demand the cheapest, of spot the one that it has capacity of. */
  readonly allocationStrategy: string;
  /** Cheapest first, after the launch filters and truncation. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly cheapest: OfferVerdict;
}

export interface NodeClaimVerdict {
  readonly id: string;
  readonly nodePool: string;
  /** `namespace/name`. */
  readonly pods: readonly string[];
  readonly requests: Readonly<Record<string, string>>;
  /** Cheapest first, before truncation. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Before the launch filters. */
  readonly cheapest: OfferVerdict | null;
  /** `null` where no launch can succeed: `launchFailure` then says why. */
  readonly launch: LaunchVerdict | null;
  readonly launchFailure?: string;
}

export interface FilledNodeVerdict {
  readonly node: string;
  /** `null` where Karpenter has not launched it. */
  readonly nodePool: string | null;
  /** `namespace/name`. */
  readonly pods: readonly string[];
}

export interface UnschedulableVerdict {
  readonly pod: string;
  readonly reasons: readonly ReasonVerdict[];
  /** The least change of pod or NodePool with which all pods of its workload fit and no other loses its node; `null` where none is known. */
  readonly smallestChange: string | null;
  /** How many changes were tried to find it, each by a solve of the whole input. */
  readonly changesTried: number;
}

export interface ReasonVerdict {
  readonly nodePool: string;
  readonly message: string;
  /** What stands in the way, with figures, where it is known. */
  readonly diagnosis?: string;
  /** What each constraint leaves of the instance types, up to the one that leaves nothing; empty where that is not what it died of. */
  readonly elimination: readonly EliminationVerdict[];
}

export interface NotEvaluatedVerdict {
  readonly pod: string;
  readonly what: readonly string[];
}

export interface Finding {
  readonly rule: string;
  readonly name: string;
  readonly severity: 'error' | 'warning' | 'info';
  /** Empty strings where there is no object, or no namespace. */
  readonly subject: { readonly apiVersion: string; readonly kind: string; readonly namespace: string; readonly name: string };
  /** `resource` is the logical id in a template, and `construct` the path of what made it, where the template says it. */
  readonly location: {
    readonly file: string;
    readonly line: number;
    readonly column: number;
    readonly path: string;
    readonly resource?: string;
    readonly construct?: string;
  };
  readonly message: string;
  readonly remedy: string;
  readonly evidence: Readonly<Record<string, unknown>>;
}
