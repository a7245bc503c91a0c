import { annotated, deployment, job, judge, nodeClass, nodePool, oneOf, PoolFields, pdb, types } from './helper';
import { ExpireWithoutTerminationGrace } from '../../../src/validation/rules/expire-without-termination-grace';
import { karpenterNode, pod } from '../cluster/dump';

const rule = new ExpireWithoutTerminationGrace();
const ON_DEMAND = { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] };
const judged = (fields: PoolFields, ...documents: string[]) => judge(rule, [nodeClass(), nodePool('default', { ...ON_DEMAND, ...fields }), ...documents]);
const held = annotated(deployment('db'), { 'karpenter.sh/do-not-disrupt': 'true' });

describe('KARP-406 expire-without-termination-grace', () => {
  test('fails where a pod that nothing evicts is on a node that expires, and says what the node costs', () => {
    const { states, findings } = judged({}, held);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain('Deployment db (karpenter.sh/do-not-disrupt) lets no pod go; that node costs 70.08 USD a month');
  });

  test('fails where a budget lets none go', () => {
    expect(judged({}, deployment('web', {}, { replicas: 2 }), pdb({ minAvailable: 2 })).findings[0].evidence).toMatchObject({ holders: ['Deployment web (PodDisruptionBudget web-pdb)'] });
  });

  test('fails where two budgets select a pod, which no eviction is granted for', () => {
    const { evidence } = judged({}, deployment('web', {}, { replicas: 2 }), pdb({ maxUnavailable: 1 }), pdb({ maxUnavailable: 1 }, 'all')).findings[0];
    expect(evidence).toMatchObject({ holders: ['Deployment web (PodDisruptionBudgets all and web-pdb)'] });
  });

  test('fails where such a pod runs already', () => {
    const items = [karpenterNode('ip-1'), pod('db-1-a', { on: 'ip-1', owner: ['ReplicaSet', 'db-1'], labels: { 'app': 'db', 'pod-template-hash': '1' } })];
    const cluster = items.map((item, at) => ({ path: `cluster-${at}.yaml`, text: JSON.stringify(item) }));
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default', ON_DEMAND), held], { cluster });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toMatchObject({ nodes: 1 });
  });

  test.each<[string, PoolFields, string]>([
    ['a drain that ends', { terminationGracePeriod: '24h' }, held],
    ['nodes that never expire', { expireAfter: 'Never' }, held],
    ['a protection that ends', {}, annotated(deployment('db'), { 'karpenter.sh/do-not-disrupt': '4h' })],
    ['a Job, whose pods end', {}, annotated(job('batch'), { 'karpenter.sh/do-not-disrupt': 'true' })],
    ['pods that a drain does not wait for', {}, annotated(deployment('db', { tolerations: [{ operator: 'Exists' }] }), { 'karpenter.sh/do-not-disrupt': 'true' })],
    ['pods that run nowhere yet', {}, annotated(deployment('db', {}, { replicas: 0 }), { 'karpenter.sh/do-not-disrupt': 'true' })],
  ])('passes %s', (_, fields, document) => {
    expect(judged(fields, document).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated where it is known only at deployment', () => {
    expect(judged({ terminationGracePeriod: '${Grace}' }, held).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [held]).outcomes).toEqual([]);
  });
});
