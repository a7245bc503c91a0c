import {
  allowsNoNode,
  blockedMinutesPerYear,
  blocksReason,
  limitsReason,
  MINUTES_PER_YEAR,
} from './disruption-budgets';
import { budgetText, inverseBudgets } from './inverse-budgets';
import { appendItem, FieldFix, removeField, setField, unsafeFix } from '../../../../contract';
import { listText } from '../../../../model';
import { ManifestBudget, ManifestDisruption, disruptionReasonsOf } from '../../../manifest/karpenter/pool-disruption';
import { defineRule, SubjectFinding } from '../../define-rule';
import { disruptedPools } from '../../subjects';

const PATH = ['spec', 'disruption', 'budgets'];

/** Consequence of never disrupting nodes for a reason. */
const CONSEQUENCES: ReadonlyMap<string, string> = new Map([
  ['Drifted', 'AMIs with security fixes and Kubernetes upgrades never reach its nodes'],
  ['Empty', 'empty nodes go on costing money'],
  ['Underutilized', 'nodes are never consolidated'],
]);

/** @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets */
export const budgetNeverAllows = defineRule({
  id: 'KARP-417',
  name: 'budget-never-allows',
  severity: 'error',
  summary: 'The disruption budgets of a NodePool never allow a disruption, for one reason or for all.',
  subjects: disruptedPools(),
  judge(disruption) {
    const blocked = disruptionReasonsOf(disruption).filter(
      (reason) => blockedMinutesPerYear(disruption, reason) === MINUTES_PER_YEAR,
    );
    return blocked.length === 0 ? undefined : finding(disruption, blocked);
  },
});

function finding(disruption: ManifestDisruption, blocked: readonly string[]): SubjectFinding {
  const { budgets } = disruption;
  const index = budgets.findIndex((budget) => blocksReason(budget, blocked[0]));
  const all = blocked.length === disruptionReasonsOf(disruption).length;
  const inWindow = windowFix(budgets, blocked, all);
  return {
    path: ['spec', 'disruption', 'budgets', index],
    message:
      `the budgets never allow a disruption${all ? '' : ` for the ${blocked.length === 1 ? 'reason' : 'reasons'} ${listText(blocked)}`}: ` +
      listText(blocked.map((reason) => CONSEQUENCES.get(reason)!)),
    remedy: inWindow?.remedy ?? remedyOf(budgets[index]),
    evidence: { reasons: blocked },
    fix: inWindow?.fix ?? oneNodeFix(budgets, blocked),
    // To give up savings is a choice; to give up upgrades is a mistake.
    severity: blocked.includes('Drifted') ? undefined : 'warning',
  };
}

/** Karpenter treats a date that never occurs as always, so that a shorter duration would not help. */
const FIXED_DATE = /^\S+ \S+ \d+ \d+ /;

function remedyOf({ schedule, duration }: ManifestDisruption['budgets'][number]): string {
  return schedule === undefined || FIXED_DATE.test(schedule)
    ? 'allow at least 1 node, or limit the budget to certain hours with schedule and duration'
    : `allow at least 1 node, or write a shorter duration: the windows, such as ${duration} from each start of "${schedule}", leave no gap`;
}

/**
 * A budget that always forbids, beside one that slows disruption down in a window: the window is meant to allow it,
 * which only a budget that forbids at all other times does.
 */
function windowFix(
  budgets: ManifestDisruption['budgets'],
  blocked: readonly string[],
  isAll: boolean,
): { readonly remedy: string; readonly fix: FieldFix } | undefined {
  const limits = (budget: ManifestBudget) => blocked.every((reason) => limitsReason(budget, reason));
  const windows = budgets.filter((budget) => budget.schedule !== undefined && !allowsNoNode(budget) && limits(budget));
  const always = budgets.filter(
    (budget) =>
      budget.schedule === undefined && allowsNoNode(budget) && blocked.some((reason) => limitsReason(budget, reason)),
  );
  const inverse = windows.length === 0 || always.length !== 1 ? undefined : inverseBudgets(windows, blocked);
  if (inverse === undefined || inverse.length === 0) return undefined;
  const added = isAll ? inverse.map(({ reasons: _, ...budget }) => budget) : inverse;
  return {
    remedy: `write ${listText(added.map(budgetText))} instead of ${budgetText(always[0])}, to allow disruption in the window only`,
    fix: unsafeFix(
      removeField([...PATH, budgets.indexOf(always[0])]),
      ...added.map((budget) => appendItem(PATH, budget)),
    ),
  };
}

/** Lets the budgets that forbid everything at all times allow one node. Which hours are meant is unknown. */
function oneNodeFix(budgets: ManifestDisruption['budgets'], blocked: readonly string[]): FieldFix | undefined {
  const edits = budgets.flatMap((budget, index) =>
    budget.schedule === undefined && blocked.some((reason) => blocksReason(budget, reason))
      ? [setField(['spec', 'disruption', 'budgets', index, 'nodes'], '1')]
      : [],
  );
  return edits.length === 0 ? undefined : unsafeFix(...edits);
}
