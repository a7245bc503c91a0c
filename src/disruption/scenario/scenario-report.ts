/** One thing that happens. */
export interface TimelineEntry {
  /** Whole seconds after the start. */
  readonly second: number;
  readonly what: string;
}

/** How things are from then on, up to the next entry. */
export interface CourseEntry {
  /** Whole seconds after the start. */
  readonly second: number;
  /** Also those that are on their way, and those that drain. */
  readonly nodes: number;
  /** Of all workloads; bare pods count for none. */
  readonly readyPods: number;
}

/** What a workload goes through. */
export interface WorkloadStory {
  /** Kind, namespace and name. */
  readonly workload: string;
  readonly replicas: number;
  /** The fewest pods that were ready at a time. */
  readonly lowestReady: number;
  /** Pods that had to go, by eviction or with their node. */
  readonly evictions: number;
  /** Whole seconds with fewer ready pods than its PodDisruptionBudget is to keep; undefined without one, and where Kubernetes cannot tell how many that are. */
  readonly secondsBelowBudget?: number;
}

/** Equal pods that have no node in the end. */
export interface UnplacedPods {
  /** Kind, namespace and name. @default - bare pods */
  readonly workload?: string;
  readonly pods: readonly string[];
  /** In Karpenter's own words, or how hard spread keeps them out of the zones that are left. */
  readonly why: string;
}

/** A node that is gone once its pods are. */
export interface NodeDrain {
  readonly node: string;
  /** The NodePool that launched it. @default - none: it is nobody's */
  readonly nodePool?: string;
  /** Pods that had to go first, those of DaemonSets aside. */
  readonly pods: number;
  /** Whole seconds from the order to drain until it is gone. */
  readonly seconds: number;
}

/** What stays as it is, for ever or beyond the horizon. */
export interface Stuck {
  /** A node or a pod. */
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

export interface ScenarioReport {
  readonly scenario: string;
  /** What it is about: a node, a zone, an instance pool. @default - the whole cluster */
  readonly subject?: string;
  readonly timeline: readonly TimelineEntry[];
  /** Nodes and ready pods, from the start on; an entry for each second at which they are others afterwards; none where nothing takes time. */
  readonly course: readonly CourseEntry[];
  /** In name order. */
  readonly workloads: readonly WorkloadStory[];
  /** Pods without a node in the end. */
  readonly pending: readonly string[];
  /** Why these have none, where it is known. */
  readonly unplaced: readonly UnplacedPods[];
  /** Pods that were lost, and nothing makes again. */
  readonly lost: readonly string[];
  readonly stuck: readonly Stuck[];
  /** Drains that come to an end, in this order. */
  readonly drains: readonly NodeDrain[];
  readonly before: ClusterSize;
  readonly after: ClusterSize;
  /** Whole seconds until nothing more happened. */
  readonly seconds: number;
  /** Whether it was cut off at the horizon. */
  readonly unfinished: boolean;
}

export interface ClusterSize {
  readonly nodes: number;
  readonly usdPerHour: number;
}
