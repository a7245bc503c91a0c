import { removeField, unsafeFix } from '../../../../contract';
import { defineRule, NOT_APPLICABLE } from '../../define-rule';
import { disruptedPools } from '../../subjects';

/** @see https://karpenter.sh/docs/concepts/disruption/#reasons */
export const budgetWithoutReasons = defineRule({
  id: 'KARP-429',
  name: 'budget-without-reasons',
  severity: 'warning',
  summary:
    'A disruption budget has an empty list of reasons, so it limits nothing; only without the field it limits every reason.',
  subjects: disruptedPools(),
  judge({ budgets }) {
    const without = budgets.flatMap(({ reasons }, index) => (reasons?.length === 0 ? [index] : []));
    if (without.length === 0) return budgets.length === 0 ? NOT_APPLICABLE : undefined;
    return without.map((index) => ({
      path: ['spec', 'disruption', 'budgets', index, 'reasons'],
      message: `the budget with nodes: "${budgets[index].nodes}" has an empty list of reasons, so Karpenter applies it to no disruption`,
      remedy: 'remove reasons if the budget is for every reason, or list them: Drifted, Empty, Underutilized',
      evidence: { nodes: budgets[index].nodes },
      fix: unsafeFix(removeField(['spec', 'disruption', 'budgets', index, 'reasons'])),
    }));
  },
});
