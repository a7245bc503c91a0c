import { budgetAllowsEverything } from '../../../../../src/validation/rules/disruption/budgets/budget-allows-everything';
import { deployment, judge, nodeClass, nodePool, pdb, types } from '../../judge';

const rule = budgetAllowsEverything;
const large = (replicas: number) =>
  deployment(
    'web',
    { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1500m', memory: '1Gi' } } }] },
    { replicas },
  );
const judged = (nodes: string, replicas: number, ...documents: string[]) =>
  judge(rule, [
    nodeClass(),
    nodePool('default', {
      requirements: [types('m5.large')],
      disruption: { consolidateAfter: '1m', budgets: [{ nodes }] },
    }),
    large(replicas),
    ...documents,
  ]);

describe('KARP-419 budget-allows-everything', () => {
  test.each(['100%', '51%', '2', '9'])('reports a budget of %s for two nodes', (nodes) => {
    const { states, findings } = judged(nodes, 2);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(
      'the budgets allow all 2 planned nodes to be disrupted at once: Deployment web has no PodDisruptionBudget',
    );
  });

  test('passes a lower budget, or pods with a PodDisruptionBudget', () => {
    expect(judged('50%', 2).states).toEqual(['pass NodePool/default']);
    expect(judged('100%', 2, pdb({ maxUnavailable: 1 })).states).toEqual(['pass NodePool/default']);
  });

  const withDisruption = (disruption: object) =>
    judge(rule, [nodeClass(), nodePool('default', { requirements: [types('m5.large')], disruption }), large(2)]).states;
  const few = { nodes: '1', reasons: ['Drifted', 'Underutilized'] };

  test.each<[string, object]>([
    ['empty nodes', { consolidateAfter: '1m', budgets: [{ nodes: '100%', reasons: ['Empty'] }, few] }],
    [
      'consolidation of a NodePool that consolidates empty nodes only',
      { consolidateAfter: '1m', consolidationPolicy: 'WhenEmpty', budgets: [{ nodes: '1', reasons: ['Drifted'] }] },
    ],
    [
      'consolidation of a NodePool that never consolidates',
      { consolidateAfter: 'Never', budgets: [{ nodes: '1', reasons: ['Drifted'] }] },
    ],
    [
      'no reason, because a second budget always blocks',
      { consolidateAfter: '1m', budgets: [{ nodes: '0', schedule: '@daily', duration: '24h' }] },
    ],
  ])('passes budgets that allow all nodes only for %s', (_, disruption) => {
    expect(withDisruption(disruption)).toEqual(['pass NodePool/default']);
  });

  test('reports budgets that do not limit one reason for nodes with pods', () => {
    expect(
      withDisruption({ consolidateAfter: '1m', budgets: [{ nodes: '1', reasons: ['Empty', 'Drifted'] }] }),
    ).toEqual(['fail NodePool/default']);
  });

  test('is not evaluated if the budget is known only at deployment', () => {
    expect(judged('${Nodes}', 2).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply to a single node', () => {
    expect(judged('100%', 1).outcomes).toEqual([]);
  });
});
