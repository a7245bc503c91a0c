import { ExpiryIsForcefulAndImplicit } from '../../../../../src/validation/rules/disruption/expiration/expiry-is-forceful-and-implicit';
import { karpenterNode, pod } from '../../../cluster/dump';
import { annotated, deployment, judge, nodeClass, nodePool, PoolFields, pdb } from '../../judge';

const rule = new ExpiryIsForcefulAndImplicit();
const judged = (fields: PoolFields, ...documents: string[]) => judge(rule, [nodeClass(), nodePool('default', fields), ...documents]);
const one = deployment('web');

const three = deployment('web', {}, { replicas: 3 });
const blocked = annotated(three, { 'karpenter.sh/do-not-disrupt': 'true' });

describe('KARP-404 expiry-is-forceful-and-implicit', () => {
  test('leaves a single pod to KARP-401', () => {
    expect(judged({}, one).states).toEqual(['pass NodePool/default']);
  });

  test('reports pods without a PodDisruptionBudget on nodes that expire by default', () => {
    const { states, findings } = judged({}, three);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain('nodes expire after 30 days by default');
    expect(findings[0].message).toContain('Deployment default/web');
  });

  test('reports several pods without a PodDisruptionBudget', () => {
    expect(judged({ expireAfter: '100h' }, three).findings[0].evidence).toEqual({ expireAfter: '100h', written: true, workloads: ['Deployment default/web'] });
  });

  test('names workloads with their namespaces', () => {
    const object = JSON.parse(three);
    const namesake = JSON.stringify({ ...object, metadata: { ...object.metadata, namespace: 'shop' } });
    expect(judged({}, three, namesake).findings[0].message).toContain('2 workloads here have no PodDisruptionBudget (Deployment default/web and Deployment shop/web)');
  });

  test('reports pods that already run', () => {
    const items = [karpenterNode('ip-1'), pod('web-1-a', { on: 'ip-1', owner: ['ReplicaSet', 'web-1'], labels: { 'app': 'web', 'pod-template-hash': '1' } })];
    const cluster = items.map((item, index) => ({ path: `cluster-${index}.yaml`, text: JSON.stringify(item) }));
    expect(judge(rule, [nodeClass(), nodePool('default', {}), three], { cluster }).states).toEqual(['fail NodePool/default']);
  });

  test('passes pods with a budget, nodes that never expire, and NodePools without pods', () => {
    expect(judged({}, three, pdb({ maxUnavailable: 1 })).states).toEqual(['pass NodePool/default']);
    expect(judged({ expireAfter: 'Never' }, three).states).toEqual(['pass NodePool/default']);
    expect(judged({}).states).toEqual(['pass NodePool/default']);
  });

  test('passes pods with an opt-out annotation', () => {
    const annotations = { 'resilience.karpenter-constructs.dev/pod-disruption-budget': 'off: a gap is fine' };
    expect(judged({}, JSON.stringify({ ...JSON.parse(three), metadata: { name: 'web', annotations } })).states).toEqual(['pass NodePool/default']);
  });

  test('passes pods whose drain never ends, and reports them if a terminationGracePeriod ends it', () => {
    expect(judged({}, blocked).states).toEqual(['pass NodePool/default']);
    expect(judged({}, three, pdb({ minAvailable: 3 })).states).toEqual(['pass NodePool/default']);
    expect(judged({ terminationGracePeriod: '1h' }, blocked).states).toEqual(['fail NodePool/default']);
  });

  test('is not evaluated if expireAfter is known only at deployment', () => {
    expect(judged({ expireAfter: '${Expiry}' }, one).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [one]).outcomes).toEqual([]);
  });
});
