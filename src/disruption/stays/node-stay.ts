/** What keeps a node. */
export type StayReason =
  | 'not-managed'
  | 'deleting'
  | 'not-ready-for-disruption'
  | 'pool-unknown'
  | 'static-pool'
  | 'node-annotation'
  | 'protected-pod'
  | 'pod-disruption-budget'
  | 'consolidation-disabled'
  | 'when-empty'
  | 'consolidate-after'
  | 'buffer-pods'
  | 'budget'
  | 'balanced-score'
  | 'several-nodes'
  | 'not-cheaper'
  | 'min-values'
  | 'spot-to-spot-disabled'
  | 'too-few-spot-types'
  | 'unschedulable-pod'
  | 'not-evaluated'
  | 'pool-limit'
  | 'unfinished';

/** The event with which Karpenter says that it leaves a node. */
export interface StayEvent {
  readonly object: 'Node' | 'NodePool';
  readonly reason: 'DisruptionBlocked' | 'Unconsolidatable';
  /** In Karpenter's own words. */
  readonly message: string;
}

/** Why a node remains after consolidation, and what would free it. */
export interface NodeStay {
  readonly node: string;
  /** @default - Karpenter does not manage the node */
  readonly nodePool?: string;
  readonly instanceType?: string;
  readonly capacityType?: string;
  /** The price of the node; 0 if it is not known. */
  readonly usdPerHour: number;
  readonly reason: StayReason;
  /** @default - Karpenter publishes no event */
  readonly event?: StayEvent;
  /** The reason in plain words: a sentence without a period. */
  readonly why: string;
  /** When the obstacle ends by itself, in ISO 8601. @default - never, or the time is not known */
  readonly until?: string;
  /** The smallest change that frees the node, of `Stays.changes`. @default - none is known */
  readonly change?: string;
  /** The part of the savings of the change that this node has. 0 without a change. */
  readonly savesUsdPerHour: number;
  /** The changes that were simulated for the node. */
  readonly changesTried: readonly string[];
  /** Changes that were not simulated, because the simulation had done too much work. */
  readonly changesNotTried: readonly string[];
  /** Why the node stays even with the first change that was tried. @default - a change frees it, none was
   * tried, or it stays for the same reason */
  readonly stillThen?: string;
}

/** A change that frees nodes, as the simulation of the changed cluster shows. */
export interface StayChange {
  readonly change: string;
  /** The nodes whose smallest change it is. */
  readonly nodes: readonly string[];
  /** How much less the cluster costs after consolidation with this change. */
  readonly savesUsdPerHour: number;
  /** Pods without a controller that consolidation then deletes, and nothing recreates. @default - none */
  readonly loses?: readonly string[];
}

/** Why nodes remain after consolidation. */
export interface Stays {
  /** The nodes whose change saves most first. */
  readonly nodes: readonly NodeStay[];
  /** The changes that save most first. */
  readonly changes: readonly StayChange[];
  /** What all changes save together, simulated at once. */
  readonly savesUsdPerHour: number;
}
