import { CostDifference, CostRowDifference } from './difference';
import { byCodePoint } from '../order';
import { CostAllocation, Verdict } from '../vocabulary/verdict';

const CENTS = 100;

/** The rows whose costs change, the largest change first. Undefined if no price is known on either side. */
export function costDifference(before: Verdict, after: Verdict): CostDifference | undefined {
  const [old, current] = [before.costs, after.costs];
  if (old === undefined || current === undefined || old.nodes + current.nodes === 0) return undefined;
  const [paidBefore, paidAfter] = [centsByName(old), centsByName(current)];
  const rows = [...new Set([...paidBefore.keys(), ...paidAfter.keys()])]
    .map((name): CostRowDifference => {
      const [left, right] = [paidBefore.get(name) ?? 0, paidAfter.get(name) ?? 0];
      return { name, before: left / CENTS, after: right / CENTS, change: (right - left) / CENTS };
    })
    .filter(({ change }) => change !== 0);
  return {
    by: current.by,
    currency: current.currency,
    totalCost: { before: old.totalCost, after: current.totalCost },
    rows: rows.sort((a, b) => Math.abs(b.change) - Math.abs(a.change) || byCodePoint(a.name, b.name)),
  };
}

function centsByName({ rows }: CostAllocation): ReadonlyMap<string, number> {
  const cents = new Map<string, number>();
  for (const { name, totalCost } of rows) cents.set(name, (cents.get(name) ?? 0) + Math.round(totalCost * CENTS));
  return cents;
}
