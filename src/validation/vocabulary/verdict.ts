import { CostAllocation } from './cost-allocation';
import { CostSummary } from './cost-summary';
import { Amounts, NodeVerdict, WorkloadVerdict } from './node-verdict';
import { EliminationVerdict, OfferVerdict, PodPlacementReport, UnschedulableFinding } from './placement-verdict';
import { FleetRangeVerdict, FleetVerdict, SettledVerdict } from './settled-verdict';

export * from './cost-allocation';
export * from './cost-summary';
export * from './node-verdict';
export * from './placement-verdict';
export * from './settled-verdict';

/** The result of `check`, JSON schema version 2. Keys are in this order, arrays are sorted. */
export interface Verdict {
  readonly schemaVersion: '2';
  readonly summary: Summary;
  /** The fleet right after Karpenter's first pass. Present if `settled` is. */
  readonly firstPass?: FleetVerdict;
  /**
   * The fleets that Karpenter ends with. Absent with `--first-pass`, if no node is launched, and for very large inputs.
   */
  readonly settled?: SettledVerdict;
  /** These fleets after consolidation. Absent if no NodePool consolidates, and for large fleets. */
  readonly consolidated?: FleetRangeVerdict;
  readonly nodePools: readonly NodePoolVerdict[];
  /** Existing nodes in name order, then the nodes that Karpenter launches, in the order of their creation. */
  readonly nodes: readonly NodeVerdict[];
  /** Workloads with pods of their own, in name order. */
  readonly workloads: readonly WorkloadVerdict[];
  /** Who pays for the nodes. Absent without `--cost-by`. */
  readonly costs?: CostAllocation;
  /**
   * A change of a NodePool that makes the same pods cheaper. Absent if none saves much, if it needs the consent of the
   * user, and for large inputs: then `recommend` finds it.
   */
  readonly cheaper?: CheaperVerdict;
  readonly nodeClaims: readonly NodeClaimVerdict[];
  readonly unschedulable: readonly UnschedulableVerdict[];
  readonly findings: readonly Finding[];
  /** Findings that the user has accepted. They are not counted in the summary. Absent if there are none. */
  readonly acknowledged?: readonly AcknowledgedFinding[];
  /**
   * Pods that depend on facts missing from the input, or on features that are not modelled. They are neither scheduled
   * nor unschedulable.
   */
  readonly notEvaluated: readonly NotEvaluatedVerdict[];
  /** Sentences about the assumptions behind the numbers. */
  readonly assumptions: readonly string[];
  /** CapacityBuffers with virtual pods, which are listed among the pods of the nodes. */
  readonly capacityBuffers: readonly CapacityBufferVerdict[];
  /** Existing nodes to which pods are scheduled. */
  readonly filledNodes: readonly FilledNodeVerdict[];
  /** How pods got their nodes, workload by workload. Empty unless `explain` is set. */
  readonly placements: readonly PodPlacementReport[];
}

export interface CheaperVerdict {
  readonly nodePool: string;
  /** An instruction: 'launch nodes of at most 32 CPUs'. */
  readonly description: string;
  /** What a check of the changed files says, in the currency of the summary. */
  readonly usdPerHour: number;
  /** What changes with the price, as clauses such as `nodes 4 → 5`. */
  readonly differences: readonly string[];
  /** What must be true and is not in the input, as a sentence. Absent if that is nothing. */
  readonly condition?: string;
  /** The change for `patch -p1`. */
  readonly patch: string;
  /** The requirements that are added or replaced, as constructs in TypeScript. */
  readonly requirements: readonly string[];
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
  /** New nodes. */
  readonly nodes: number;
  readonly cost: CostSummary;
  /**
   * Present if some of the planned nodes are launched only after an error is fixed. The other numbers, the nodes and
   * the prices are those of the corrected input.
   */
  readonly asWritten?: AsWrittenSummary;
  /** Present if pods have a node in the plan and do not start there, such as pods without an address. */
  readonly notStarted?: NotStartedSummary;
}

export interface NotStartedSummary {
  /** How many pods at least. */
  readonly pods: number;
  /** The rules of the errors that say why. */
  readonly rules: readonly string[];
}

export interface AsWrittenSummary {
  /** Pods that fit before the errors are fixed. */
  readonly scheduledPods: number;
  /** The objects whose nodes are not launched. */
  readonly causes: readonly LaunchBlocker[];
}

/** A NodePool or a node class with an error that leaves pods without its nodes. */
export interface LaunchBlocker {
  readonly kind: string;
  readonly name: string;
  /** The rule of the error. */
  readonly rule: string;
  /**
   * Whether the API server rejects the object, Karpenter calls it not ready, every launch fails, or the nodes never
   * join the cluster.
   */
  readonly consequence: 'rejected' | 'not-ready' | 'launch-fails' | 'never-joins';
}

export interface NodePoolVerdict {
  readonly name: string;
  /** Cheapest first. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** The instance types left after each requirement, starting with the whole catalog. */
  readonly elimination: readonly EliminationVerdict[];
  /** 0 if it is not set. Karpenter tries the pool with the highest weight first. */
  readonly weight: number;
  /** How many nodes a static NodePool keeps, whatever the pods need. Absent for other NodePools. */
  readonly replicas?: number;
  /** `key=value:effect`. */
  readonly taints: readonly string[];
  /** Empty if the pool is not limited. */
  readonly limits: Amounts;
  /** The capacity of the pool's nodes, new and existing, for each resource of `limits`. */
  readonly used: Amounts;
  /** New and existing nodes. */
  readonly nodes: number;
  /** The price of all its nodes; `null` if one is unknown. */
  readonly costPerHour: number | null;
  /** What all its nodes can cost at most within its limits; `null` if no limit bounds that. */
  readonly limitCostPerHour: number | null;
}

/** Karpenter's request to EC2 for one node. */
export interface LaunchVerdict {
  readonly capacityType: string;
  /** How EC2 chooses an instance type: on-demand by price, spot by price and spare capacity. */
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
  /** `null` if no launch can succeed; `launchFailure` says why. */
  readonly launch: LaunchVerdict | null;
  readonly launchFailure?: string;
}

export interface FilledNodeVerdict {
  readonly node: string;
  /** `null` if Karpenter did not launch the node. */
  readonly nodePool: string | null;
  /** `namespace/name`. */
  readonly pods: readonly string[];
}

export interface UnschedulableVerdict {
  readonly pod: string;
  readonly reasons: readonly ReasonVerdict[];
  /**
   * The smallest change with which all pods of the workload fit, and no other pod loses its node, in the words of the
   * finding about them. `null` if none is known.
   */
  readonly smallestChange: string | null;
  /** How many changes were tried, each by scheduling the whole input. With a change, 0 says that it was not tried. */
  readonly changesTried: number;
  /** The object whose mistake keeps a NodePool from being ready, if the pod waits for that NodePool. */
  readonly cause?: UnschedulableCause;
  /**
   * The finding about the mistake for which the pod waits, if other pods may wait for it, too. `smallestChange` is its
   * remedy then, and `changesTried` is 0.
   */
  readonly finding?: UnschedulableFinding;
}

export interface UnschedulableCause {
  readonly kind: string;
  readonly name: string;
  readonly nodePool: string;
  /** What is wrong, as a clause. */
  readonly why: string;
}

export interface ReasonVerdict {
  readonly nodePool: string;
  readonly message: string;
  /** The obstacle in numbers, if it is known. */
  readonly diagnosis?: string;
  /**
   * The instance types left after each constraint, up to the one that leaves none. Empty if instance types are not the
   * obstacle.
   */
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
  /** Empty strings if there is no object, or no namespace. */
  readonly subject: {
    readonly apiVersion: string;
    readonly kind: string;
    readonly namespace: string;
    readonly name: string;
  };
  /**
   * The other objects whose field comes from the same line of a base or of a template. They have no finding of their
   * own. @default - none
   */
  readonly also?: ReadonlyArray<Finding['subject']>;
  readonly location: FindingLocation;
  readonly message: string;
  readonly remedy: string;
  readonly evidence: Readonly<Record<string, unknown>>;
  /** The source around `location`. @default - the source is not known */
  readonly excerpt?: Excerpt;
  /** A field of another object that takes part in the problem. @default - the finding is about one object */
  readonly related?: RelatedPlace;
  /** The remedy as a change of the file. Absent if the remedy leaves a choice, or if a tool has made the file. */
  readonly fix?: Fix;
}

/**
 * `resource` is the logical ID in a template, and `construct` the path of the construct that created it, if the
 * template contains that.
 */
export interface FindingLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly path: string;
  readonly resource?: string;
  readonly construct?: string;
  /** The key of Helm values that is written there, such as `nodePools.general.zones`. @default - it is no value */
  readonly value?: string;
  /** Where helm has made the field, if `file` is a template or a file of values. @default - helm has not made it */
  readonly rendered?: RenderedPlace;
}

/** A place in the text that helm makes of a template. */
export interface RenderedPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** A second place of a finding, such as the taint of the NodePool that its pods do not tolerate. */
export interface RelatedPlace {
  readonly location: FindingLocation;
  /** What the place has to do with the finding. */
  readonly label: string;
  /** The source around `location`. @default - the source is not known */
  readonly excerpt?: Excerpt;
}

/** A change of one file that removes a finding. Text outside of its edits stays as it is. */
export interface Fix {
  /** What the edits do, in the imperative, such as `rename roel to role`. */
  readonly title: string;
  readonly file: string;
  /** Whether the fix restores what the author meant beyond doubt. `check --fix` applies only safe fixes. */
  readonly safe: boolean;
  /** In the order of the text; they do not overlap. */
  readonly edits: readonly TextEdit[];
  /** The source around edits that the excerpt of the finding does not contain. @default - it contains all of them */
  readonly excerpts?: readonly Excerpt[];
}

/** Replaces the text between two positions. If they are equal, the new text is inserted there. */
export interface TextEdit {
  /** From 1. */
  readonly line: number;
  /** From 1, in UTF-16 units. A byte order mark is not counted. */
  readonly column: number;
  readonly endLine: number;
  /** The column after the last replaced character. */
  readonly endColumn: number;
  /** The new text, with the line ends of the file. */
  readonly text: string;
}

/** Lines of a source file. */
export interface Excerpt {
  /** The number of the first line. */
  readonly line: number;
  readonly lines: readonly string[];
}

export interface AcknowledgedFinding extends Finding {
  readonly acknowledgement: {
    /** Where it is written: in karpenter-constructs.yaml, in an annotation of the object, or in a baseline. */
    readonly by: 'file' | 'annotation' | 'baseline';
    readonly reason: string;
    /** The last day on which it holds, `YYYY-MM-DD`. */
    readonly until?: string;
    /** `file:line:column`, or the file of the baseline. */
    readonly place: string;
  };
}
