/** Below this, a reduced gain or a pivot counts as zero. All coefficients are scaled to at most 1. */
const EPSILON = 1e-11;
/** More pivots only tighten the bound by little. */
const MAX_PIVOTS = 4000;

/**
 * The dual values of a covering program: for each row the price of one unit, so that no node is worth more than it
 * costs. The primal simplex algorithm on the dual program: it starts with prices of zero, and each step keeps them
 * feasible, so that the result of an early stop is a lower bound as well.
 *
 * @returns a price in USD per hour for one unit of each row. Rounding errors are for the certificate to remove.
 */
export function dualValues({ prices, rows }: CoveringProgram): Float64Array {
  const scales = rows.map(({ provided }) => provided.reduce((most, amount) => Math.max(most, amount), 0));
  const gains = rows.map(({ needed }, row) => Number(needed) * (scales[row] === 0 ? 0 : 1 / scales[row]));
  const tableau = new Tableau(
    rows.map(({ provided }, row) => provided.map((amount) => (scales[row] === 0 ? 0 : amount / scales[row]))),
    prices,
    gains,
  );
  for (let pivot = 0; pivot < MAX_PIVOTS && tableau.improve(); pivot++);
  return tableau.values().map((value, row) => (scales[row] === 0 ? 0 : Math.max(0, value) / scales[row]));
}

/**
 * The dual program as a dictionary: one line for each node price that must not be exceeded, one column for each row
 * of the covering program, and the room that is left at the end of each line.
 */
class Tableau {
  private readonly width: number;
  private readonly lines: Float64Array[];
  private readonly gains: Float64Array;
  /** Variables outside of the basis, by column. Numbers from `columns` on are slack variables. */
  private readonly free: number[];
  /** Variables of the basis, by line. */
  private readonly basis: number[];
  private stalls = 0;

  constructor(columns: readonly Float64Array[], rooms: readonly number[], gains: readonly number[]) {
    this.width = columns.length;
    this.lines = rooms.map((room, line) => {
      const values = new Float64Array(this.width + 1);
      for (let column = 0; column < this.width; column++) values[column] = columns[column][line];
      values[this.width] = room;
      return values;
    });
    this.gains = Float64Array.from(gains);
    this.free = columns.map((_, column) => column);
    this.basis = rooms.map((_, line) => this.width + line);
  }

  /** One pivot. False if no column improves the result. */
  improve(): boolean {
    const column = this.entering();
    if (column < 0) return false;
    const line = this.leaving(column);
    if (line < 0) return false;
    this.stalls = this.lines[line][this.width] <= EPSILON ? this.stalls + 1 : 0;
    this.pivot(line, column);
    return true;
  }

  values(): Float64Array {
    const result = new Float64Array(this.width);
    this.basis.forEach((variable, line) => {
      if (variable < this.width) result[variable] = this.lines[line][this.width];
    });
    return result;
  }

  /** The column that gains most; after many steps without progress the first one, so that no cycle goes on for ever. */
  private entering(): number {
    const takesFirst = this.stalls > this.width + this.lines.length;
    let best = -1;
    for (let column = 0; column < this.width; column++) {
      if (this.gains[column] <= EPSILON) continue;
      if (best < 0 || (takesFirst ? this.free[column] < this.free[best] : this.gains[column] > this.gains[best]))
        best = column;
    }
    return best;
  }

  /** The line that is used up first; of equal ones the first variable. */
  private leaving(column: number): number {
    let best = -1;
    let least = Infinity;
    for (let line = 0; line < this.lines.length; line++) {
      const coefficient = this.lines[line][column];
      if (coefficient <= EPSILON) continue;
      const ratio = this.lines[line][this.width] / coefficient;
      if (ratio < least || (ratio === least && this.basis[line] < this.basis[best])) {
        least = ratio;
        best = line;
      }
    }
    return best;
  }

  private pivot(line: number, column: number): void {
    const pivotLine = this.lines[line];
    const inverse = 1 / pivotLine[column];
    for (let index = 0; index <= this.width; index++) pivotLine[index] *= inverse;
    pivotLine[column] = inverse;
    const used: number[] = [];
    for (let index = 0; index <= this.width; index++) if (pivotLine[index] !== 0) used.push(index);
    this.lines.forEach((values, index) => {
      if (index !== line) eliminate(values, pivotLine, column, used);
    });
    eliminate(this.gains, pivotLine, column, used);
    [this.free[column], this.basis[line]] = [this.basis[line], this.free[column]];
  }
}

/** Subtracts the pivot's line, so that the entering variable only remains in that line. Hot path. */
function eliminate(values: Float64Array, pivotLine: Float64Array, column: number, used: readonly number[]): void {
  const factor = values[column];
  if (factor === 0) return;
  values[column] = 0;
  for (const index of used) if (index < values.length) values[index] -= factor * pivotLine[index];
}

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
