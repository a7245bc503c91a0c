import { Requirement, ResourceList } from '../model';

export interface Offer {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly usdPerHour: number;
  /** The id of the capacity reservation, of which this is one instance. */
  readonly reservation?: string;
  /** Of a placement group that has any: the first that the claim leaves, which stands for whichever EC2 takes where it may take several. */
  readonly partition?: string;
}

/**
 * What Karpenter asks EC2 for, to launch one node.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go
 */
export interface LaunchRequest {
  /** Reserved where it can be, else spot wherever it may be: one request never mixes capacity types. */
  readonly capacityType: string;
  /**
   * How EC2 chooses among the types and zones: the first of `instanceTypes` for `lowest-price`, the one that it has capacity of
   * for `price-capacity-optimized`. The prioritized ones are those where a NodeOverlay sets a price. For capacity
   * blocks and interruptible reservations there is none.
   */
  readonly allocationStrategy: 'lowest-price' | 'prioritized' | 'price-capacity-optimized' | 'capacity-optimized-prioritized' | 'none';
  /** The types that EC2 chooses from, cheapest first: what the launch filters leave, at most 60. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  /** What EC2 launches on demand; of spot, the least that the node can cost. */
  readonly cheapest: Offer;
}

/** A node that Karpenter would launch. */
export interface PlannedNodeClaim {
  /** `<pool>-<ordinal>`, in order of creation. */
  readonly id: string;
  readonly nodePool: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
  /** Index into `ScheduleInput.pods` → how many of that group run here. */
  readonly groups: ReadonlyMap<number, number>;
  /** Pods and daemonsets together, `pods` included. */
  readonly requests: ResourceList;
  /** Cheapest first, before truncation. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** What pool, pods and topology leave it of labels that are not well known, and which values of well-known ones they exclude. */
  readonly requirements: readonly Requirement[];
  /** Of all offerings of `instanceTypes`, before the launch filters. */
  readonly cheapest?: Offer;
  /** Absent where Karpenter itself gives up: then `launchFailure` says why. */
  readonly launch?: LaunchRequest;
  /** In Karpenter's own words: it deletes the claim then, and plans the same one anew. */
  readonly launchFailure?: string;
}

/** Pods for a node that is there already. */
export interface FilledNode {
  readonly node: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
  /** Index into `ScheduleInput.pods` → how many of that group go here. */
  readonly groups: ReadonlyMap<number, number>;
}

export interface PoolRefusal {
  readonly nodePool: string;
  /** Karpenter tries again, once the nodes are launched that keep the reservations for themselves. @default false */
  readonly putOff?: boolean;
  /** None of the instance types that the limits of the pool leave now would do. @default false */
  readonly ofInstanceTypes?: boolean;
  /** Other pods leave it no domain, as far as it is known in which domains they are: of those on new nodes, once these are launched. @default false */
  readonly ofOtherPods?: boolean;
  /** No node of the pool would do, however large: for its labels, its taints, where volumes are, or what other pods are there. @default false */
  readonly ofConstraints?: boolean;
  /** In Karpenter's own words. */
  readonly message: string;
  /** What really stands in the way, with figures, where it is known: 'short by 130Mi of memory on m6a.2xlarge'. */
  readonly diagnosis?: string;
  /** What each constraint leaves of the instance types, up to the one that leaves nothing; with the diagnosis. */
  readonly elimination?: readonly Elimination[];
}

export interface UnschedulablePod {
  readonly pod: string;
  readonly group: number;
  readonly reasons: readonly PoolRefusal[];
}

export interface UnevaluatedPods {
  readonly pods: readonly string[];
  readonly group: number;
  readonly what: readonly string[];
}

/** How many instance types are left after a constraint. */
export interface Elimination {
  readonly constraint: string;
  readonly left: number;
}

/** What a pool can launch at all, with no pod on the node but its daemonsets. */
export interface PoolView {
  readonly name: string;
  /** Cheapest first. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Instance types left after each constraint in turn, from the whole catalogue on: for explanations. */
  readonly elimination: readonly Elimination[];
  /** Per instance type of `instanceTypes`: the requests of the daemonsets that run on it, `pods` included. */
  readonly daemonOverhead: ReadonlyArray<ResourceList>;
}

/** An overlay that Karpenter rejects in all pools, because another of its weight says something else of the same. */
export interface OverlayConflict {
  readonly overlay: string;
  readonly nodePool: string;
  /** One of those that both are about. */
  readonly instanceType: string;
  /** `price`, or the resource. */
  readonly what: string;
}

export interface SchedulePlan {
  /** In name order. */
  readonly pools: readonly PoolView[];
  readonly nodeClaims: readonly PlannedNodeClaim[];
  /** Existing nodes that get pods, in Karpenter's order. */
  readonly filledNodes: readonly FilledNode[];
  readonly unschedulable: readonly UnschedulablePod[];
  readonly notEvaluated: readonly UnevaluatedPods[];
  readonly overlayConflicts: readonly OverlayConflict[];
}
