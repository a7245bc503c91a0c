import { Requirement, ResourceList } from '../model';

export interface Offer {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  readonly usdPerHour: number;
  /** Id of the capacity reservation that the instance uses. */
  readonly reservation?: string;
  /** Partition of the placement group, if it has partitions: the first allowed one, because EC2's choice is unknown. */
  readonly partition?: string;
}

/**
 * The request that Karpenter sends to EC2 to launch one node.
 *
 * @see https://github.com/aws/karpenter-provider-aws/blob/v1.15.1/pkg/providers/instance/instance.go
 */
export interface LaunchRequest {
  /** `reserved` if possible, else `spot` if possible, else `on-demand`. A request never mixes capacity types. */
  readonly capacityType: string;
  /**
   * How EC2 chooses among the types and zones. `lowest-price` takes the first of `instanceTypes`;
   * `price-capacity-optimized` also considers available capacity. The prioritized strategies apply if a NodeOverlay
   * sets a price, and `none` applies to capacity blocks and interruptible reservations.
   */
  readonly allocationStrategy:
    | 'lowest-price'
    | 'prioritized'
    | 'price-capacity-optimized'
    | 'capacity-optimized-prioritized'
    | 'none';
  /** The types that EC2 chooses from after the launch filters, cheapest first, at most 60. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  /** The offering that EC2 launches on demand; for spot, the lower bound of the node's price. */
  readonly cheapest: Offer;
}

/** A node that Karpenter would launch. */
export interface PlannedNodeClaim {
  /** `<pool>-<ordinal>`, in order of creation. */
  readonly id: string;
  readonly nodePool: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
  /** Index into `ScheduleInput.pods` → number of pods of the group. */
  readonly groups: ReadonlyMap<number, number>;
  /** Sum over pods and daemonsets, `pods` included. */
  readonly requests: ResourceList;
  /** Cheapest first, before truncation. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Requirements on custom labels, and the excluded values of well-known labels, from pool, pods and topology. */
  readonly requirements: readonly Requirement[];
  /** Cheapest offering of `instanceTypes`, before the launch filters. */
  readonly cheapest?: Offer;
  /** Absent if the launch fails; then `launchFailure` has the reason. */
  readonly launch?: LaunchRequest;
  /** Karpenter's error. Karpenter then deletes the claim, and plans the same one again. */
  readonly launchFailure?: string;
}

/** Pods that are scheduled onto an existing node. */
export interface FilledNode {
  readonly node: string;
  /** `namespace/name`, in order of placement. */
  readonly pods: readonly string[];
  /** Index into `ScheduleInput.pods` → number of pods of the group. */
  readonly groups: ReadonlyMap<number, number>;
}

/** Why a NodePool launches no node for a pod. */
export interface PoolRefusal {
  readonly nodePool: string;
  /** Karpenter retries the pod when the nodes are launched that hold the reservations it could use. @default false */
  readonly deferred?: boolean;
  /** No instance type within the pool's current limits fits. @default false */
  readonly noInstanceTypeLeft?: boolean;
  /** Other pods leave no topology domain. This may change when the domains of new nodes become known. @default false */
  readonly blockedByOtherPods?: boolean;
  /** No node of the pool fits, no matter how large: because of labels, taints, volumes or topology. @default false */
  readonly independentOfSize?: boolean;
  /** Karpenter's error message. */
  readonly message: string;
  /**
   * The cause in plain words with amounts, if it is known: 'needs 700 CPUs; the largest allowed type, c8i.96xlarge, has
   * 383'.
   */
  readonly diagnosis?: string;
  /** Instance types left after each constraint, up to the constraint that leaves none. Present if `diagnosis` is. */
  readonly elimination?: readonly Elimination[];
}

export interface UnschedulablePod {
  readonly pod: string;
  readonly group: number;
  readonly reasons: readonly PoolRefusal[];
}

/** Pods that are not evaluated, because the input does not contain everything that decides about them. */
export interface UnevaluatedPods {
  readonly pods: readonly string[];
  /** How many pods the single pattern in `pods` stands for. @default - each pod has its name in `pods` */
  readonly count?: number;
  readonly group: number;
  readonly causes: readonly string[];
}

/** Number of instance types that are left after a constraint. */
export interface Elimination {
  readonly constraint: string;
  readonly left: number;
}

/** What a pool can launch for a node without pods except its daemonsets. */
export interface PoolView {
  readonly name: string;
  /** Cheapest first. */
  readonly instanceTypes: readonly string[];
  readonly zones: readonly string[];
  readonly capacityTypes: readonly string[];
  /** Instance types left after each constraint, starting with the whole catalog. */
  readonly elimination: readonly Elimination[];
  /** For each of `instanceTypes`, the requests of the daemonsets that run on it, `pods` included. */
  readonly daemonOverhead: ReadonlyArray<ResourceList>;
}

/** An overlay that Karpenter rejects in all pools, because another overlay of equal weight sets the same property. */
export interface OverlayConflict {
  readonly overlay: string;
  readonly nodePool: string;
  /** One of the types that both overlays match. */
  readonly instanceType: string;
  /** `price`, or the name of the resource. */
  readonly what: string;
}

export interface SchedulePlan {
  /** Sorted by name. */
  readonly pools: readonly PoolView[];
  readonly nodeClaims: readonly PlannedNodeClaim[];
  /** Existing nodes that get pods, in Karpenter's order of nodes. */
  readonly filledNodes: readonly FilledNode[];
  readonly unschedulable: readonly UnschedulablePod[];
  readonly notEvaluated: readonly UnevaluatedPods[];
  readonly overlayConflicts: readonly OverlayConflict[];
}
