export interface OfferVerdict {
  readonly instanceType: string;
  readonly zone: string;
  readonly capacityType: string;
  /** The price that Karpenter compares; `null` if it is unknown. */
  readonly usdPerHour: number | null;
  /** What EC2 charges, if it is something else: for bare metal and Windows. `null` if it is unknown. */
  readonly billedPerHour?: number | null;
  /** The ID of the capacity reservation, for reserved capacity only. */
  readonly reservation?: string;
}

/** How one pod got its node, or why it has none. Keys are in this order. */
export interface PodPlacementReport {
  /** `namespace/name`. */
  readonly pod: string;
  /** Other pods of the workload with the same outcome. They have no report of their own. */
  readonly alike: readonly string[];
  /** How many of these pods are on another node than this pod. */
  readonly alikeElsewhere: number;
  readonly outcome: 'new-node-claim' | 'open-node-claim' | 'existing-node' | 'unschedulable' | 'not-tried';
  /** The position of the pod in the scheduling order, from 1; `null` if it is not scheduled. */
  readonly position: number | null;
  readonly placedPods: number;
  /** NodeClaims that were open when the pod was tried. */
  readonly openNodeClaims: number;
  /** Preferences and alternatives that Karpenter relaxed for the pod. */
  readonly givenUp: readonly string[];
  readonly node: PlacementNodeReport | null;
  /**
   * Where the pod runs after all passes, in the fleet that `nodes` of the verdict lists; `null` if it has no node
   * there. Present only if this is another node than `node`.
   */
  readonly settledNode?: SettledNodeReport | null;
  /** In the order in which Karpenter tries them; empty if it tried none. */
  readonly nodePools: readonly PlacementPoolReport[];
  /** Why no NodePool was tried, or why the node is not launched. */
  readonly notTried: string | null;
  /** The smallest change with which all pods of the workload fit; `null` if they fit, or if none is known. */
  readonly smallestChange: string | null;
  readonly changesTried: number;
  /** The finding for which the pod waits, as in `unschedulable` of the verdict. */
  readonly finding?: UnschedulableFinding;
}

/** Which finding a pod waits for. */
export interface UnschedulableFinding {
  readonly rule: string;
  readonly kind: string;
  /** Empty for kinds without namespaces. */
  readonly namespace: string;
  readonly name: string;
}

/** The node of a pod after all passes. */
export interface SettledNodeReport {
  readonly name: string;
  readonly nodePool: string | null;
  /** `null` for an existing node. `currency` is present only if it is not USD. */
  readonly offer: PlacementNodeReport['cheapest'];
  /** All pods that the plan puts on the node. */
  readonly pods: number;
}

/** The node of a pod. */
export interface PlacementNodeReport {
  /** The name of the NodeClaim or of the existing node. */
  readonly name: string;
  /** Whether the node is part of the plan, of an earlier pass or of a static NodePool. @default false */
  readonly isPlanned?: boolean;
  readonly nodePool: string | null;
  readonly podsBefore: number;
  /**
   * How many instance types the NodeClaim could be. `null` for an existing node; `before` is `null` for a new
   * NodeClaim, too.
   */
  readonly instanceTypes: {
    readonly before: number | null;
    readonly withThisPod: number | null;
    readonly inTheEnd: number | null;
  };
  readonly elimination: readonly EliminationVerdict[];
  /** With the price that Karpenter compares. `currency` is present only if it is not USD. */
  readonly cheapest: (Omit<OfferVerdict, 'billedPerHour'> & { readonly currency?: string }) | null;
}

/** What Karpenter's scheduler decided about a pod and a NodePool. */
export interface PlacementPoolReport {
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
