import { allowsNoNode, limitedMinutesPerYear, limitsReason, MINUTES_PER_YEAR } from './disruption-budgets';
import { budgetText, inverseBudgets } from './inverse-budgets';
import { appendItem, unsafeFix } from '../../../../contract';
import { listText } from '../../../../model';
import { ManifestBudget, disruptionReasonsOf, ManifestDisruption } from '../../../manifest/karpenter/pool-disruption';
import { defineRule, NOT_APPLICABLE, SubjectFinding } from '../../define-rule';
import { disruptedPools } from '../../subjects';

const PATH = ['spec', 'disruption', 'budgets'];

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export const budgetLeavesReasonOpen = defineRule({
  id: 'KARP-430',
  name: 'budget-leaves-reason-open',
  severity: 'warning',
  isProductionAdvice: true,
  summary: 'Budgets limit a reason in a window only, or not at all: otherwise all nodes may be disrupted at once.',
  subjects: disruptedPools({ where: ({ object }) => object.raw?.spec?.disruption?.budgets !== undefined }),
  judge(disruption) {
    const { budgets } = disruption;
    if (budgets.length === 0) return NOT_APPLICABLE;
    const open = openReasons(disruption);
    if (open.length === 0) return undefined;
    const windowed = open.filter((reason) => budgets.some((budget) => isAllowingWindow(budget, reason)));
    if (windowed.length > 0) return outsideWindow(disruption, windowed);
    const unlimited = open.filter((reason) => !budgets.some((budget) => limitsReason(budget, reason)));
    return withoutBudget(disruption, unlimited.length === 0 ? open : unlimited, unlimited.length === 0);
  },
});

/** Reasons that at some time no budget limits. To delete many empty nodes at once harms nobody. */
function openReasons(disruption: ManifestDisruption): string[] {
  return disruptionReasonsOf(disruption).filter(
    (reason) => reason !== 'Empty' && limitedMinutesPerYear(disruption, reason) < MINUTES_PER_YEAR,
  );
}

/** A budget that slows disruption down in its window is often meant to allow it only then. */
function isAllowingWindow(budget: ManifestBudget, reason: string): boolean {
  return budget.schedule !== undefined && !allowsNoNode(budget) && limitsReason(budget, reason);
}

function outsideWindow({ budgets }: ManifestDisruption, reasons: readonly string[]): SubjectFinding {
  const windows = budgets.filter((budget) => reasons.some((reason) => isAllowingWindow(budget, reason)));
  const [{ schedule, duration }] = windows;
  const inverse = inverseBudgets(windows, reasons);
  return {
    path: [...PATH, budgets.indexOf(windows[0])],
    message:
      `outside "${schedule}" for ${duration}, no budget limits ${listText(reasons)}: up to 100% of the nodes may be disrupted at once, ` +
      'because a budget only forbids while it is active',
    remedy:
      inverse === undefined
        ? `add budgets with nodes: "0" and reasons [${reasons.join(', ')}] for the other hours`
        : `add ${listText(inverse.map(budgetText))} to allow ${listText(reasons)} in the window only`,
    evidence: { reasons, schedule, duration },
    ...(inverse === undefined ? {} : { fix: unsafeFix(...inverse.map((budget) => appendItem(PATH, budget))) }),
  };
}

/** @param isFrozen whether budgets forbid the reasons at certain hours, and say nothing about the others */
function withoutBudget({ budgets }: ManifestDisruption, reasons: readonly string[], isFrozen: boolean): SubjectFinding {
  const budget: ManifestBudget = isFrozen && reasons.length > 1 ? { nodes: '10%' } : { nodes: '10%', reasons };
  const outside = isFrozen ? 'outside their windows, no budget limits' : 'no budget limits';
  return {
    path: PATH,
    message:
      `${outside} ${listText(reasons)}: up to 100% of the nodes may be disrupted at once, ` +
      'because the default budget of 10% holds only if no budget is written',
    remedy: `add ${budgetText(budget)}`,
    evidence: { reasons, budgets: budgets.length },
    fix: unsafeFix(appendItem(PATH, budget)),
  };
}
