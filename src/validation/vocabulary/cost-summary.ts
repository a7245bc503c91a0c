export interface CostSummary {
  /** What EC2 charges for the new nodes, in `currency`. `null` if no node is launched, or a price is unknown. */
  readonly usdPerHour: number | null;
  /**
   * No fleet that runs the placed pods on nodes of these NodePools and keeps their required spread costs less, whatever
   * decides. Proven by a linear program. `null` if no pod is placed on a new node, or prices are unknown.
   */
  readonly lowerBoundUsdPerHour: number | null;
  /** The cheapest fleet that a search found. Absent without `--cost-by`, and if the search found none. */
  readonly bestFound?: BestFound;
  /** Why the price is above the lower bound. Absent if it is not, or if a node is not one that the bound considers. */
  readonly aboveLowerBound?: AboveLowerBound;
  /** Absent if topology adds nothing, and for more than 2,000 pods. */
  readonly topology?: TopologyCost;
  /** Absent if no new node runs in an open capacity reservation. */
  readonly openReservations?: OpenReservations;
  /** ISO 4217 code of all prices in the verdict: `USD`, or `CNY` in the regions of China. */
  readonly currency: string;
  /** Where the prices of the new nodes come from, most nodes first. */
  readonly prices: readonly PriceSourceCount[];
  /** Why prices are unknown, as clauses. Absent if all are known. */
  readonly notEvaluated?: readonly string[];
}

/**
 * The cheapest fleet that a search found for the placed pods on nodes of these NodePools; Karpenter would not build it
 * by itself. It keeps required spread, affinity, anti-affinity, zones, taints, volumes, host ports, and the limits of
 * the NodePools. It does not keep preferences, weights and minValues.
 */
export interface BestFound {
  /** Not above the price of the plan, and not below the lower bound. */
  readonly usdPerHour: number;
  readonly nodes: number;
  /** How many of the nodes are left as the plan has them, such as nodes of capacity reservations. */
  readonly keptNodes: number;
  /** Whether the search ended before it had tried all that it would. */
  readonly isCut: boolean;
}

/** The parts are not negative, and add up to the difference between the price and its lower bound. Largest first. */
export interface AboveLowerBound {
  /** What instance types cost more than all that they provide is worth in the bound. */
  readonly types: ReadonlyArray<{
    readonly nodePool: string;
    readonly instanceType: string;
    readonly nodes: number;
    readonly usdPerHour: number;
  }>;
  /** What the nodes provide and the pods do not need: a resource, `whole pods`, `whole nodes` or `mixed pods`. */
  readonly unused: ReadonlyArray<{ readonly what: string; readonly usdPerHour: number }>;
}

export type TopologySort =
  | 'spread over zones'
  | 'spread over hosts'
  | 'spread over other labels'
  | 'affinity between pods'
  | 'anti-affinity between pods'
  | 'zonal volumes';

/** What topology adds to the price of the plan. The pods are scheduled again without it, and without each sort. */
export interface TopologyCost {
  /** What the plan would cost without all sorts of topology that its pods have. */
  readonly withoutUsdPerHour: number;
  /**
   * What each sort adds. The parts are not negative, and add up to the difference to the price. Largest first. Empty if
   * fewer pods get a node without one of them.
   */
  readonly parts: ReadonlyArray<{ readonly what: TopologySort; readonly usdPerHour: number }>;
}

/** New nodes that EC2 runs in open capacity reservations. Karpenter does not know that, and compares the full price. */
export interface OpenReservations {
  /** The part of the price that is paid for with and without these nodes. */
  readonly usdPerHour: number;
  readonly reservations: ReadonlyArray<{
    readonly id: string;
    readonly instanceType: string;
    readonly zone: string;
    readonly nodes: number;
  }>;
}

export interface PriceSourceCount {
  readonly kind: 'published' | 'recorded' | 'derived' | 'assumed';
  /** Date of the record, `YYYY-MM-DD`; `null` for assumed prices. */
  readonly date: string | null;
  readonly nodes: number;
}
