/** A number of nodes, and what EC2 charges for them. */
export interface FleetVerdict {
  /** New nodes. */
  readonly nodes: number;
  /** In the currency of the summary; `null` if a price is unknown. */
  readonly usdPerHour: number | null;
}

/** A figure over all simulated orders of names and UIDs. */
export interface RangeVerdict {
  readonly least: number;
  /** The figure of the fleet that `nodes` lists: it has the median number of nodes, and a price next to the median. */
  readonly median: number;
  readonly most: number;
}

/** The fleets that several orders of names and UIDs lead to. */
export interface FleetRangeVerdict {
  /** How many orders are simulated. */
  readonly orders: number;
  /** New nodes. */
  readonly nodes: RangeVerdict;
  /** In the currency of the summary; `null` if a price is unknown. */
  readonly usdPerHour: RangeVerdict | null;
}

/** The fleets after all passes of Karpenter, when every pod that fits runs. */
export interface SettledVerdict extends FleetRangeVerdict {
  /**
   * Pods without a node, without those that are not evaluated. Which pods remain depends on the order in which
   * kube-scheduler tries them.
   */
  readonly pendingPods: RangeVerdict;
}
