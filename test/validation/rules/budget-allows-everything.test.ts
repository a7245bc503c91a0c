import { deployment, judge, nodeClass, nodePool, pdb, types } from './helper';
import { BudgetAllowsEverything } from '../../../src/validation/rules/budget-allows-everything';

const rule = new BudgetAllowsEverything();
const large = (replicas: number) => deployment('web', { containers: [{ name: 'main', image: 'app', resources: { requests: { cpu: '1500m', memory: '1Gi' } } }] }, { replicas });
const judged = (nodes: string, replicas: number, ...documents: string[]) => judge(rule, [
  nodeClass(), nodePool('default', { requirements: [types('m5.large')], disruption: { consolidateAfter: '1m', budgets: [{ nodes }] } }), large(replicas), ...documents,
]);

describe('KARP-419 budget-allows-everything', () => {
  test.each(['100%', '51%', '2', '9'])('fails for %s of two nodes', (nodes) => {
    const { states, findings } = judged(nodes, 2);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain('let all 2 nodes of the plan go at a time, and Deployment web has no PodDisruptionBudget');
  });

  test('passes where some nodes stay, or every pod is guarded', () => {
    expect(judged('50%', 2).states).toEqual(['pass NodePool/default']);
    expect(judged('100%', 2, pdb({ maxUnavailable: 1 })).states).toEqual(['pass NodePool/default']);
  });

  const withDisruption = (disruption: object) => judge(rule, [nodeClass(), nodePool('default', { requirements: [types('m5.large')], disruption }), large(2)]).states;
  const few = { nodes: '1', reasons: ['Drifted', 'Underutilized'] };

  test.each<[string, object]>([
    ['empty nodes, which hold none of its pods', { consolidateAfter: '1m', budgets: [{ nodes: '100%', reasons: ['Empty'] }, few] }],
    ['what is never consolidated, since that is for empty nodes', { consolidateAfter: '1m', consolidationPolicy: 'WhenEmpty', budgets: [{ nodes: '1', reasons: ['Drifted'] }] }],
    ['what is never consolidated at all', { consolidateAfter: 'Never', budgets: [{ nodes: '1', reasons: ['Drifted'] }] }],
    ['what is never open', { consolidateAfter: '1m', budgets: [{ nodes: '0', schedule: '@daily', duration: '24h' }] }],
  ])('passes where all nodes may go at a time only for the sake of %s', (_, disruption) => {
    expect(withDisruption(disruption)).toEqual(['pass NodePool/default']);
  });

  test('fails where one reason is left open that takes nodes with pods', () => {
    expect(withDisruption({ consolidateAfter: '1m', budgets: [{ nodes: '1', reasons: ['Empty', 'Drifted'] }] })).toEqual(['fail NodePool/default']);
  });

  test('is not evaluated where the budget is known only at deployment', () => {
    expect(judged('${Nodes}', 2).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply to a single node', () => {
    expect(judged('100%', 1).outcomes).toEqual([]);
  });
});
