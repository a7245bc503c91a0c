import { deployment, judge, pdb } from './helper';
import { PdbBlocksOnUnhealthy } from '../../../src/validation/rules/pdb-blocks-on-unhealthy';

const rule = new PdbBlocksOnUnhealthy();

describe('KARP-413 pdb-blocks-on-unhealthy', () => {
  test.each([undefined, 'IfHealthyBudget'])('fails for the policy %s', (unhealthyPodEvictionPolicy) => {
    expect(judge(rule, [pdb({ maxUnavailable: 1, unhealthyPodEvictionPolicy })]).states).toEqual(['fail PodDisruptionBudget/web-pdb']);
  });

  test('passes AlwaysAllow', () => {
    expect(judge(rule, [pdb({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' })]).states).toEqual(['pass PodDisruptionBudget/web-pdb']);
  });

  test('is not evaluated where it is known only at deployment', () => {
    const found = judge(rule, [pdb({ maxUnavailable: 1, unhealthyPodEvictionPolicy: '${Policy}' })]).states;
    expect(found).toEqual(['not-evaluated PodDisruptionBudget/web-pdb']);
  });

  test('does not apply without budgets', () => {
    expect(judge(rule, [deployment('web')]).outcomes).toEqual([]);
  });
});
