/** The result of `explain`: keys are in this order, stories in the order of the input. */
export interface PodStoryVerdict {
  /** `namespace/name`. */
  readonly pod: string;
  /** Pods of the same workload with the same outcome, which are not told again. */
  readonly alike: readonly string[];
  /** How many of these have another node than this pod. */
  readonly alikeElsewhere: number;
  readonly outcome: 'new-node-claim' | 'open-node-claim' | 'existing-node' | 'unschedulable' | 'not-tried';
  /** The how-manieth pod that is placed, from 1; `null` where it is not. */
  readonly position: number | null;
  readonly placedPods: number;
  /** NodeClaims that were open when the pod was tried. */
  readonly openNodeClaims: number;
  /** Preferences and alternatives that Karpenter gave up for it. */
  readonly givenUp: readonly string[];
  readonly node: NodeStoryVerdict | null;
  /** In the order in which Karpenter asks them; empty where it asked none. */
  readonly nodePools: readonly PoolStoryVerdict[];
  /** Why no NodePool was asked, or the node is not launched in the end. */
  readonly notTried: string | null;
  /** The least change with which all pods of its workload fit; `null` where they do, or none is known. */
  readonly smallestChange: string | null;
  readonly changesTried: number;
}

export interface NodeStoryVerdict {
  /** Of the NodeClaim, or the name of an existing node. */
  readonly name: string;
  readonly nodePool: string | null;
  readonly podsBefore: number;
  /** Numbers of instance types; `null` of an existing node, and `before` of a new one. */
  readonly instanceTypes: { readonly before: number | null; readonly withThisPod: number | null; readonly inTheEnd: number | null };
  readonly elimination: readonly EliminationVerdict[];
  readonly cheapest: {
    readonly instanceType: string;
    readonly zone: string;
    readonly capacityType: string;
    readonly usdPerHour: number;
    /** The id of the capacity reservation, where it is reserved capacity. */
    readonly reservation?: string;
  } | null;
}

export interface PoolStoryVerdict {
  readonly nodePool: string;
  readonly weight: number;
  readonly outcome: 'takes it' | 'refuses' | 'not tried' | 'no instance types';
  readonly message: string | null;
  readonly diagnosis: string | null;
  readonly elimination: readonly EliminationVerdict[];
}

/** How many instance types are left after a constraint. */
export interface EliminationVerdict {
  readonly constraint: string;
  readonly left: number;
}
