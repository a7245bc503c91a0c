/**
 * A linear program that every fleet meets: buy amounts of instance types so that each row is covered, at the least
 * price.
 */
export interface CoveringProgram {
  /** The price of one node of each column in USD per hour. */
  readonly prices: readonly number[];
  readonly rows: readonly CoveringRow[];
}

/** What the nodes must provide together. All amounts are whole numbers. */
export interface CoveringRow {
  /** How much is needed. */
  readonly needed: bigint;
  /** How much one node of each column provides at most. */
  readonly provided: Float64Array;
}
