/** Kubernetes lets the rules of one object cost ten million units; a step here is about one of them. */
const MAX_COST = 10_000_000;
/** Kubernetes counts a unit for so many characters. */
const CHARACTERS_PER_UNIT = 10;

let cost = 0;

/** The rules of an object take more work together than Kubernetes gives them. */
export class CostBudgetExceeded extends Error {}

/** Resets the cost counter for the next object. */
export function resetCost(): void {
  cost = 0;
}

/**
 * Counts work before it is done.
 *
 * @throws CostBudgetExceeded if the budget is used up; the counter stays there, so every later call throws, too
 */
export function spend(units: number): void {
  cost += units;
  if (isSpent()) throw new CostBudgetExceeded();
}

export function isSpent(): boolean {
  return cost > MAX_COST;
}

/** The cost of going through a text once. */
export function costOfText({ length }: string): number {
  return Math.ceil(length / CHARACTERS_PER_UNIT);
}
