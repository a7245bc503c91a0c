/**
 * Amounts by resource name in base units: CPU in cores, memory and storage in bytes, other resources as counts. Only
 * resources with an amount are listed.
 */
export type Amounts = Readonly<Record<string, number>>;

/** An existing node, or a node that Karpenter launches. */
export interface NodeVerdict {
  /** The name of the existing node, or of the NodeClaim. */
  readonly name: string;
  /** Whether the node is in the cluster already. */
  readonly existing: boolean;
  /** `null` if Karpenter did not launch the node. */
  readonly nodePool: string | null;
  /** `null` if the launch fails, or if the existing node has no such label. */
  readonly instanceType: string | null;
  readonly zone: string | null;
  readonly capacityType: string | null;
  /** `null` if no price is known, or if a capacity reservation has paid for the node already. */
  readonly price: NodePrice | null;
  readonly capacity: Amounts;
  /** What the system leaves of the capacity for pods, DaemonSets included. */
  readonly allocatable: Amounts;
  /** The requests of the pods, and of the pods of DaemonSets. The resource `pods` counts them. */
  readonly requests: { readonly pods: Amounts; readonly daemonSets: Amounts };
  /** The pods without those of DaemonSets, by workload, in name order. */
  readonly workloads: readonly NodeWorkload[];
  /** Why no cheaper instance type of the NodePool is launched. `null` if none is cheaper, and for existing nodes. */
  readonly cheaperTypes: CheaperTypes | null;
}

export interface NodePrice {
  /** In the currency of the summary. */
  readonly perHour: number;
  readonly kind: 'published' | 'recorded' | 'derived' | 'assumed';
  /** Date of the record, `YYYY-MM-DD`; `null` for an assumed price. */
  readonly date: string | null;
}

export interface NodeWorkload {
  /** `namespace/name`. */
  readonly workload: string;
  readonly pods: number;
  /** The requests of one pod. */
  readonly requests: Amounts;
}

/** The instance types of a NodePool that cost less than the launched one, and cannot replace it. */
export interface CheaperTypes {
  readonly count: number;
  /** How many of them lack a resource, by name. The others are excluded by requirements of the pods. */
  readonly lack: Amounts;
  /** The most expensive of them. */
  readonly nearest: { readonly instanceType: string; readonly perHour: number; readonly lacks: readonly string[] };
}

/** The pods of one workload and where they run. */
export interface WorkloadVerdict {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly location: { readonly file: string; readonly line: number };
  /** Pods to schedule. */
  readonly pods: number;
  readonly scheduledPods: number;
  /** The requests of one pod. */
  readonly requests: Amounts;
  /** Scheduled pods by node, in the order of `nodes`. */
  readonly nodes: Readonly<Record<string, number>>;
  /** Scheduled pods by zone, in name order. Pods on nodes without a known zone are missing. */
  readonly zones: Readonly<Record<string, number>>;
  /**
   * The workload's part of the price of the nodes: what its pods request, and their part of DaemonSets, of what is
   * reserved for the system and of what nothing requests, with the weights of OpenCost. `null` if a price is unknown.
   */
  readonly costPerHour: number | null;
  readonly protection: {
    /** Names of the PodDisruptionBudgets that select the pods. */
    readonly disruptionBudgets: readonly string[];
    /** Topology keys over which the pods are spread. */
    readonly spreadOver: readonly string[];
    /** Whether the pods have the annotation karpenter.sh/do-not-disrupt. */
    readonly doNotDisrupt: boolean;
  };
  /** What keeps its pods from sharing a node or a zone. Absent if nothing does. */
  readonly separation?: readonly PodSeparation[];
}

/** A constraint of the pods of a workload on pods of the same workload. */
export interface PodSeparation {
  readonly by: 'anti-affinity' | 'topology-spread' | 'host-port';
  readonly over: 'nodes' | 'zones';
  /** How many of the pods may share a node or a zone at most, if another one has none of them. */
  readonly pods: number;
  /** Whether Karpenter drops the constraint for pods that do not fit otherwise. */
  readonly preferred: boolean;
}
