import type { PolicyComparison, PolicyDay } from './compare-policies';

/** Policies that cost at most so much more than the cheapest count as equally cheap. */
const SAME_COST = 1.01;

/** So many evictions more, and 10%, are no reason to change what is written. */
const FEW_EVICTIONS = 5;
/** What half the evictions may cost. */
const LITTLE_MORE = 1.05;

type Compared = Pick<PolicyComparison, 'policies' | 'currency'>;

/**
 * The policy to choose: of those that cost within 1% of the cheapest, the one with the fewest evictions, or what is
 * written if that is as good. Policies that leave more pods without a node are left out. Undefined if no day was
 * simulated to its end.
 */
export function chosenPolicy(comparison: Compared): PolicyDay | undefined {
  const costOf = costIn(comparison);
  const eligible = eligiblePolicies(comparison);
  const least = Math.min(...eligible.map(costOf));
  const cheap = eligible.filter((policy) => costOf(policy) <= least * SAME_COST);
  const [best] = [...cheap].sort(byEvictions(costOf));
  const written = cheap.find(({ isWritten }) => isWritten);
  return written && written.day.evictions <= best.day.evictions * 1.1 + FEW_EVICTIONS ? written : best;
}

/** The policy that costs at most 5% more than the chosen one, and has at most half of its evictions. */
export function gentlerPolicy(comparison: Compared, chosen: PolicyDay): PolicyDay | undefined {
  const costOf = costIn(comparison);
  const [best] = eligiblePolicies(comparison)
    .filter((policy) => costOf(policy) <= costOf(chosen) * LITTLE_MORE)
    .filter(({ day }) => day.evictions <= chosen.day.evictions / 2 - FEW_EVICTIONS)
    .sort(byEvictions(costOf));
  return best;
}

function eligiblePolicies({ policies }: Compared): PolicyDay[] {
  const fewestPending = Math.min(...policies.map(({ day }) => day.pendingAtEnd));
  return policies.filter(({ day }) => day.pendingAtEnd === fewestPending);
}

function costIn({ currency }: Compared): (policy: PolicyDay) => number {
  return ({ day }) => (currency === null ? day.nodeHours : day.cost);
}

function byEvictions(costOf: (policy: PolicyDay) => number): (left: PolicyDay, right: PolicyDay) => number {
  return (left, right) => left.day.evictions - right.day.evictions || costOf(left) - costOf(right);
}
