import { expireWithoutTerminationGrace } from '../../../../../src/validation/rules/disruption/expiration/expire-without-termination-grace';
import { karpenterNode, pod } from '../../../cluster/dump';
import { annotated, deployment, job, judge, nodeClass, nodePool, oneOf, PoolFields, pdb, types } from '../../judge';

const rule = expireWithoutTerminationGrace;
const ON_DEMAND = { requirements: [types('m5.large'), oneOf('karpenter.sh/capacity-type', 'on-demand')] };
const judged = (fields: PoolFields, ...documents: string[]) =>
  judge(rule, [nodeClass(), nodePool('default', { ...ON_DEMAND, ...fields }), ...documents]);
const blocked = annotated(deployment('db'), { 'karpenter.sh/do-not-disrupt': 'true' });

describe('KARP-406 expire-without-termination-grace', () => {
  test('reports a pod that cannot be evicted on a node that expires, and the cost of the node', () => {
    const { states, findings } = judged({}, blocked);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain(
      'the pods of Deployment db have karpenter.sh/do-not-disrupt and cannot be evicted; the node costs $70/month',
    );
  });

  test('reports a pod that already runs', () => {
    const items = [
      karpenterNode('ip-1'),
      pod('db-1-a', { on: 'ip-1', owner: ['ReplicaSet', 'db-1'], labels: { app: 'db', 'pod-template-hash': '1' } }),
    ];
    const cluster = items.map((item, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(item) }));
    const { states, findings } = judge(rule, [nodeClass(), nodePool('default', ON_DEMAND), blocked], { cluster });
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].evidence).toMatchObject({ nodes: 1 });
  });

  test.each<[string, PoolFields, string]>([
    ['a terminationGracePeriod', { terminationGracePeriod: '24h' }, blocked],
    ['nodes that never expire', { expireAfter: 'Never' }, blocked],
    ['protection for a limited time', {}, annotated(deployment('db'), { 'karpenter.sh/do-not-disrupt': '4h' })],
    ['a Job, whose pods finish', {}, annotated(job('batch'), { 'karpenter.sh/do-not-disrupt': 'true' })],
    [
      'pods that a drain does not wait for',
      {},
      annotated(deployment('db', { tolerations: [{ operator: 'Exists' }] }), { 'karpenter.sh/do-not-disrupt': 'true' }),
    ],
    [
      'a workload with 0 replicas',
      {},
      annotated(deployment('db', {}, { replicas: 0 }), { 'karpenter.sh/do-not-disrupt': 'true' }),
    ],
  ])('passes %s', (_, fields, document) => {
    expect(judged(fields, document).states).toEqual(['pass NodePool/default']);
  });

  test.each([
    ['KARP-403', [pdb({ minAvailable: 2 })]],
    ['KARP-411', [pdb({ maxUnavailable: 1 }), pdb({ maxUnavailable: 1 }, 'all')]],
  ])('leaves PodDisruptionBudgets that block a drain to %s', (_, pdbs) => {
    expect(judged({}, deployment('web', {}, { replicas: 2 }), ...pdbs).states).toEqual(['pass NodePool/default']);
  });

  test('is not evaluated if the value is known only at deployment', () => {
    expect(judged({ terminationGracePeriod: '${Grace}' }, blocked).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('passes for a release before 1.0, whose protected nodes do not expire', () => {
    const { states } = judge(rule, [nodeClass(), nodePool('default', ON_DEMAND), blocked], {
      servingVersion: '0.33.1',
    });
    expect(states).toEqual(['pass NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [blocked]).outcomes).toEqual([]);
  });
});
