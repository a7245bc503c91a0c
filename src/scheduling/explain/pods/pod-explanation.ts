import { Elimination, Offer } from '../../schedule-plan';

/** The outcome of one NodePool for a pod. */
export interface NodePoolExplanation {
  readonly nodePool: string;
  readonly weight: number;
  /**
   * `not tried`: an earlier pool accepted the pod. `no instance types`: Karpenter drops the pool before it schedules
   * pods.
   */
  readonly outcome: 'takes it' | 'refuses' | 'not tried' | 'no instance types';
  /** Karpenter's error message if the pool refuses the pod. */
  readonly message?: string;
  /** The cause in plain words with amounts. */
  readonly diagnosis?: string;
  /** Starts with all instance types in the catalog, and ends at the constraint that leaves none. */
  readonly elimination: readonly Elimination[];
}

/** The node that a pod is scheduled onto. */
export interface ExplainedNode {
  /** Id of the NodeClaim, or name of the existing node. */
  readonly name: string;
  /** The NodeClaim's pool. */
  readonly nodePool?: string;
  readonly kind: 'new NodeClaim' | 'open NodeClaim' | 'existing node';
  /** Number of pods on the node before this one. */
  readonly podsBefore: number;
  /** For a NodeClaim: number of instance types before the pod joined, after it joined, and at the end of the solve. */
  readonly instanceTypesBefore?: number;
  readonly instanceTypes?: number;
  readonly instanceTypesInTheEnd?: number;
  /** For an open NodeClaim: starts with all instance types, then pool, earlier pods, and this pod. */
  readonly elimination: readonly Elimination[];
  /** Cheapest offering at the end of the solve. */
  readonly cheapest?: Offer;
}

/** Why a pod is scheduled onto its node, or why it is unschedulable. */
export interface PodExplanation {
  readonly pod: string;
  /** Position in the order of placement, from 1; absent if the pod is unschedulable. */
  readonly position?: number;
  readonly placedPods: number;
  /** Constraints of the pod that Karpenter relaxed. */
  readonly givenUp: readonly string[];
  /** Number of open NodeClaims when the pod was tried. */
  readonly openNodeClaims: number;
  /** In Karpenter's order. Empty if an existing node or open NodeClaim accepted the pod. */
  readonly nodePools: readonly NodePoolExplanation[];
  readonly node?: ExplainedNode;
  /** Why no NodePool was tried, or why the planned node was dropped. */
  readonly notTried?: string;
}
