import { DisruptionBudget } from './pool-disruption';

/** How many of so many nodes the budget lets go at a time: percentages are rounded up. Undefined for what is neither number nor percentage. */
export function allowedNodes({ nodes }: DisruptionBudget, total: number): number | undefined {
  const [, digits, percent] = /^(\d{1,9})(%?)$/.exec(String(nodes)) ?? [];
  if (digits === undefined) return undefined;
  return percent === '' ? Number(digits) : Math.ceil(Number(digits) * total / 100);
}

/** What the budgets without a schedule leave at any time, for a reason; infinite where none is about it. */
export function alwaysAllowed(budgets: readonly DisruptionBudget[], reason: string, total: number): number {
  const always = budgets.filter(({ schedule }) => schedule === undefined);
  const about = always.filter(({ reasons }) => reasons === undefined || reasons === null || reasons.includes(reason));
  return Math.min(Infinity, ...about.map((budget) => allowedNodes(budget, total) ?? 0));
}
