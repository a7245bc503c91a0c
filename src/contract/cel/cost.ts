/**
 * Kubernetes lets one rule cost a million units, and the rules of one object ten million; a step here is about one of
 * them.
 *
 * @see https://github.com/kubernetes/apiserver/blob/master/pkg/apis/cel/config.go
 */
const MAX_COST_OF_RULE = 1_000_000;
const MAX_COST_OF_OBJECT = 10_000_000;
/** Kubernetes counts a unit for so many characters. */
const CHARACTERS_PER_UNIT = 10;

let cost = 0;
let limit = MAX_COST_OF_RULE;

/** A rule, or the rules of an object together, take more work than Kubernetes gives them. */
export class CostBudgetExceeded extends Error {}

/** Resets the cost counter for the next object. */
export function resetCost(): void {
  cost = 0;
  limit = MAX_COST_OF_RULE;
}

/** Gives the next rule its own limit, within what is left for the object. */
export function startRule(): void {
  limit = Math.min(cost + MAX_COST_OF_RULE, MAX_COST_OF_OBJECT);
}

/**
 * Counts work before it is done.
 *
 * @throws CostBudgetExceeded beyond a limit; the counter stays there, so every later call in the rule throws, too
 */
export function spend(units: number): void {
  cost += units;
  if (cost > limit) throw new CostBudgetExceeded();
}

/** The cost of going through a text once. */
export function costOfText({ length }: string): number {
  return Math.ceil(length / CHARACTERS_PER_UNIT);
}

/** The cost of work for so many characters, at least 1. */
export function costOfLength(characters: number): number {
  return Math.max(1, Math.ceil(characters / CHARACTERS_PER_UNIT));
}
