import { annotated, deployment, judge, nodeClass, nodePool, PoolFields, pdb } from './helper';
import { ExpiryIsForcefulAndImplicit } from '../../../src/validation/rules/expiry-is-forceful-and-implicit';
import { karpenterNode, pod } from '../cluster/dump';

const rule = new ExpiryIsForcefulAndImplicit();
const judged = (fields: PoolFields, ...documents: string[]) => judge(rule, [nodeClass(), nodePool('default', fields), ...documents]);
const one = deployment('web');
const held = annotated(one, { 'karpenter.sh/do-not-disrupt': 'true' });
const three = deployment('web', {}, { replicas: 3 });

describe('KARP-404 expiry-is-forceful-and-implicit', () => {
  test('fails where nodes expire under a single pod, and says what an absent expireAfter means', () => {
    const { states, findings } = judged({}, one);
    expect(states).toEqual(['fail NodePool/default']);
    expect(findings[0].message).toContain('expireAfter is not set, which means 720h');
    expect(findings[0].message).toContain('Deployment default/web');
  });

  test('fails where several pods have no PodDisruptionBudget', () => {
    expect(judged({ expireAfter: '100h' }, three).findings[0].evidence).toEqual({ expireAfter: '100h', written: true, workloads: ['Deployment default/web'] });
  });

  test('tells workloads of one name in several namespaces apart', () => {
    const object = JSON.parse(one);
    const namesake = JSON.stringify({ ...object, metadata: { ...object.metadata, namespace: 'shop' } });
    expect(judged({}, one, namesake).findings[0].message).toContain('it hits Deployment default/web and Deployment shop/web, of');
  });

  test('fails where such pods run already', () => {
    const items = [karpenterNode('ip-1'), pod('web-1-a', { on: 'ip-1', owner: ['ReplicaSet', 'web-1'], labels: { 'app': 'web', 'pod-template-hash': '1' } })];
    const cluster = items.map((item, at) => ({ path: `cluster-${at}.yaml`, text: JSON.stringify(item) }));
    expect(judge(rule, [nodeClass(), nodePool('default', {}), one], { cluster }).states).toEqual(['fail NodePool/default']);
  });

  test('passes guarded pods, nodes that never expire, and pools without such pods', () => {
    expect(judged({}, three, pdb({ maxUnavailable: 1 })).states).toEqual(['pass NodePool/default']);
    expect(judged({ expireAfter: 'Never' }, one).states).toEqual(['pass NodePool/default']);
    expect(judged({}).states).toEqual(['pass NodePool/default']);
  });

  test('passes pods whose author does without', () => {
    const annotations = { 'resilience.karpenter-constructs.dev/replicas': 'off: a gap is fine' };
    expect(judged({}, JSON.stringify({ ...JSON.parse(one), metadata: { name: 'web', annotations } })).states).toEqual(['pass NodePool/default']);
  });

  test('passes pods that their node waits for without an end, and fails where it ends', () => {
    expect(judged({}, held).states).toEqual(['pass NodePool/default']);
    expect(judged({}, one, pdb({ minAvailable: 1 })).states).toEqual(['pass NodePool/default']);
    expect(judged({ terminationGracePeriod: '1h' }, held).states).toEqual(['fail NodePool/default']);
  });

  test('is not evaluated where expireAfter is known only at deployment', () => {
    expect(judged({ expireAfter: '${Expiry}' }, one).states).toEqual(['not-evaluated NodePool/default']);
  });

  test('does not apply without NodePools', () => {
    expect(judge(rule, [one]).outcomes).toEqual([]);
  });
});
