import { budgetWithoutReasons } from '../../../../../src/validation/rules/disruption/budgets/budget-without-reasons';
import { judge, nodeClass, nodePool, types } from '../../judge';

const judged = (budgets: unknown) =>
  judge(budgetWithoutReasons, [
    nodeClass(),
    nodePool('default', { requirements: [types('m5.large')], disruption: { budgets } }),
  ]);

describe('KARP-429 budget-without-reasons', () => {
  test('reports each budget whose list of reasons is empty', () => {
    const { findings } = judged([{ nodes: '0', reasons: [] }, { nodes: '10%' }, { nodes: '1', reasons: [] }]);
    expect(findings.map(({ message, path }) => `${path!.join('.')}: ${message}`)).toEqual([
      'spec.disruption.budgets.0.reasons: the budget with nodes: "0" has an empty list of reasons, so Karpenter applies it to no disruption',
      'spec.disruption.budgets.2.reasons: the budget with nodes: "1" has an empty list of reasons, so Karpenter applies it to no disruption',
    ]);
  });

  test.each([[[{ nodes: '0' }]], [[{ nodes: '0', reasons: null }]], [[{ nodes: '0', reasons: ['Drifted'] }]]])(
    'passes %j',
    (budgets) => {
      expect(judged(budgets).states).toEqual(['pass NodePool/default']);
    },
  );

  test('is not evaluated if the reasons are known only at deployment', () => {
    expect(judged([{ nodes: '0', reasons: '${Reasons}' }]).states).toEqual(['not-evaluated NodePool/default']);
  });
});
