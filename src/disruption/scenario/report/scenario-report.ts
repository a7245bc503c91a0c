import { Stays } from '../../stays/node-stay';

/** An event of the simulation. */
export interface TimelineEntry {
  /** Whole seconds after the start. */
  readonly second: number;
  /** A sentence. */
  readonly what: string;
}

/** The size of the cluster from a point in time on, up to the next entry. */
export interface TimeSeriesEntry {
  /** Whole seconds after the start. */
  readonly second: number;
  /** Launching and draining nodes included. */
  readonly nodes: number;
  /** Ready pods of all workloads. Bare pods do not count. */
  readonly readyPods: number;
}

/** What a scenario does to a workload. */
export interface WorkloadReport {
  /** Kind, namespace and name. */
  readonly workload: string;
  readonly replicas: number;
  /** The lowest number of pods that were ready at the same time. */
  readonly lowestReady: number;
  /** Pods that were evicted, or deleted with their node. */
  readonly evictions: number;
  /**
   * Whole seconds with fewer ready pods than the PodDisruptionBudget of the workload demands. Undefined without a
   * PodDisruptionBudget, and if Kubernetes cannot compute its demand.
   */
  readonly secondsBelowBudget?: number;
}

/** Equal pods that are pending at the end. */
export interface UnscheduledPods {
  /** Kind, namespace and name. @default - bare pods */
  readonly workload?: string;
  readonly pods: readonly string[];
  /** In Karpenter's own words, or how topology spread keeps the pods out of the remaining zones. */
  readonly why: string;
}

/** The completed drain of a node. */
export interface NodeDrain {
  readonly node: string;
  /** The NodePool that launched the node. @default - Karpenter does not manage it */
  readonly nodePool?: string;
  /** Pods that had to leave the node, without those of DaemonSets. */
  readonly pods: number;
  /** Whole seconds from the start of the drain until the node is removed. */
  readonly seconds: number;
}

/** A node that cannot be drained or replaced before the simulation ends. */
export interface StuckObject {
  /** `node` and its name. */
  readonly what: string;
  readonly why: string;
  readonly remedy: string;
}

/** What nodes fall back to if EC2 lacks something. */
export interface NodeMix {
  readonly by: 'capacity type' | 'instance family' | 'zone';
  /** In name order. Nodes without the label are left out. */
  readonly nodes: ReadonlyArray<{ readonly value: string; readonly before: number; readonly after: number }>;
  /** Pods that were pending for a time, and have a node at the end. */
  readonly waitingPods: number;
  readonly longestWaitSeconds: number;
}

/** The nodes that a rollout needs for a time. */
export interface RolloutCost {
  /** Launched nodes, those included with which Karpenter replaces others afterwards. */
  readonly launches: number;
  readonly mostNodes: number;
  /** Nodes beyond those before, times minutes. */
  readonly extraNodeMinutes: number;
  /** What they cost in all; 0 if the nodes are cheaper afterwards. */
  readonly extraCost: number;
  /** Until all pods are new and ready. */
  readonly seconds: number;
  /** Whether all pods are new and ready at the end. */
  readonly isDone: boolean;
  /** The same rollout with `maxSurge: 0` and `maxUnavailable: 1`. @default - no node is launched, or nothing surges */
  readonly withoutSurge?: RolloutCost;
}

/** The outcome of one simulation. */
export interface ScenarioReport {
  readonly scenario: string;
  /** The node, zone, workload or pool that the report is about. @default - the whole cluster */
  readonly subject?: string;
  readonly timeline: readonly TimelineEntry[];
  /**
   * One entry for each second after which the numbers differ; a single entry if nothing happens. Empty if no time
   * passes.
   */
  readonly timeSeries: readonly TimeSeriesEntry[];
  /** In name order. */
  readonly workloads: readonly WorkloadReport[];
  /** Pods without a node at the end. */
  readonly pending: readonly string[];
  /** Why these pods have no node, if that is known. */
  readonly unplaced: readonly UnscheduledPods[];
  /** Deleted bare pods, which nothing recreates. */
  readonly lost: readonly string[];
  readonly stuck: readonly StuckObject[];
  /** Completed drains, in order of completion. */
  readonly drains: readonly NodeDrain[];
  readonly before: ClusterSize;
  readonly after: ClusterSize;
  /** Whole seconds until nothing more happens. */
  readonly seconds: number;
  /** Whether the simulation stopped at the horizon. */
  readonly unfinished: boolean;
  /** Whether the simulation was too much work, and stopped before its end. @default false */
  readonly stopped?: boolean;
  /** For `consolidation`: why nodes remain. @default - not requested */
  readonly stays?: Stays;
  /** For scenarios in which EC2 lacks something. @default - another scenario */
  readonly fallback?: NodeMix;
  /** For `rollout`. @default - another scenario */
  readonly rollout?: RolloutCost;
}

export interface ClusterSize {
  readonly nodes: number;
  readonly usdPerHour: number;
}
