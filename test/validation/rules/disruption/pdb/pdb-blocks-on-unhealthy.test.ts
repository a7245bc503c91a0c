import { pdbBlocksOnUnhealthy } from '../../../../../src/validation/rules/disruption/pdb/pdb-blocks-on-unhealthy';
import { deployment, judge, pdb } from '../../judge';

const rule = pdbBlocksOnUnhealthy;

describe('KARP-413 pdb-blocks-on-unhealthy', () => {
  test.each([undefined, 'IfHealthyBudget'])('reports the policy %s', (unhealthyPodEvictionPolicy) => {
    expect(judge(rule, [pdb({ maxUnavailable: 1, unhealthyPodEvictionPolicy })]).states).toEqual([
      'fail PodDisruptionBudget/web-pdb',
    ]);
  });

  test('passes AlwaysAllow', () => {
    expect(judge(rule, [pdb({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })]).states).toEqual([
      'pass PodDisruptionBudget/web-pdb',
    ]);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    const { states } = judge(rule, [pdb({ maxUnavailable: 1, unhealthyPodEvictionPolicy: '${Policy}' })]);
    expect(states).toEqual(['not-evaluated PodDisruptionBudget/web-pdb']);
  });

  test('does not apply without budgets', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
